"""Failures of the provider over real sockets, and the errors they become."""

from dataclasses import replace

import pytest

from chat.errors import (
    AllocationExhausted,
    ChatError,
    NotConfigured,
    UpstreamDisconnected,
    UpstreamError,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from tests.support.upstream.raw_upstream import (
    EVENT_STREAM,
    Handler,
    always,
    chunk,
    plain,
    raw_upstream,
    stream_of,
)
from tests.support.upstream.upstream_failures import envelope, writes
from tests.support.upstream.upstream_requests import TIMEOUTS, Heard, hear, question, upstream_at

SAID = b'data: {"response":"So far"}\n\n'
SOON_SECONDS = 0.5
HTML = plain(502, b"<html><h1>Bad gateway</h1></html>", "text/html")


async def failure(handler: Handler, heard: Heard | None = None, **limits: float) -> ChatError:
    """Return the error of an answer; `limits` are those of `Timeouts` that may be reached."""
    limited = replace(TIMEOUTS, **limits)
    async with raw_upstream(handler) as raw, upstream_at(raw.url, limited) as upstream:
        with pytest.raises(ChatError) as caught:
            async for event in upstream.ask(question()):
                if heard:
                    heard.events.append(event)
    return caught.value


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (plain(401, envelope(10000)), NotConfigured),
        (plain(429, envelope(4006, "daily free allocation")), AllocationExhausted),
        (HTML, UpstreamError),
        (plain(200, b"<html>", "text/html"), UpstreamDisconnected),
        (plain(200, envelope(10000)), NotConfigured),
        (b"HTTP/1.1 999999 nonsense\r\n\r\n", UpstreamDisconnected),
        (b"\x00\x01\x02 not http at all\r\n\r\n", UpstreamDisconnected),
    ],
)
async def test_an_error_response_becomes_its_error(answer: bytes, kind: type[ChatError]) -> None:
    assert type(await failure(writes(answer, then_close=True))) is kind


async def test_silence_before_the_first_byte_times_out() -> None:
    assert isinstance(await failure(writes(), first_byte=SOON_SECONDS), UpstreamTimeout)


async def test_silence_after_the_headers_times_out() -> None:
    assert isinstance(await failure(writes(EVENT_STREAM), first_byte=SOON_SECONDS), UpstreamTimeout)


async def test_a_stall_during_an_answer_keeps_the_text() -> None:
    heard = Heard()
    stalled = await failure(writes(EVENT_STREAM + chunk(SAID)), heard, idle=SOON_SECONDS)
    assert isinstance(stalled, UpstreamTimeout)
    assert heard.text == "So far"


async def test_comments_do_not_count_as_an_answer() -> None:
    comments = [chunk(b": still here\n\n")] * 20
    heard = Heard()
    slow = writes(EVENT_STREAM, chunk(SAID), *comments, every=0.1)
    assert isinstance(await failure(slow, heard, content=SOON_SECONDS), UpstreamTimeout)


async def test_an_endless_answer_ends_at_the_total_time_limit() -> None:
    drip = [chunk(b'data: {"response":"."}\n\n')] * 100
    heard = Heard()
    endless = await failure(writes(EVENT_STREAM, *drip, every=0.1), heard, answer=1.5)
    assert isinstance(endless, UpstreamTimeout)
    assert 0 < len(heard.text) < 30


async def test_a_reset_during_an_answer_is_a_disconnect() -> None:
    heard = Heard()
    cut = writes(EVENT_STREAM, chunk(SAID), every=0.05, then_close=True)
    assert isinstance(await failure(cut, heard), UpstreamDisconnected)
    assert heard.text == "So far"


async def test_an_illegal_chunk_header_does_not_hang() -> None:
    illegal = writes(EVENT_STREAM, chunk(SAID), b"zz\r\nwhat is this\r\n")
    assert isinstance(await failure(illegal), UpstreamDisconnected)


async def test_a_closed_port_is_unreachable() -> None:
    async with upstream_at("http://127.0.0.1:1/client/v4") as upstream:
        with pytest.raises(UpstreamUnreachable):
            await hear(upstream, retries=1)


async def test_a_stream_without_a_terminal_marker_is_not_complete() -> None:
    async with raw_upstream(always(stream_of(SAID))) as raw, upstream_at(raw.url) as upstream:
        heard = await hear(upstream)
    assert heard.text == "So far"
    assert heard.finished is not None
    assert not heard.finished.complete


async def test_an_error_never_repeats_the_providers_text() -> None:
    body = plain(400, envelope(5006, "your prompt was: my secret diary (b1c2d3e4)"))
    error = await failure(always(body))
    assert "diary" not in str(error) + error.public
    assert "id=b1c2d3e4" in error.detail


async def test_requests_contain_only_allowed_headers() -> None:
    async with raw_upstream(always(stream_of(SAID, b"data: [DONE]\n\n"))) as raw:
        async with upstream_at(raw.url) as upstream:
            await hear(upstream, question(affinity="c1"))
            await hear(upstream)
    head, _, body = raw.requests[0].partition(b"\r\n\r\n")
    names = {line.split(b":")[0].lower() for line in head.split(b"\r\n")[1:]}
    assert names == {
        b"host",
        b"accept",
        b"accept-encoding",
        b"content-type",
        b"content-length",
        b"user-agent",
        b"authorization",
        b"x-session-affinity",
    }
    assert b'"max_tokens":256' in body


async def test_cookies_of_the_provider_are_not_kept() -> None:
    setting = stream_of(b"data: [DONE]\n\n").replace(b"\r\n", b"\r\nSet-Cookie: who=me\r\n", 1)
    async with raw_upstream(always(setting)) as raw, upstream_at(raw.url) as upstream:
        await hear(upstream)
        await hear(upstream)
    assert b"who=me" not in raw.requests[1]
