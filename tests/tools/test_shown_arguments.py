"""What a person allows is what they see: nothing in the arguments is hidden or there twice."""

import json

import pytest

from chat.tools.shown_arguments import as_shown
from chat.tools.tool import ToolFailed
from tests.support.attacks.injections import HIDDEN

SEEN = [
    "Good day.\n\tBye – “now”",
    "naïve 日本語 עברית العربية",
    "می‌خواهم",
    "👩‍❤️‍👨 👍🏽",
    "",
]


@pytest.mark.parametrize("text", SEEN)
def test_what_is_seen_is_sent_as_it_is(text: str) -> None:
    arguments = json.dumps({"to": "alice", "text": [text, {"n": 1.50}]}, ensure_ascii=True)
    assert as_shown(arguments) == arguments


@pytest.mark.parametrize("name", ["tag characters", "variation selectors"])
def test_what_nobody_sees_is_not_sent(name: str) -> None:
    arguments = json.dumps({"text": {"deep": [HIDDEN[name]]}})
    assert json.loads(as_shown(arguments)) == {"text": {"deep": ["A lighthouse."]}}


@pytest.mark.parametrize("char", "\u200b\u202e\u2060\u2066\ufeff\u00ad\u3164\u2800\u115f\x1b\x00")
def test_no_character_hides_or_turns_text(char: str) -> None:
    sent = json.loads(as_shown(json.dumps({"text": f"a{char}b"})))
    assert sent["text"] in {"ab", "a b", "a\ufffdb"}


def test_a_row_of_joiners_carries_nothing() -> None:
    sent = json.loads(as_shown(json.dumps({"text": "a" + "\u200d\u200c" * 500})))
    assert sent == {"text": "a\u200d\u200c"}


@pytest.mark.parametrize(
    "arguments",
    [
        '{"to": "alice", "to": "evil"}',
        '{"a": {"to": 1, "\\u0074o": 2}}',
        '{"to": 1, "t\u200bo": 2}',
        '{"a": ' + "[" * 90_000 + "]" * 90_000 + "}",
        "{",
    ],
)
def test_arguments_that_two_readers_read_differently_are_refused(arguments: str) -> None:
    with pytest.raises(ToolFailed):
        as_shown(arguments)
