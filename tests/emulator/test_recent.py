from chat.emulator.common.recent import Recent


def test_the_oldest_entry_is_dropped() -> None:
    recent: Recent[str, int] = Recent(limit=2)
    recent["a"] = 1
    recent["b"] = 2
    recent["c"] = 3
    assert recent == {"b": 2, "c": 3}


def test_setting_an_entry_again_makes_it_the_newest() -> None:
    recent: Recent[str, int] = Recent(limit=2)
    recent["a"] = 1
    recent["b"] = 2
    recent["a"] = 3
    recent["c"] = 4
    assert recent == {"a": 3, "c": 4}
