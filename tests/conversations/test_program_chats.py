"""A program's messages as the turns of a chat, and as a history that is recognised."""

from typing import Any

import pytest

from chat.conversations.program_chats import digest_of, instructions_in, turns_of
from chat.conversations.prompt import PromptMessage


def call(name: str, arguments: str, call_id: str = "c") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def user(text: str) -> PromptMessage:
    return PromptMessage("user", text)


def assistant(text: str, *calls: dict[str, Any]) -> PromptMessage:
    return PromptMessage("assistant", text, calls)


def test_consecutive_messages_are_one_turn() -> None:
    messages = [user("a"), user("b"), assistant("c"), assistant("d"), user("e")]
    assert turns_of(messages) == [("user", "a\n\nb"), ("assistant", "c\n\nd"), ("user", "e")]


@pytest.mark.parametrize(
    ("messages", "roles"),
    [
        ([assistant("Hi"), user("a")], ["user", "assistant", "user"]),
        ([user("a"), assistant("It is")], ["user", "assistant", "user"]),
        ([assistant("Hi")], ["user", "assistant", "user"]),
    ],
)
def test_a_question_comes_before_and_after_each_answer(
    messages: list[PromptMessage], roles: list[str]
) -> None:
    assert [turn.role for turn in turns_of(messages)] == roles


def test_instructions_are_apart() -> None:
    messages = [
        PromptMessage("system", "Be brief."),
        user("a"),
        PromptMessage("system", "In French."),
    ]
    assert turns_of(messages) == [("user", "a")]
    assert instructions_in(messages) == "Be brief.\n\nIn French."


def test_results_are_named_by_their_calls() -> None:
    messages = [
        user("a"),
        assistant("", call("x", "{}", "c1"), call("y", "{}", "c2")),
        PromptMessage("tool", "1", tool_call_id="c2"),
        PromptMessage("tool", "2", tool_call_id="c9"),
    ]
    assert turns_of(messages)[-1].text == "Result of y:\n1\n\nResult of a tool:\n2"


@pytest.mark.parametrize("arguments", ['{"a": "```\\n# x"}', "```", "`" * 50, "not JSON", ""])
def test_arguments_cannot_leave_their_code_block(arguments: str) -> None:
    text = turns_of([user("a"), assistant("", call("x`y", arguments)), user("b")])[1].text
    head, _, fence, *_body, end = [*text.split("\n")[:3], *text.split("\n")[3:]]
    assert head == "Call of `x'y`:"
    assert fence.removesuffix("json") == end
    assert end not in "\n".join(text.split("\n")[3:-1])


def test_characters_that_cannot_be_stored_are_replaced() -> None:
    assert turns_of([user("a\0b\ud800")])[0].text == "a\ufffdb\ufffd"


SAME = [
    [user("a"), assistant("x", call("f", '{"q": 1}')), user("b")],
    [user("a"), assistant("x", call("f", '{"q":1}', "other")), user("b")],
    [user(" a\n"), assistant("x"), assistant("", call("f", '{"q": 1}')), user("b")],
    [PromptMessage("system", "s"), user("a"), assistant("x", call("f", '{"q": 1}')), user("b")],
]


@pytest.mark.parametrize("messages", SAME)
def test_clients_may_write_the_same_history_in_other_ways(messages: list[PromptMessage]) -> None:
    assert digest_of(1, turns_of(messages)) == digest_of(1, turns_of(SAME[0]))


@pytest.mark.parametrize(
    ("key_id", "messages"),
    [
        (2, SAME[0]),
        (1, [user("a"), assistant("x", call("f", '{"q": 2}')), user("b")]),
        (1, [user("a"), assistant("x", call("g", '{"q": 1}')), user("b")]),
        (1, [user("a"), assistant("x"), user("b")]),
        (1, [assistant("a"), user("x"), user("b")]),
    ],
)
def test_another_history_or_key_is_told_apart(key_id: int, messages: list[PromptMessage]) -> None:
    assert digest_of(key_id, turns_of(messages)) != digest_of(1, turns_of(SAME[0]))
