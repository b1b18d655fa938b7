"""Bodies that are too long never reach Django; an upload form explains the limit on its page."""

import asyncio
import json
from typing import Any

import pytest

from project.asgi.entry_point import http, uploads
from tests.support.web.guarded_bodies import body_guard

KB = 1024


async def answer(path: str, size: int, announced: bool = True) -> dict[str, Any]:
    return (await sent_for(path, size, announced))[0]


async def sent_for(path: str, size: int, announced: bool = True) -> list[dict[str, Any]]:
    """Return the response to a POST with a limit of 1 KB, or 4 KB for uploads; 200 if all was read.

    There is an upload page and, for programs, an address without a page.
    """
    sent: list[dict[str, Any]] = []
    parts = [b"x" * min(512, size - start) for start in range(0, size, 512)]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> dict[str, Any]:
        body = parts.pop(0) if parts else b""
        return {"type": "http.request", "body": body, "more_body": bool(parts)}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-length", str(size).encode())] if announced else []
    scope: Any = {"type": "http", "path": path, "headers": headers}
    uploads = {"/upload/": 4 * KB, "/v1/upload": 4 * KB}
    guard = body_guard(app, max_bytes=KB, uploads=uploads, pages={"/upload/"})
    await guard(scope, receive, send)  # type: ignore[arg-type]
    return sent


@pytest.mark.parametrize("announced", [True, False])
async def test_only_uploads_may_be_larger(announced: bool) -> None:
    assert (await answer("/", KB, announced))["status"] == 200
    assert (await answer("/", KB + 1, announced))["status"] == 413
    for path in ("/upload/", "/v1/upload"):
        assert (await answer(path, 4 * KB, announced))["status"] == 200


@pytest.mark.parametrize("announced", [True, False])
async def test_a_too_large_upload_redirects_to_its_form(announced: bool) -> None:
    start = await answer("/upload/", 4 * KB + 1, announced)
    assert start["status"] == 303
    assert (b"location", b"/upload/?too_long") in start["headers"]


# Django leaves the file for a body that breaks off to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("announced", [True, False])
async def test_a_page_explains_that_its_form_is_too_large(
    announced: bool, transactional_db: None
) -> None:
    """A phone's photo as a picture: the answer is a page of the site in the reader's language."""
    parts = [b"x" * KB] * 4
    received = 0
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        nonlocal received
        received += 1
        if not parts:
            await asyncio.Event().wait()  # the browser waits for the answer
        return {"type": "http.request", "body": parts.pop(), "more_body": bool(parts)}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [
        (b"host", b"localhost"),
        (b"accept", b"text/html,*/*"),
        (b"accept-language", b"de"),
        (b"content-type", b"multipart/form-data; boundary=x"),
    ]
    length = [(b"content-length", b"4096")] if announced else []
    scope: Any = {"type": "http", "method": "POST", "path": "/personas/new/", "query_string": b""}
    guard = body_guard(http, max_bytes=KB)
    await guard({**scope, "headers": headers + length}, receive, send)  # type: ignore[arg-type]
    assert sent[0]["status"] == 413
    assert (b"connection", b"close") in sent[0]["headers"]
    page = b"".join(event.get("body", b"") for event in sent).decode()
    assert "<h1>Das ist zu groß für diese Website." in page
    assert received >= 4  # else a browser that still sends shows a network error


@pytest.mark.parametrize("announced", [True, False])
async def test_a_program_is_told_in_its_own_format_that_its_file_is_too_large(
    announced: bool,
) -> None:
    start, body = await sent_for("/v1/upload", 4 * KB + 1, announced)
    assert start["status"] == 413
    error = json.loads(body["body"])["error"]
    assert (error["type"], error["code"]) == ("invalid_request_error", "body_too_long")
    assert "4,096 bytes" in error["message"]
    _start, body = await sent_for("/client/v4/accounts/any/ai/run", KB + 1, announced)
    assert json.loads(body["body"])["errors"][0]["code"] == 3006


def test_files_are_sent_to_these_paths() -> None:
    assert list(uploads()) == [
        "/settings/import/",
        "/chat/documents/",
        "/collections/files/",
        "/v1/audio/transcriptions",
        "/inbound-mail/mime",
    ]
