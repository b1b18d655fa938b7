"""Uploaded questions are bounded, and what is wrong is said line by line."""

import json

import pytest

from chat.evaluation.errors import MAX_ITEMS
from chat.evaluation.jsonl import MAX_TEXT_CHARS, read_items

GOOD = {"messages": [{"role": "user", "content": "Where is Oslo?"}], "expected": "In Norway"}


def lines(*values: object) -> bytes:
    return "\n".join(
        each if isinstance(each, str) else json.dumps(each) for each in values
    ).encode()


def test_questions_are_read_with_their_context() -> None:
    said = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "Where is Oslo?"},
    ]
    cases, errors = read_items(b"\xef\xbb\xbf" + lines(GOOD, "", {"messages": said}))
    assert errors == []
    assert [each.messages for each in cases] == [GOOD["messages"], said]
    assert [each.expected for each in cases] == ["In Norway", ""]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "This isn't JSON."),
        ("\udc80".encode("utf-8", "surrogatepass").decode("latin-1"), "This isn't JSON."),
        ("[" * 100_000, "This isn't JSON."),
        ([], "“messages” must be a list of messages."),
        ({"messages": "Hello"}, "“messages” must be a list of messages."),
        ({"messages": []}, "“messages” must be a list of messages."),
        ({"messages": [{"role": "user"}]}, "Each message needs a “role”"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "Each message needs a “role”"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "The last message must be"),
        ({"messages": [{"role": "user", "content": " "}]}, "The question is empty."),
        (GOOD | {"expected": 7}, "“expected” must be a text."),
        (GOOD | {"messages": GOOD["messages"] * 101}, "There are more than 100 messages."),  # type: ignore[operator]
        (GOOD | {"expected": "x" * (MAX_TEXT_CHARS + 1)}, "A text has more than"),
        (GOOD | {"from_chat": True}, "This is from a chat."),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_line_is_named(line: object, problem: str) -> None:
    cases, errors = read_items(lines(GOOD, line))
    assert len(cases) == 1
    [error] = errors
    assert error.startswith(f"Line 2: {problem}")


def test_a_file_of_errors_lists_some_of_them() -> None:
    _cases, errors = read_items(lines(*["x"] * 1000))
    assert len(errors) == 20


def test_too_many_questions_and_none_are_refused() -> None:
    assert read_items(lines(*[GOOD] * (MAX_ITEMS + 1)))[1] == ["There are more than 500 questions."]
    assert read_items(b"\n\n")[1] == ["There are no questions in this file."]
