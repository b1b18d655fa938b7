"""Retries, the fallback model and shorter prompts, only before anything was relayed."""

import json

import pytest

from chat.conversations.prompt import PromptMessage
from chat.errors import (
    AllocationExhausted,
    ContextTooLong,
    ModelRemoved,
    OutOfCapacity,
    UpstreamDisconnected,
    UpstreamError,
    UpstreamRateLimited,
)
from chat.lib.catalogue import Model
from chat.upstream import learned
from tests.support.upstream.raw_upstream import (
    EVENT_STREAM,
    Handler,
    in_turn,
    plain,
    raw_upstream,
    stream_of,
)
from tests.support.upstream.upstream_failures import envelope, writes
from tests.support.upstream.upstream_requests import MODEL, hear, question, upstream_at

GOOD = stream_of(b'data: {"response":"Good"}\n\n', b"data: [DONE]\n\n")
BUSY = plain(429, envelope(3040, "Capacity temporarily exceeded"))
GONE = plain(400, envelope(7000, "No route for that URI"))
OTHER = Model(id="@cf/test/other", context_window=8000)


async def heard_from(handler: Handler, **options: object) -> tuple[str, int, object]:
    async with raw_upstream(handler) as raw, upstream_at(raw.url) as upstream:
        try:
            heard = await hear(upstream, **options)
        except UpstreamError as error:
            return "", len(raw.requests), error
        return heard.text, len(raw.requests), heard


@pytest.mark.parametrize(
    "refusal",
    [BUSY, plain(503, b"<html>", "text/html"), plain(408, envelope(3046)), plain(429, b"{}")],
)
async def test_a_busy_model_is_retried(refusal: bytes) -> None:
    text, count, _ = await heard_from(in_turn(refusal, GOOD))
    assert (text, count) == ("Good", 2)


async def test_retries_are_limited() -> None:
    _, count, error = await heard_from(in_turn(BUSY), retries=2)
    assert count == 3
    assert isinstance(error, OutOfCapacity)


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (
            plain(429, envelope(4006, "you have used up your daily free allocation")),
            AllocationExhausted,
        ),
        (plain(429, envelope(3036)), AllocationExhausted),
        (GONE, ModelRemoved),
        (plain(429, b"{}", extra="Retry-After: 600\r\n"), UpstreamRateLimited),
    ],
)
async def test_a_permanent_refusal_is_not_retried(
    refusal: bytes, kind: type[UpstreamError]
) -> None:
    _, count, error = await heard_from(in_turn(refusal, GOOD))
    assert count == 1
    assert isinstance(error, kind)


async def test_an_error_at_the_start_of_the_stream_is_retried() -> None:
    inside = stream_of(b"data: " + envelope(3040) + b"\n\n")
    text, count, _heard = await heard_from(in_turn(inside, GOOD))
    assert (text, count) == ("Good", 2)


async def test_an_error_after_the_first_text_is_not_retried() -> None:
    inside = stream_of(b'data: {"response":"Go"}\n\n', b"data: " + envelope(3040) + b"\n\n")
    _, count, error = await heard_from(in_turn(inside, GOOD))
    assert count == 1
    assert isinstance(error, OutOfCapacity)


async def test_a_connection_lost_after_the_request_was_sent_is_not_retried() -> None:
    _, count, error = await heard_from(writes(EVENT_STREAM, then_close=True))
    assert count == 1
    assert isinstance(error, UpstreamDisconnected)


@pytest.mark.parametrize("refusal", [GONE, BUSY, plain(403, envelope(5035))])
async def test_the_fallback_model_answers_if_the_first_one_cannot(refusal: bytes) -> None:
    text, count, heard = await heard_from(in_turn(refusal, GOOD), retries=0, fallback=OTHER)
    assert (text, count) == ("Good", 2)
    (opened,) = heard.opened  # type: ignore[attr-defined]
    assert (opened.model, opened.instead_of) == (OTHER.id, MODEL.id)


async def test_with_a_fallback_a_busy_model_refuses_at_once_and_is_not_asked_again() -> None:
    async with raw_upstream(in_turn(BUSY, GOOD)) as raw, upstream_at(raw.url) as upstream:
        await hear(upstream, retries=2, fallback=OTHER)
    first, second = (json.loads(each.partition(b"\r\n\r\n")[2]) for each in raw.requests)
    assert first["options"] == {"rejectIfBusy": True}
    assert "options" not in second


async def test_a_model_at_its_own_limit_leaves_the_answer_to_the_fallback() -> None:
    async def my_turn(model: Model) -> None:
        if model.id == MODEL.id:
            raise OutOfCapacity(retry_after_seconds=40)

    text, count, _heard = await heard_from(in_turn(GOOD), fallback=OTHER, my_turn=my_turn)
    assert (text, count) == ("Good", 1)


async def test_a_prompt_that_the_provider_finds_too_long_is_shortened_once() -> None:
    words = "number of input and maximum output tokens (9000) exceeded this model context window limit (4000)"
    refusal = plain(413, envelope(5021, words))
    turns = [PromptMessage("user" if n % 2 == 0 else "assistant", "word " * 200) for n in range(21)]
    asked = question(messages=turns)
    text, count, heard = await heard_from(in_turn(refusal, GOOD), asked=asked)
    assert (text, count) == ("Good", 2)
    (opened,) = heard.opened  # type: ignore[attr-defined]
    assert opened.omitted_messages > 10
    assert learned.about(MODEL.id).window == 4000
    _, count, error = await heard_from(in_turn(refusal), asked=asked)
    assert count == 2
    assert isinstance(error, ContextTooLong)


async def test_text_mistaken_for_an_image_is_altered_and_sent_again() -> None:
    refusal = plain(400, envelope(8006, "Invalid data for image"))
    async with raw_upstream(in_turn(refusal, GOOD)) as raw, upstream_at(raw.url) as upstream:
        heard = await hear(upstream, question("see data:image/png;base64,xx"))
    assert heard.text == "Good"
    assert b"data:image" in raw.requests[0]
    assert b"data:image" not in raw.requests[1]


async def test_an_empty_document_is_requested_again_without_streaming() -> None:
    empty = plain(200, b'{"result":{},"success":true,"errors":[],"messages":[]}')
    whole = plain(200, b'{"result":{"response":"Whole"},"success":true,"errors":[]}')
    async with raw_upstream(in_turn(empty, whole)) as raw, upstream_at(raw.url) as upstream:
        heard = await hear(upstream)
    assert heard.text == "Whole"
    assert b'"stream":false' in raw.requests[1]


async def test_a_document_instead_of_a_stream_is_an_answer() -> None:
    body = b'{"result":{"choices":[{"message":{"content":"Hi","reasoning_content":"hm"}}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}},"success":true}'
    _, count, heard = await heard_from(in_turn(plain(200, body)))
    assert count == 1
    assert heard.text == "Hi"  # type: ignore[attr-defined]
    assert heard.reasoning == "hm"  # type: ignore[attr-defined]
    assert heard.finished.usage.total_tokens == 3  # type: ignore[attr-defined]
