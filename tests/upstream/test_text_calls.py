"""Calls that a model writes as text are calls, and everything else stays text."""

import json
from collections.abc import AsyncGenerator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from chat.errors import UpstreamDisconnected
from chat.upstream.events import Event, Finished, Text, ToolCallPiece
from chat.upstream.text_calls import DECIDING_CHARS, MAX_ARGUMENT_CHARS, with_text_calls

NAMES = ["search", "get_time"]
ONE = '{"name": "search", "arguments": {"query": "a \\"b\\" <tool_call> }"}}'
QUERY = {"query": 'a "b" <tool_call> }'}
CALLS = {
    "Hermes": f"<tool_call>\n{ONE}\n</tool_call>",
    "Hermes, after text": f"I'll look.\n<tool_call>\n{ONE}\n</tool_call>\n",
    "Hermes, with blanks": f"\n\n  <tool_call>{ONE}</tool_call><|im_end|>",
    "Mistral": f"[TOOL_CALLS][{ONE}]",
    "Mistral, newer": f"[TOOL_CALLS]search{json.dumps(QUERY)}",
    "Mistral, with an ID": f"[TOOL_CALLS]search[CALL_ID]a1b2[ARGS]{json.dumps(QUERY)}",
    "Llama": f"<|python_tag|>{ONE.replace('arguments', 'parameters')}<|eom_id|>",
    "Llama, bare": ONE.replace("arguments", "parameters"),
    "Llama, with a type": f'{{"type": "function", {ONE[1:]}',
    "Functionary": f"<function=search>{json.dumps(QUERY)}</function>",
    "Granite": f"<|tool_call|>[{ONE}]",
    "OpenAI's": json.dumps(
        {"function": {"name": "search", "arguments": json.dumps(QUERY)}}
    ).replace('{"function"', '<tool_call>{"function"'),
}
TEXTS = [
    "No call at all.",
    "An answer about <tool_call> in the middle of a line",
    "<tool_call>\nnot JSON\n</tool_call>",
    '<tool_call>{"name": "unknown", "arguments": {}}</tool_call>',
    '<tool_call>{"name": "search", "arguments": [1]}</tool_call>',
    '<tool_call>{"name": "search", "arguments": {"query": NaN}}</tool_call>',
    '<tool_call>{"name": "search", "arguments": {"query": 1e999}}</tool_call>',
    '<tool_call>{"name": "sear\\ud800ch", "arguments": {}}</tool_call>',
    f"<tool_call>{ONE}</tool_call>\nThat was a call.",
    '{"name": "Alice", "arguments": "none"}',
    '{"names": ["search"]}',
    "{",
    "[TOOL_CALLS]",
    "<tool_cal",
    "Rivers\n  <tool",
    "<|python_tag|>print('hello')",
    "<function=search>",
    "[" * 5000,
    "<tool_call>" + "[" * 5000,
    "<tool_call>" + '{"name": "search", "arguments": {"query": "' + "a" * MAX_ARGUMENT_CHARS,
]


async def answered(pieces: Sequence[str], end: Finished | Exception, **more: Any) -> list[Event]:
    async def events() -> AsyncGenerator[Event]:
        for each in pieces:
            yield Text(each)
        if isinstance(end, Exception):
            raise end
        yield end

    return [each async for each in with_text_calls(events(), NAMES, **({"is_json": False} | more))]


def text_of(events: Sequence[Event]) -> str:
    return "".join(each.text for each in events if isinstance(each, Text))


def in_pieces(text: str, chance: Random) -> list[str]:
    """Cut a text at random places."""
    cuts = sorted(chance.choices(range(len(text) + 1), k=min(8, len(text))))
    places = [0, *cuts, len(text)]
    return [text[a:b] for a, b in pairwise(places) if a < b]


def ways(text: str) -> list[list[str]]:
    return [[text], list(text), *(in_pieces(text, Random(seed)) for seed in range(10))]


@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS.keys())
async def test_a_call_in_any_form_is_one(text: str) -> None:
    for pieces in ways(text):
        events = await answered(pieces, Finished(True, "stop"))
        last = events[-1]
        assert isinstance(last, Finished)
        assert last.finish_reason == "tool_calls"
        (call,) = last.tool_calls
        assert (call.name, json.loads(call.arguments)) == ("search", QUERY)
        assert [each.name for each in events if isinstance(each, ToolCallPiece)] == ["search"]
        assert text_of(events).strip() == ("I'll look." if "look" in text else "")


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "search"}</tool_call>\n<tool_call>{"name": "get_time"}</tool_call>',
        '[TOOL_CALLS][{"name": "search"}, {"name": "get_time"}]',
        '<|python_tag|>{"name": "search"}; {"name": "get_time"}',
        "<function=search>{}</function>\n<function=get_time>{}</function>",
    ],
)
async def test_several_calls_are_numbered(text: str) -> None:
    last = (await answered([text], Finished(True)))[-1]
    assert isinstance(last, Finished)
    assert [(each.index, each.name, each.arguments) for each in last.tool_calls] == [
        (0, "search", "{}"),
        (1, "get_time", "{}"),
    ]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:30])
async def test_what_is_no_call_is_relayed_as_it_was_written(text: str) -> None:
    for pieces in ways(text) if len(text) < 1000 else [[text], [text[:9], text[9:]]]:
        events = await answered(pieces, Finished(True, "stop"))
        assert text_of(events) == text
        assert events[-1] == Finished(True, "stop")


@pytest.mark.parametrize(
    "end", [Finished(False), Finished(True, "length"), UpstreamDisconnected()], ids=str
)
async def test_a_call_that_may_be_cut_is_text(end: Any) -> None:
    text = CALLS["Hermes"]
    if isinstance(end, Finished):
        events = await answered([text], end)
        assert events[-1] == end
        assert text_of(events) == text
        return
    relayed = []

    async def events_until_broken() -> AsyncGenerator[Event]:
        yield Text(text)
        raise end

    with pytest.raises(UpstreamDisconnected):
        async for each in with_text_calls(events_until_broken(), NAMES, is_json=False):
            relayed.append(each)
    assert text_of(relayed) == text


@pytest.mark.parametrize(
    "arguments", [r'{"query": "half \ud83d"}', r'{"\udc00": {"a": "\ud800\u20ac"}}']
)
async def test_half_a_character_is_passed_on_as_it_was_written(arguments: str) -> None:
    text = f'<tool_call>{{"name": "search", "arguments": {arguments}}}</tool_call>'
    last = (await answered([text], Finished(True)))[-1]
    assert isinstance(last, Finished)
    (call,) = last.tool_calls
    assert call.arguments == arguments
    assert call.arguments.encode()


async def test_an_answer_in_json_is_no_call() -> None:
    text = CALLS["Llama, bare"]
    assert text_of(await answered([text], Finished(True), is_json=True)) == text


async def test_text_is_relayed_as_it_comes() -> None:
    pieces = ["Rivers", " bend", ".\n", "Why", "? Because", "\n<b>", "water", "\n", "\n- one"]
    events = await answered(pieces, Finished(True))
    assert [each.text for each in events if isinstance(each, Text)] == pieces


async def test_an_object_that_calls_nothing_is_soon_relayed_as_it_comes() -> None:
    pieces = ['{"name": "Alice", "text": "', *["Rivers bend. "] * 60, '"}']
    events = await answered(pieces, Finished(True))
    shown = [each.text for each in events if isinstance(each, Text)]
    assert "".join(shown) == "".join(pieces)
    assert len(shown) > 40
    assert len(shown[0]) < 2 * DECIDING_CHARS


async def test_a_long_call_without_a_mark_is_one() -> None:
    text = json.dumps({"name": "search", "parameters": {"query": "a" * 5000}})
    for pieces in ways(text):
        last = (await answered(pieces, Finished(True)))[-1]
        assert isinstance(last, Finished)
        assert len(last.tool_calls) == 1
