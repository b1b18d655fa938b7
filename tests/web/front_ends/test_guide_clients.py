"""The resuming clients of docs/front_ends.md, in Node, report when they cannot resume."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.front_ends import PAGE, bundled
from tests.support.browser.guides import block, node
from tests.support.patience import PATIENCE_SECONDS
from tests.support.upstream.raw_upstream import (
    EVENT_STREAM,
    RawUpstream,
    chunk,
    plain,
    raw_upstream,
)

RUN = """
import { ask } from "./client.js";

const heard = { text: "", error: "" };
const messages = [{ role: "user", content: "Hello" }];
try {
  await ask(process.argv[2], messages, (text) => (heard.text += text));
} catch (error) {
  heard.error = error.message;
}
console.log(JSON.stringify(heard));
"""
BEGINNING = EVENT_STREAM + chunk(b'retry: 1000\nid: t.1\ndata: {"response":"Well"}\n\n')
REST = EVENT_STREAM + chunk(b'id: t.2\ndata: {"response":" then"}\n\nid: t.3\ndata: [DONE]\n\n')
GONE = b"HTTP/1.1 204 No Content\r\n\r\n"
BUSY = plain(503, b'{"error":{"code":"overloaded","message":"Try again later.","retryable":true}}')
BAD_GATEWAY = plain(502, b"<h1>Bad gateway</h1>", "text/html")
NO_CONNECTION = b""

Heard = dict[str, str]
Client = Callable[..., Any]


@pytest.fixture(scope="module", params=["fetch.js", "eventsource-parser.js"])
def script(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Bundle one of the guide's clients as websites do."""
    source = block("js", f"// {request.param}", PAGE)
    path = tmp_path_factory.mktemp("client") / "client.mjs"
    path.write_bytes(bundled(("client.js", source), entry=RUN))
    return path


async def heard_from(script: Path, *answers: bytes) -> tuple[Heard, RawUpstream]:
    """Run the client with a server that gives these responses in turn, each on a new connection."""
    left = list(answers)

    async def hang_up(request: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(left.pop(0))
        await writer.drain()
        writer.close()

    async with raw_upstream(hang_up) as server:
        address = server.url.removesuffix("/client/v4")
        process = await asyncio.create_subprocess_exec(
            node(), str(script), address, stdout=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(PATIENCE_SECONDS):
            output, _ = await process.communicate()
    assert left == []
    return json.loads(output), server


async def test_the_client_resumes_after_the_server_was_unreachable(script: Path) -> None:
    heard, server = await heard_from(script, BEGINNING, NO_CONNECTION, BAD_GATEWAY, REST)
    assert heard == {"text": "Well then", "error": ""}
    assert b"last-event-id" not in server.requests[0].lower()
    assert all(b"last-event-id: t.1\r\n" in each.lower() for each in server.requests[1:])


async def test_the_client_reports_that_the_answer_is_gone(script: Path) -> None:
    heard, _ = await heard_from(script, BEGINNING, GONE)
    assert heard == {"text": "Well", "error": "The answer is no longer there"}


async def test_the_client_reports_why_it_was_refused(script: Path) -> None:
    for answers in ([BUSY], [BEGINNING, BUSY]):
        heard, _ = await heard_from(script, *answers)
        assert heard["error"] == "Try again later."


async def test_the_client_sends_no_second_request_if_nothing_arrived(script: Path) -> None:
    heard, _ = await heard_from(script, NO_CONNECTION)
    assert heard["error"]
