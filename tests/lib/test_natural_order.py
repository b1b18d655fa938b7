"""Names with numbers are sorted as people count."""

import pytest

from chat.lib.text import natural_key


def test_numbers_in_names_are_sorted_by_size() -> None:
    names = ["house-10", "house-2", "House-1", "house", "2-house", "10-house", "house-2b"]
    assert sorted(names, key=natural_key) == [
        "2-house",
        "10-house",
        "house",
        "House-1",
        "house-2",
        "house-2b",
        "house-10",
    ]


@pytest.mark.parametrize("text", ["", "²", "٣ apples", "x" * 5, "0" * 300])
def test_any_text_has_a_key(text: str) -> None:
    assert sorted([text, "a-1"], key=natural_key)
