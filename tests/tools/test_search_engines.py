"""Each search engine is asked in its own way, and whatever it answers is bounded."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.test import override_settings

from chat.tools.tool import ToolFailed
from chat.tools.web.engines import MAX_EXTRACT_CHARS, MOST_RESULTS, engine_name, search
from tests.support.upstream.raw_upstream import RawUpstream, raw_upstream

RESULT = {"title": "Rivers &amp; lakes", "url": "https://rivers.example/", "text": "They bend."}


def answering(document: Any, status: str = "200 OK") -> Callable[..., Any]:
    content = document if isinstance(document, bytes) else json.dumps(document).encode()

    async def handle(_request: bytes, writer: Any) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(content)}\r\n\r\n"
        writer.write(head.encode() + content)

    return handle


def named(field: str, **more: Any) -> dict[str, Any]:
    return {"title": RESULT["title"], "url": RESULT["url"], field: RESULT["text"], **more}


ENGINES = {
    "brave": ({"web": {"results": [named("description")]}}, b"x-subscription-token: key"),
    "tavily": ({"results": [named("content")]}, b"authorization: bearer key"),
    "searxng": ({"results": [named("content")]}, b"format=json"),
}


async def asked(engine: str, document: Any, status: str = "200 OK") -> tuple[Any, RawUpstream]:
    async with raw_upstream(answering(document, status)) as server:
        url = server.url.removesuffix("/client/v4")
        with override_settings(WEB_SEARCH=engine, WEB_SEARCH_URL=url, WEB_SEARCH_KEY="key"):
            return await search("why rivers bend"), server


@pytest.mark.parametrize("engine", ENGINES)
async def test_an_engine_is_asked_in_its_own_way(engine: str) -> None:
    document, sent = ENGINES[engine]
    (found,), server = await asked(engine, document)
    assert (found.title, found.address) == ("Rivers & lakes", "https://rivers.example/")
    assert found.extract == "They bend."
    request = server.requests[0].lower()
    assert sent in request
    assert b"rivers" in request


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "document",
    [
        b"", b"<html>", b"[]", b"null", {}, {"results": 5}, {"results": [5]}, {"web": 5},
        {"results": [{"url": None}]}, b"{" * 10_000, b'{"results": "' + b"a" * 3_000_000 + b'"}',
    ],
    ids=lambda document: str(document)[:20],
)  # fmt: skip
async def test_any_other_answer_is_none_or_told_in_words(engine: str, document: Any) -> None:
    results: Any = []
    with suppress(ToolFailed):
        results, _server = await asked(engine, document)
    assert results == []


@pytest.mark.parametrize("status", ["401 Unauthorized", "429 Too Many", "500 Oops", "302 Found"])
async def test_a_refusal_is_told_in_words(status: str) -> None:
    with pytest.raises(ToolFailed):
        await asked("searxng", {}, status)


async def test_what_is_long_or_no_web_address_is_left_out() -> None:
    results = [
        named("content", content="a" * 5000, url=f"https://a.example/{n}") for n in range(50)
    ]
    hostile = ["javascript:alert(1)", "file:///etc/passwd", "//a.example", "https://" + "a" * 3000]
    results = [*(named("content", url=each) for each in hostile), *results]
    found, _server = await asked("searxng", {"results": results})
    assert len(found) == MOST_RESULTS
    assert all(each.address.startswith("https://a.example/") for each in found)
    assert max(len(each.extract) for each in found) == MAX_EXTRACT_CHARS


def test_without_an_engine_only_the_emulator_searches() -> None:
    assert engine_name() == "emulator"
    with override_settings(WORKERS_AI_BASE_URL="https://models.example/v1"):
        assert engine_name() == ""
    with override_settings(WEB_SEARCH="none"):
        assert engine_name() == ""
