"""A report of no tokens is none, so the answer costs what it is estimated to."""

from typing import Any

import pytest

from chat.upstream.decoding.usage import UsageCount
from chat.upstream.events import Usage

ABSURD = 99_999_999_999_999_999_999


@pytest.mark.parametrize(
    "reported",
    [
        {},
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        {"prompt_tokens": "x"},
        {"prompt_tokens": -5, "completion_tokens": ABSURD},
    ],
    ids=str,
)
@pytest.mark.parametrize("is_tail", [True, False])
def test_nothing_was_told(reported: dict[str, Any], is_tail: bool) -> None:
    count = UsageCount()
    count.add(reported, is_tail)
    assert count.total() is None


def test_an_empty_total_does_not_hide_what_the_chunks_told() -> None:
    count = UsageCount()
    count.add({"prompt_tokens": 3, "completion_tokens": 2})
    count.add({"prompt_tokens": 0}, is_tail=True)
    assert count.total() == Usage(3, 2, 5)
