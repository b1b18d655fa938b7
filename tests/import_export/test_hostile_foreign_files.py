"""Broken and hostile files of other programs lead to clear reasons, in limited time and memory."""

import io
import json
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.errors import BadRequest
from chat.import_export import import_reader
from chat.import_export.foreign.json_elements import elements
from chat.import_export.import_report import LOST, ImportReport
from tests.import_export.chatgpt_files import chat, encoded, node
from tests.import_export.foreign_files import FILES
from tests.support.variants import examples

GOOD = chat(node("q", "root", "user", "Why?", seconds=1), title="Good")
UNKNOWN = "It's damaged or has an unknown format."


def check(*chats: Any) -> ImportReport:
    return import_reader.check(io.BytesIO(encoded(*chats)))


def reason(chat: Any) -> str:
    """Return why this chat is left out of a file with another one."""
    report = check(GOOD, chat)
    assert (report.total, report.refused) == (1, 1)
    return report.reasons[0][1]


@pytest.mark.parametrize(
    "change",
    [
        {"mapping": []},
        {"mapping": None},
        {"mapping": {"a": 5}},
        {"mapping": {"a": {"message": "x"}}},
        {"mapping": {"a": {"message": {"author": None}}}},
    ],
    ids=json.dumps,
)
def test_a_chat_of_wrong_types_is_left_out(change: dict[str, Any]) -> None:
    assert reason(GOOD | change) == UNKNOWN


@pytest.mark.parametrize(
    "foreign",
    [
        {"chat_messages": [5]},
        {"chat_messages": [{"sender": 5}]},
        {"chat": {"history": []}},
        {"chat": {"history": {"messages": {"a": {"role": 1}}}}},
        {"conversationId": "x", "messages": "none"},
        {"conversationId": "x", "messages": [{"text": "without an id"}]},
        "a text",
        {},
    ],
    ids=json.dumps,
)
def test_a_damaged_chat_does_not_spoil_the_others(foreign: Any) -> None:
    report = check(GOOD, foreign)
    assert report.total == 1


@pytest.mark.parametrize("parent", ["a", "b"])
def test_messages_in_a_cycle_are_imported(parent: str) -> None:
    report = check(
        chat(
            node("q", "root", "user", "Why?"),
            node("a", "b", "user", "x"),
            node("b", parent, "user", "y"),
        )
    )
    assert report.left_out[LOST] == 0
    assert report.total == 1


def test_unusual_values_do_no_harm() -> None:
    odd = {"content_type": ["text"], "parts": [None, 5, {"text": 7}, [], "Hello\0"]}
    said = [
        node("a", "gone", "user", odd, create_time="never", metadata={"attachments": 5}),
        node("b", "a", "assistant", {"content_type": "text", "parts": None}),
        node("c", "b", "assistant", {"content_type": "code", "language": 5, "text": None}),
        node("d", "c", "critic", "x"),
        node("e", "d", "assistant", "Hi", metadata={"model_slug": {"x": 1}}, create_time=1e308),
    ]
    more = {"create_time": -5, "update_time": 10**40, "default_model_slug": 5, "is_archived": "x"}
    data = io.BytesIO(encoded(chat(*said, **more)))
    import_reader.check(data)
    (found,) = import_reader.conversations_in(data)
    assert found.messages[0].text == "Hello"
    assert found.messages[-1].text.endswith("Hi")


def test_answers_without_a_question_are_left_out() -> None:
    report = check(
        chat(
            node("hello", "root", "assistant", "How can I help?"),
            node("q", "hello", "user", "Why?"),
        )
    )
    assert report.left_out[LOST] == 1


def test_limits_for_messages_apply() -> None:
    many = [node(f"q{number}", "root", "user", "x") for number in range(4)]
    with override_settings(MAX_CONVERSATION_MESSAGES=3):
        assert reason(chat(*many)) == "It has more messages than a chat can hold."
    with override_settings(MAX_MESSAGE_CHARS=10):
        long = chat(node("q", "root", "user", "x" * 11))
        assert reason(long) == "Message 1: It's longer than this site allows."
    with override_settings(MAX_IMPORT_MESSAGES=3), pytest.raises(BadRequest, match="bad_request"):
        check(chat(*many))


def test_a_deep_chat_is_imported() -> None:
    roles = ["user", "assistant"]
    deep = [
        node(
            f"n{place}", f"n{place - 1}" if place else "root", roles[place % 2], "x", seconds=place
        )
        for place in range(9000)
    ]
    data = io.BytesIO(encoded(chat(*deep)))
    (found,) = import_reader.conversations_in(data)
    assert [said.parent for said in found.messages[1:]] == list(range(1, 9000))


def test_shared_beginnings_can_not_multiply_a_file() -> None:
    nodes = [node("q", "root", "user", "Why?")]
    for place in range(900):
        nodes.append(node(f"a{place}", f"a{place - 1}" if place else "q", "assistant", "x" * 500))
        nodes.append(node(f"b{place}", f"a{place}", "assistant", "y"))
    assert reason(chat(*nodes)) == "It's too large."


@pytest.mark.parametrize(
    "filler",
    [b'"%d":{},', b'"%d":{"message":null},'],
    ids=["empty nodes", "nodes"],
)
def test_many_nodes_take_little_memory(filler: bytes) -> None:
    nodes = b"".join(filler % number for number in range(35_000))
    bomb = b'[{"title":"x","mapping":{' + nodes + b'"a":{}}},' + encoded(GOOD)[1:]
    tracemalloc.start()  # makes reading slow, hence the low limit
    with override_settings(MAX_CONVERSATION_MESSAGES=100):
        report = import_reader.check(io.BytesIO(bomb))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert report.reasons == [("x", "It's too large.")]
    assert peak < 5 * len(bomb)


@pytest.mark.parametrize("part", [b"[],", b"[", b'{"a":', b"{},", b'{"mapping":{}},'])
def test_millions_of_brackets_are_refused(part: bytes) -> None:
    with pytest.raises(BadRequest):
        import_reader.check(io.BytesIO(b"[" + part * 2_000_000 + b"1]"))


@pytest.mark.timeout(20)
@pytest.mark.parametrize("mark", ["\ue200", "\u3010" + "1" * 9, "\u30101:"])
def test_unclosed_marks_of_sources_take_linear_time(mark: str) -> None:
    said = node("a", "q", "assistant", mark * 90_000, seconds=2)
    assert check(chat(node("q", "root", "user", "Why?", seconds=1), said)).total == 1


def test_a_truncated_file_is_refused() -> None:
    data = encoded(GOOD, GOOD)
    for end in range(1, len(data) - 2, 41):
        with pytest.raises(BadRequest):
            import_reader.check(io.BytesIO(data[:end]))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=20,
)


@settings(max_examples=examples(100), deadline=None)
@given(values=st.lists(VALUES))
def test_elements_are_those_that_a_decoder_finds(values: list[Any]) -> None:
    for data in (json.dumps(values), json.dumps(values, ensure_ascii=False, indent=2)):
        found = [json.loads(each) for each in elements(io.BytesIO(data.encode()))]
        assert found == [each for each in values if isinstance(each, list | dict)]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container in `value` with each key in it."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(inner, dict | list):
            yield from places(inner)


@pytest.mark.parametrize("program", FILES)
@settings(max_examples=examples(150), deadline=None)
@given(data=st.data())
def test_any_value_in_any_place_is_read_or_refused(program: str, data: st.DataObject) -> None:
    content = [FILES[program]()]
    container, key = data.draw(st.sampled_from(list(places(content))))
    container[key] = data.draw(VALUES)
    with suppress(BadRequest):
        check(*content)
