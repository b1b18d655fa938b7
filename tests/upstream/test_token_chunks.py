"""The fast token decoder agrees with the general one, and is used for plain tokens."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.errors import AnswerTooLong
from chat.lib.sse import Event, SseDecoder
from chat.upstream.decoding.normalizer import Normalizer
from chat.upstream.decoding.token_chunks import texts_of, token_chunk
from tests.support.upstream.captured_streams import CapturedStream, captured
from tests.support.variants import examples

STREAMS = [*captured("workers_ai_streams.jsonl"), *captured("provider_streams.jsonl")]
USAGE = {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}
HEAD = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def outcome(events: list[Event], *, fast: bool) -> object:
    """Return the results of a normalizer for `events`, step by step."""
    normaliser, seen = Normalizer(), []
    try:
        for event in events:
            pieces = normaliser.feed_token(event) if fast else None
            if pieces is None:
                pieces = [piece for step in normaliser.feed(event) for piece in step]
            seen.append(pieces)
    except AnswerTooLong:
        seen.append("too long")
    state = (normaliser.done, normaliser.refusal, normaliser.malformed, normaliser.unknown)
    return seen, normaliser.finished(), state


@pytest.mark.parametrize("stream", STREAMS, ids=[each.name for each in STREAMS])
def test_both_decoders_agree_on_captured_streams(stream: CapturedStream) -> None:
    events = SseDecoder().feed(stream.raw)
    assert outcome(events, fast=True) == outcome(events, fast=False)


texts = st.one_of(st.text(max_size=5), st.sampled_from(["", "\0", "\ud83d", "\ude00", "[DONE]"]))
odd = st.one_of(
    texts, st.none(), st.booleans(), st.integers(), st.floats(), st.just([]), st.just({}),
    st.lists(st.none(), max_size=2), st.just([{"text": "part"}]),
)  # fmt: skip
maybe_odd = st.one_of(texts, texts, texts, odd)
deltas = st.fixed_dictionaries(
    {},
    optional={
        "content": maybe_odd,
        "role": odd,
        "reasoning_content": maybe_odd,
        "reasoning": maybe_odd,
        "refusal": st.one_of(st.none(), odd),
        "tool_calls": st.one_of(st.just([]), st.just([{"index": 0, "id": "t"}]), odd),
    },
)
choices = st.fixed_dictionaries(
    {},
    optional={
        "index": odd,
        "delta": st.one_of(deltas, deltas, odd),
        "message": st.one_of(deltas, odd),
        "finish_reason": st.sampled_from([None, "stop", "error", 1]),
        "logprobs": odd,
        "stop_reason": odd,
    },
)
usages = st.fixed_dictionaries(
    {}, optional=dict.fromkeys((*USAGE, "neurons", "cached_tokens"), odd)
)
chunks = st.fixed_dictionaries(
    {},
    optional={
        "response": maybe_odd,
        "p": st.text(max_size=3),
        "choices": st.one_of(st.lists(choices, max_size=2), odd),
        "tool_calls": st.one_of(st.just([]), odd),
        "usage": st.one_of(usages, st.just(USAGE), odd),
        "finish_reason": st.sampled_from([None, "stop", ""]),
        "id": odd,
        "model": odd,
        "type": st.sampled_from(["response.output_text.delta", "error", None]),
        "error": odd,
        "errors": odd,
        "result": odd,
        "success": st.booleans(),
        "code": odd,
        "streamed_data": odd,
        "x": odd,
    },
)
tokens = st.one_of(
    st.fixed_dictionaries({"response": texts}, optional={"p": texts, "usage": usages}),
    texts.map(lambda text: {**HEAD, "choices": [{"index": 0, "delta": {"content": text}}]}),
)
names = st.sampled_from(["message", "message", "message", "error", "x"])
data = st.one_of(
    st.one_of(tokens, tokens, chunks).map(json.dumps),
    st.sampled_from(
        [
            "[DONE]",
            " ",
            "null",
            '{"response":"a"} ',
            '\u00a0{"response":"a"}',
            '{"response":"a","response":7}',
            '{"response":7,"response":"a"}',
            '{"response":"\\ud83d"}',
            '{"response":"\\ude00"}',
            '{"response":"a"}\n{"response":"b"}',
            '{"response":007}',
            '{"response":NaN}',
            '{"response":"cut',
        ]
    ),
)


@given(st.lists(st.builds(Event, data, names), max_size=6))
@settings(max_examples=examples(400), deadline=None)
def test_both_decoders_agree_on_random_streams(events: list[Event]) -> None:
    assert outcome(events, fast=True) == outcome(events, fast=False)


@pytest.mark.parametrize(
    "token",
    [
        {"response": "a"},
        {"response": "a", "p": "abc"},
        {"response": "a", "tool_calls": [], "p": "abc", "usage": USAGE},
        {"choices": [{"index": 0, "delta": {"content": "a"}}], "response": "a"},
        {
            **HEAD,
            "choices": [
                {"index": 0, "delta": {"content": "a", "role": "x"}, "finish_reason": None}
            ],
            "usage": None,
        },
        {
            **HEAD,
            "p": "abc",
            "choices": [
                {
                    "delta": {"content": "a", "reasoning_content": None},
                    "finish_reason": None,
                    "logprobs": None,
                    "matched_stop": None,
                }
            ],
            "usage": {**USAGE, "neurons": 0.5},
        },
    ],
)
def test_plain_tokens_use_the_fast_decoder(token: dict[str, Any]) -> None:
    found = token_chunk(json.dumps(token))
    assert found is not None
    assert texts_of(found) == ("", "a")


@pytest.mark.parametrize(
    "other",
    [
        {"p": "abc"},
        {"usage": USAGE},
        {"response": "a", "error": "x"},
        {"response": "a", "message": "x"},
        {"response": "a", "success": False},
        {"response": "a", "finish_reason": "stop"},
        {"response": 7},
        {"response": "a", "tool_calls": [{}]},
        {"choices": []},
        {"choices": [{"delta": {"content": "a"}}, {"delta": {}}]},
        {"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]},
        {"choices": [{"delta": {"content": [{"text": "a"}]}}]},
    ],
)
def test_everything_else_uses_the_general_decoder(other: dict[str, Any]) -> None:
    assert token_chunk(json.dumps(other)) is None
