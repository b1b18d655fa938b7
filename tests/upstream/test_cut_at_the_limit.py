"""An answer as long as was allowed says so, also where the model's side gives no reason."""

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
async def test_a_native_answer_of_all_allowed_tokens_ends_by_length(
    tokens: int, reason: str | None
) -> None:
    async with raw_upstream(in_turn(native(tokens))) as raw, upstream_at(raw.url) as upstream:
        heard = await hear(upstream, question(max_tokens=8))
    assert heard.finished
    assert heard.finished.finish_reason == reason


async def test_the_reason_that_was_given_is_kept() -> None:
    stopped = b'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}],'
    usage = b'"usage":{"prompt_tokens":1,"completion_tokens":99,"total_tokens":100}}\n\n'
    stream = stream_of(stopped + usage, b"data: [DONE]\n\n")
    async with raw_upstream(in_turn(stream)) as raw, upstream_at(raw.url) as upstream:
        heard = await hear(upstream, question(max_tokens=8))
    assert heard.finished
    assert heard.finished.finish_reason == "stop"
