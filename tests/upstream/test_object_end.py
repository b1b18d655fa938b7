"""The end of a JSON object is found while it arrives, whatever its strings contain."""

import pytest

from chat.upstream.decoding.object_end import ObjectEnd

OBJECTS = [
    "{}",
    '{"a":{"b":[1,2]}}',
    '{"a":"}"}',
    '{"a":"]","b":[{"c":"{"}]}',
    '{"a":"\\"}"}',
    '{"a":"\\\\"}',
]


@pytest.mark.parametrize("text", OBJECTS)
def test_only_the_last_character_ends_the_object(text: str) -> None:
    end = ObjectEnd()
    reached = []
    for char in text:
        end.feed(char)
        reached.append(end.is_reached)
    assert reached == [False] * (len(text) - 1) + [True]


@pytest.mark.parametrize("text", OBJECTS)
def test_the_object_may_arrive_at_once(text: str) -> None:
    end = ObjectEnd()
    end.feed(text)
    assert end.is_reached
