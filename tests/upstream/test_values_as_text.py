"""Whatever a provider puts where text belongs is shown as text."""

import json

import pytest
from msgspec import Raw

from chat.upstream.chunks import Chunk, text_of, unwrap


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('"Aye"', "Aye"),
        ("null", ""),
        ("7", "7"),
        ("true", "true"),
        ('[{"type":"text","text":"A"},{"type":"text","text":"ye"}]', "Aye"),
    ],
)
def test_a_value_stands_for_its_text(value: str, text: str) -> None:
    assert text_of(Raw(value.encode())) == text


@pytest.mark.parametrize("value", [{"price": 5}, {"städte": ["Köln"]}, [1, 2]])
def test_an_answer_in_json_mode_is_shown_as_json(value: object) -> None:
    text = text_of(Raw(json.dumps(value).encode()))
    assert json.loads(text) == value
    assert "\\u" not in text


def test_an_envelope_without_a_result_is_an_empty_chunk() -> None:
    assert unwrap(Chunk(result=Raw(b"null"))) == Chunk()
