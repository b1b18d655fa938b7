"""Make streams of providers at random, and check that nothing of them is lost."""

import json
from random import Random
from typing import Any, NamedTuple

import msgspec

from chat.lib.sse import SseDecoder
from chat.upstream.decoding.normalizer import Normalizer
from chat.upstream.decoding.stream_decoding import last_steps, steps
from chat.upstream.errors import error_for
from chat.upstream.events import Finished, Piece, Reasoning, Text, ToolCallPiece
from tests.support.upstream.tool_call_dialects import Calls, call_stream, cut, part


class Chunk(NamedTuple):
    """An event, and what it says."""

    lines: str
    text: str = ""
    reasoning: str = ""


class Answer(NamedTuple):
    text: str
    reasoning: str
    calls: Calls


def data(value: Any) -> str:
    return f"data: {json.dumps(value)}\n\n"


def choice(delta: Any, **more: Any) -> Any:
    return {"choices": [{"index": 0, "delta": delta, **more}]}


def text_chunks(text: str) -> list[Any]:
    """Return the chunks that say `text`, in each dialect."""
    return [
        {"response": text},
        {"response": text, "p": "abc", "usage": {"prompt_tokens": 1, "completion_tokens": 1}},
        {"response": text, **choice({"content": text})},
        {"result": {"response": text}, "success": True, "errors": [], "messages": []},
        {"streamed_data": [{"response": ""}, {"response": text}]},
        {"type": "response.output_text.delta", "delta": text},
        choice({"content": text}),
        choice({"content": text, "role": "assistant", "tool_calls": None, "reasoning": ""}),
        choice({"content": text, "x": 1}, finish_reason=None, logprobs=None, stop_reason=None),
        choice({"content": text}, logprobs={"content": [{"token": text, "logprob": -1}]}),
        choice({"content": [{"type": "text", "text": text}]}),
        choice({"content": [{"type": "text", "text": text}, {"type": "reference", "ids": [1]}]}),
        choice({"content": {"type": "output_text", "text": text}}, finish_reason="null"),
        choice({"content": "", "refusal": text}),
        choice({"content": text}, logprobs={"content": [{"token": text, "logprob": -1}]}),
        {"choices": [{"delta": {"content": text}}], "usage": "odd", "object": 7, "error": None},
    ]


def reasoning_chunks(text: str) -> list[Any]:
    part = {"type": "text", "text": text}
    return [
        choice({"reasoning_content": text}),
        choice({"reasoning_content": text, "content": None, "role": "assistant"}),
        choice(
            {"reasoning": text, "reasoning_details": [{"type": "reasoning.text", "text": text}]}
        ),
        choice({"reasoning_details": [{"type": "reasoning.summary", "summary": text}]}),
        choice({"reasoning_text": text}),
        choice({"thinking": {"type": "thinking", "thinking": text}}),
        choice({"content": [{"type": "thinking", "thinking": [part]}]}),
        choice({"content": [{"type": "reasoning", "summary": [part]}]}),
        {"type": "response.reasoning_text.delta", "delta": text},
    ]


def calls_chunks(pieces: list[Any]) -> list[Any]:
    return [
        {"tool_calls": pieces},
        choice({"tool_calls": pieces}),
        choice({"tool_calls": pieces, "content": ""}),
    ]


#: What says nothing.
NOISE = [
    ": comment\n\n", ":\n", "event: ping\n", "id: 7\n", "retry: 10\n\n", "data\n\n", "data: \n\n", "data: null\n\n",
    "data: 7\n\n", "data: [1]\n\n", 'data: "x"\n\n', "data: {\n\n", "data: no JSON\n\n",
    *map(data, [
        {}, {"x": [{}]}, {"choices": []}, {"choices": [None]}, {"choices": {"0": {}}}, {"response": None},
        {"choices": [{"index": 1, "delta": {"content": "of another answer"}}]},
        {"choices": [{"delta": 7}]}, {"choices": [{"delta": {"content": None, "role": 5}}]},
        choice({"tool_calls": []}), choice({"tool_calls": [None, 7, {}]}), choice({}, usage=[]),
        {"usage": {"prompt_tokens": "x", "completion_tokens": -1}}, {"usage": "lots"},
        {"type": "response.created", "response": {"output": []}}, {"type": "response.output_item.added"},
        choice({"content": []}), choice({"content": [{"type": "image", "text": "x"}]}),
    ]),
]  # fmt: skip
REASONS = [
    "stop", "length", "tool_calls", "content_filter", "MAX_TOKENS", "eos", "end_turn", {"type": "stop"},
]  # fmt: skip
FAILURES = [
    choice({}, finish_reason="abort"), choice({}, finish_reason="of next year"), {"error": "x"},
    {"error": {"code": 3043, "message": "x"}}, {"errors": [{"code": 1}]}, {"type": "response.failed"},
]  # fmt: skip
WORDS = [
    "",
    "a",
    "é",
    "漢",
    "😀",
    " ",
    "\n",
    '"',
    "\\",
    "<",
    "`",
    "{",
    "[",
    "]",
    ":",
    "0",
    "A word. ",
]


def said(random: Random, kind: str) -> list[Chunk]:
    """Return the chunks of a text or of reasoning, cut anywhere."""
    text = "A" + "".join(random.choices(WORDS, k=random.randint(0, 12)))
    found = []
    for piece in cut(random, text):
        shapes = text_chunks(piece) if kind == "text" else reasoning_chunks(piece)
        found.append(Chunk(data(random.choice(shapes)), **{kind: piece}))
    return found


def merged(random: Random, *queues: list[Chunk]) -> list[Chunk]:
    """Return the chunks of all queues, each in its order."""
    left = [list(queue) for queue in queues]
    found = []
    while left := [each for each in left if each]:
        found.append(random.choice(left).pop(0))
    return found


def joined(chunks: list[Chunk], kind: str) -> str:
    text = "".join(getattr(each, kind) for each in chunks)
    return text.encode("utf-16", "surrogatepass").decode("utf-16")


def read(chunks: list[Chunk], size: int) -> tuple[list[Piece], Finished, Normalizer]:
    """Read the bytes in pieces of this size."""
    raw = "".join(each.lines for each in chunks).encode()
    decoder, normaliser, pieces = SseDecoder(), Normalizer(), list[Piece]()
    for at in range(0, len(raw), size):
        for found, _units in steps(decoder, normaliser, raw[at : at + size]):
            pieces += found
    for found, _units in last_steps(decoder, normaliser):
        pieces += found
    held, finished = normaliser.finished()
    return [*pieces, *held], finished, normaliser


def answer_of(pieces: list[Piece], finished: Finished) -> Answer:
    """Return the answer; what was relayed of tool calls is the same as at the end."""
    relayed: dict[int, list[str]] = {}
    for each in pieces:
        each.text.encode()  # so that it can be stored and sent
        assert "\0" not in each.text
        if isinstance(each, ToolCallPiece):
            parts = relayed.setdefault(each.index, [each.name, ""])
            parts[1] += each.arguments
    msgspec.json.encode(finished.tool_calls)
    calls = {each.index: (each.name, each.arguments) for each in finished.tool_calls}
    assert {index: tuple(parts) for index, parts in relayed.items()} == calls
    text = "".join(each.text for each in pieces if isinstance(each, Text))
    reasoning = "".join(each.text for each in pieces if isinstance(each, Reasoning))
    return Answer(text, reasoning, list(calls.values()))


#: Fields that any part of a chunk may have, in any place.
FIELDS = [
    "response", "choices", "delta", "message", "content", "text", "type", "refusal", "reasoning",
    "reasoning_content", "reasoning_details", "thinking", "summary", "tool_calls", "function", "name",
    "arguments", "id", "index", "extra_content", "usage", "prompt_tokens", "neurons", "x_groq",
    "finish_reason", "native_finish_reason", "streamed_data", "result", "success", "error", "errors",
    "code", "object", "detail", "incomplete_details", "logprobs", "token", "logprob", "bytes",
    "top_logprobs",
]  # fmt: skip
ODD: list[Any] = [
    None, True, False, 0, -1, 7, 1.5, 1e308, 10**40, "", "x", "\0", "\ud83d", "\ude00", "stop", "abort", "error",
    "text", "thinking", "response.output_text.delta", "response.completed", "<think>", "{", "[DONE]", [], {},
]  # fmt: skip
NO_JSON = [
    "{", '{"response":"cut', '{"response":007}', '{"response":NaN}', '{"a":1}x', "[" * 2000, '{"response":"\\ud83d"}',
    '{"response":1,"response":"2"}', '{"response":"x"}\ndata: {"response":"y"}', "\x00", "\ufeff{}", "[DONE] ",
]  # fmt: skip


def odd_value(random: Random, depth: int = 4) -> Any:
    kind = random.random()
    if not depth or kind < 0.4:
        return random.choice(ODD)
    if kind < 0.6:
        return [odd_value(random, depth - 1) for _ in range(random.randint(0, 2))]
    names = random.choices(FIELDS, k=random.randint(1, 4))
    return {name: odd_value(random, depth - 1) for name in names}


def odd_chunk(random: Random) -> str:
    """Return an event that nobody understands, or only half."""
    kind = random.random()
    if kind < 0.2:
        return f"data: {random.choice(NO_JSON)}\n\n"
    if kind < 0.4:
        return random.choice(NOISE)
    known = random.choice(
        [*text_chunks("x"), *reasoning_chunks("x"), *calls_chunks([part("{}", "f")])]
    )
    if kind < 0.7:
        changed(random, known)
        return data(known)
    return data(odd_value(random))


def changed(random: Random, value: Any) -> None:
    """Put an odd value somewhere into `value`."""
    while value:
        key = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if not isinstance(value[key], dict | list) or random.random() < 0.3:
            value[key] = odd_value(random, 2)
            return
        value = value[key]


def check_loss(random: Random) -> None:
    """Read a stream with nonsense between words, of which none is lost."""
    decoder, pieces = SseDecoder(), list[Piece]()
    normaliser = Normalizer(has_log_probs=random.random() < 0.2)
    arrived = []
    for number in range(random.randint(1, 12)):
        lines = odd_chunk(random)
        if random.random() < 0.5:
            word = f"word{number};"
            shapes = text_chunks(word) if random.random() < 0.5 else reasoning_chunks(word)
            lines = "\n\n" + data(random.choice(shapes))
            arrived += [] if normaliser.done or normaliser.refusal else [word]
        for found, _units in steps(decoder, normaliser, lines.encode()):
            pieces += found
    for found, _units in last_steps(decoder, normaliser):
        pieces += found
    held, finished = normaliser.finished()
    answer = answer_of([*pieces, *held], finished)
    for word in arrived:
        assert word in answer.text or word in answer.reasoning, word
    if normaliser.refusal:
        error_for(normaliser.refusal)


def answer_in_pieces(random: Random) -> tuple[list[Chunk], Calls]:
    """Return a stream with text, reasoning and calls in any order, and the calls."""
    expected, pieces = call_stream(random) if random.random() < 0.7 else ([], [])
    calls = [Chunk(data(random.choice(calls_chunks(each)))) for each in pieces]
    noise = [Chunk(each) for each in random.sample(NOISE, random.randint(0, 4))]
    texts, thoughts = said(random, "text"), said(random, "reasoning")
    return merged(random, texts, thoughts, calls, noise), expected


def check_exactly(random: Random) -> None:
    """Read a stream whose meaning is known."""
    chunks, expected = answer_in_pieces(random)
    reasons = random.sample(REASONS, random.randint(0, 1))
    ends = [Chunk(data(choice({}, finish_reason=each))) for each in reasons]
    chunks = merged(random, chunks, ends)
    last = random.choice(["", "data: [DONE]\n\n", *map(data, FAILURES)])
    pieces, finished, normaliser = read([*chunks, Chunk("\n" + last)], random.randint(1, 400))
    answer = answer_of(pieces, finished)
    assert answer.text == joined(chunks, "text")
    assert answer.reasoning == joined(chunks, "reasoning")
    assert sorted(answer.calls) == sorted(expected)
    if normaliser.refusal:
        error_for(normaliser.refusal)
    else:
        assert finished.complete == bool(ends or last)
