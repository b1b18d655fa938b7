from chat.emulator.common.recent import Recent


def test_the_oldest_entry_is_forgotten() -> None:
    recent: Recent[str, int] = Recent(limit=2)
    recent["a"] = 1
    recent["b"] = 2
    recent["c"] = 3
    assert recent == {"b": 2, "c": 3}


def test_an_entry_set_again_is_new_again() -> None:
    recent: Recent[str, int] = Recent(limit=2)
    recent["a"] = 1
    recent["b"] = 2
    recent["a"] = 3
    recent["c"] = 4
    assert recent == {"a": 3, "c": 4}
