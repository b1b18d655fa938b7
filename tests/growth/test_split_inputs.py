"""What arrives in pieces or in many items takes time in proportion to it, however it is split."""

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import pytest
from django.test import override_settings
from selectolax.lexbor import LexborHTMLParser

from chat.conversations import program_chats
from chat.conversations.prompt import PromptMessage, fit_to_window, whole_prompt
from chat.conversations.tree import leaves, newest_leaf, path_to, subtree, versions
from chat.documents.reader import anchors
from chat.errors import AnswerTooLong, BadRequest
from chat.lib.pictures.picture_format import picture_format
from chat.lib.pictures.picture_metadata import without_metadata
from chat.lib.pictures.picture_parts import PNG
from chat.lib.sse import EventTooLong, SseDecoder
from chat.lib.text_buffer import TextBuffer
from chat.upstream.decoding.normalizer import Normalizer
from chat.upstream.decoding.stream_decoding import last_steps, steps
from chat.upstream.decoding.whole_messages import WholeText
from chat.upstream.stop_sequences import StopSequenceFilter
from chat.upstream.think_tags import ThinkSplitter
from chat.web.api.chat_messages import prompt_messages
from chat.web.api.chat_request import ChatRequest
from chat.web.api.request_tools import OfferedTools
from chat.web.api.responses.input_items import input_messages
from chat.web.api.responses.responses_request import ResponsesRequest
from chat.web.http.json_body import read_json
from project.asgi.guards.form_counter import MULTIPART, counter_for
from tests.support.growth import assert_linear


def decoded(chunks: Iterable[bytes]) -> None:
    decoder, normaliser = SseDecoder(), Normalizer()
    with suppress(AnswerTooLong, EventTooLong):
        for chunk in chunks:
            list(steps(decoder, normaliser, chunk))
        list(last_steps(decoder, normaliser))


CHUNKS: dict[str, Callable[[int], list[bytes]]] = {
    "bytes of a line": lambda size: [b"d"] * size,
    "bytes of data": lambda size: [b"data: ", *[b"x"] * size],
    "line ends": lambda size: [b"\n"] * size,
    "returns": lambda size: [b"\r"] * size,
    "many lines": lambda size: [b"data: x\n"] * size,
    "one chunk of returns": lambda size: [b"\r" * size],
    "one chunk of objects": lambda size: [b"data: " + b'{"response":"a"}\ndata: ' * size],
    "tokens": lambda size: [b'data: {"response":"a"}\n\n'] * size,
    "halves": lambda size: [rb'data: {"response":"\ud83d"}' + b"\n\n"] * size,
    "messages": lambda size: [b'data: {"choices":[{"message":{"content":"a"}}]}\n\n'] * size,
    "escapes": lambda size: [b'data: {"response":"' + rb"\ud83d" * size + b'"}\n\n'],
    "usage": lambda size: [b'data: {"response":"","usage":{"prompt_tokens":1}}\n\n'] * size,
    "tool calls": lambda size: (
        [b'data: {"tool_calls":[{"index":0,"function":{"name":"f","arguments":"1"}}]}\n\n'] * size
    ),
    "brackets": lambda size: [b"data: " + b"[" * size + b"\n\n"],
}


@pytest.mark.parametrize("make", CHUNKS.values(), ids=CHUNKS.keys())
def test_a_stream_takes_linear_time(make: Callable[[int], list[bytes]]) -> None:
    assert_linear(decoded, make)


def said(pieces: list[str]) -> None:
    splitter, buffer, whole = ThinkSplitter(starts_open=True), TextBuffer(), WholeText()
    for each in pieces:
        splitter.feed(each)
        buffer.append(each)
        whole.added_text(each)
    splitter.finish(has_ended=True)
    str(buffer)


@pytest.mark.parametrize("piece", ["a", "<", "<think>", "</think", "\n", "`</think>`", "```\n"])
def test_pieces_of_an_answer_take_linear_time(piece: str) -> None:
    assert_linear(said, lambda size: [piece] * size)
    assert_linear(said, lambda size: [piece * size])


@pytest.mark.parametrize("end", ["b", "ab", "c"])
def test_long_stop_sequences_take_linear_time(end: str) -> None:
    """A program chooses the sequences, and may have the model repeat their beginning."""

    def cut(size: int) -> None:
        stops = StopSequenceFilter(("a" * size + "b", "ab" * (size // 2) + "b"))
        for piece in [*["a"] * size, "c", "a" * size + end, *["ab"] * size]:
            stops.feed(piece)

    assert_linear(cut, lambda size: size)


class Node:
    def __init__(self, pk: int, parent_id: int | None) -> None:
        self.pk, self.parent_id, self.role = pk, parent_id, ("user", "assistant")[pk % 2]


TREES: dict[str, Callable[[int], list[Node]]] = {
    "chain": lambda size: [Node(at, at - 1 or None) for at in range(1, size)],
    "siblings": lambda size: [Node(at, None) for at in range(1, size)],
    "star": lambda size: [Node(1, None), *(Node(at, 1) for at in range(2, size))],
}


@pytest.mark.parametrize("make", TREES.values(), ids=TREES.keys())
def test_a_tree_of_messages_takes_linear_time(make: Callable[[int], list[Node]]) -> None:
    def walk(nodes: list[Node]) -> None:
        path_to(newest_leaf(nodes), nodes)
        leaves(nodes)
        subtree(1, nodes)
        versions(nodes)

    assert_linear(walk, make)


def items(kind: dict[str, Any]) -> Callable[[int], bytes]:
    return lambda size: json.dumps({"model": "x", "input": [kind] * size}).encode()


def messages(*kinds: dict[str, Any]) -> Callable[[int], bytes]:
    end = {"role": "user", "content": "a"}
    return lambda size: json.dumps({"model": "x", "messages": [*kinds * size, end]}).encode()


CALL = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
BODIES: dict[str, tuple[type[Any], Callable[[int], bytes]]] = {
    "input": (ResponsesRequest, items({"role": "user", "content": "a"})),
    "calls": (ResponsesRequest, items({"type": "function_call", "name": "f", "call_id": "1"})),
    "results": (
        ResponsesRequest,
        items({"type": "function_call_output", "call_id": "1", "output": "a"}),
    ),
    "parts": (ResponsesRequest, items({"role": "user", "content": [{"text": "a"}] * 3})),
    "messages": (ChatRequest, messages({"role": "user", "content": "a"})),
    "systems": (ChatRequest, messages({"role": "system", "content": "a"})),
    "tools": (
        ChatRequest,
        messages(
            {"role": "user", "content": "a"},
            {"role": "assistant", "tool_calls": [CALL] * 3},
            {"role": "tool", "tool_call_id": "1", "content": "a"},
        ),
    ),
    "empty answers": (
        ChatRequest,
        messages({"role": "user", "content": "a"}, {"role": "assistant", "content": ""}),
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_request_of_many_items_takes_linear_time(name: str) -> None:
    shape, make = BODIES[name]

    def read(body: bytes) -> None:
        asked = read_json(body, shape)
        if shape is ResponsesRequest:
            found = input_messages("", asked.items, OfferedTools())
        else:
            found = prompt_messages(asked.messages)
        program_chats.turns_of(found)
        whole_prompt(found)
        fit_to_window(found, 10**9, 100)

    with override_settings(MAX_CONVERSATION_MESSAGES=10**9):
        assert_linear(read, make)


def test_a_prompt_that_does_not_fit_takes_linear_time() -> None:
    def fit(said: list[PromptMessage]) -> None:
        fit_to_window(said, 3 * len(said), 1)

    assert_linear(fit, lambda size: [PromptMessage("assistant", "a")] * size)


PICTURES: dict[str, Callable[[int], bytes]] = {
    "jpeg markers": lambda size: b"\xff\xd8" + b"\xff\x01" * size + b"\xff\xd9",
    "jpeg fill": lambda size: b"\xff\xd8" + b"\xff" * size + b"\xff\xd9",
    "jpeg comments": lambda size: b"\xff\xd8" + b"\xff\xfe\0\2" * size + b"\xff\xda\0\2\xff\xd9",
    "jpeg scans": lambda size: b"\xff\xd8" + b"\xff\xda\0\2" * size + b"\xff\xd9",
    "jpeg data": lambda size: b"\xff\xd8\xff\xda\0\2" + b"\xff\0a" * size + b"\xff\xd9",
    "jpeg fill in data": lambda size: b"\xff\xd8\xff\xda\0\2" + b"\xff" * size + b"\xff\xd9",
    "jpeg ends": lambda size: b"\xff\xd8\xff\xda\0\2" + b"\xff\xd9" * size,
    "jpeg starts": lambda size: b"\xff\xd8\xff" * size + b"\xff\xd9",
    "png chunks": lambda size: PNG + b"\0\0\0\0aaaa\0\0\0\0" * size,
    "webp chunks": lambda size: (
        b"RIFF" + (4 + 8 * size).to_bytes(4, "little") + b"WEBP" + b"AAAA\0\0\0\0" * size
    ),
    "exif": lambda size: (
        b"\xff\xd8\xff\xe1\xff\xffExif\0\0MM\0\x2a\0\0\0\x08\xff\xff" + b"\1" * size
    ),
}


@pytest.mark.parametrize("make", PICTURES.values(), ids=PICTURES.keys())
def test_a_picture_takes_linear_time(make: Callable[[int], bytes]) -> None:
    def read(content: bytes) -> None:
        picture_format(content)
        with suppress(BadRequest):
            without_metadata(content)

    assert_linear(read, make)


@pytest.mark.parametrize("piece", ["<h1><div>", "<h1><b></b><div>"])
def test_headings_in_headings_take_linear_time(piece: str) -> None:
    def mark(html: str) -> None:
        anchors.mark(LexborHTMLParser(html).css_first("main"))

    assert_linear(mark, lambda size: "<main>" + piece * size)


@pytest.mark.parametrize("piece", [b"-", b"--x", b"\r\n--x\r\n", b"a"])
def test_a_form_in_many_pieces_takes_linear_time(piece: bytes) -> None:
    scope: Any = {"headers": [(b"content-type", MULTIPART + b"; boundary=x")]}

    def count(pieces: list[bytes]) -> None:
        counter = counter_for(scope)
        assert counter
        for each in pieces:
            counter.add(each)

    assert_linear(count, lambda size: [piece] * size)
