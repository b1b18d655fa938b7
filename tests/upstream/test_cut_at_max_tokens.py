"""An answer that used all of `max_tokens` has the finish reason `length`, even if none was sent."""

import json

import pytest

from tests.support.upstream.raw_upstream import in_turn, raw_upstream, stream_of
from tests.support.upstream.upstream_requests import hear, question, upstream_at


def native(completion_tokens: int) -> bytes:
    usage = {"prompt_tokens": 3, "completion_tokens": completion_tokens, "total_tokens": 0}
    tail = json.dumps({"response": "", "usage": usage}).encode()
    return stream_of(
        b'data: {"response":"So far"}\n\n', b"data: " + tail + b"\n\n", b"data: [DONE]\n\n"
    )


@pytest.mark.parametrize(("tokens", "reason"), [(7, None), (8, "length"), (9, "length")])
async def test_a_native_answer_that_used_all_tokens_has_the_reason_length(
    tokens: int, reason: str | None
) -> None:
    async with raw_upstream(in_turn(native(tokens))) as raw, upstream_at(raw.url) as upstream:
        heard = await hear(upstream, question(max_tokens=8))
    assert heard.finished
    assert heard.finished.finish_reason == reason


async def test_a_reported_reason_is_kept() -> None:
    stopped = b'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}],'
    usage = b'"usage":{"prompt_tokens":1,"completion_tokens":99,"total_tokens":100}}\n\n'
    stream = stream_of(stopped + usage, b"data: [DONE]\n\n")
    async with raw_upstream(in_turn(stream)) as raw, upstream_at(raw.url) as upstream:
        heard = await hear(upstream, question(max_tokens=8))
    assert heard.finished
    assert heard.finished.finish_reason == "stop"
