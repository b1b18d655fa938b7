"""Ask a search engine. Each has one adapter, which says how it is asked and where the results are.

The addresses of the engines are the administrator's choice, so they may be on a private network.

https://api-dashboard.search.brave.com/app/documentation/web-search/get-started
https://docs.tavily.com/documentation/api-reference/endpoint/search
https://docs.searxng.org/dev/search_api.html
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

import httpx
import msgspec
from django.conf import settings

from chat.lib.text import clean, one_line
from chat.lib.trust_store import trust_store
from chat.tools.tool import ToolFailed
from chat.upstream import factory

SECONDS = 12.0
MAX_ANSWER_BYTES = 2 * 1024 * 1024
MOST_RESULTS = 6
MAX_TITLE_CHARS = 200
MAX_EXTRACT_CHARS = 800
MAX_ADDRESS_CHARS = 2000
EMULATOR = "emulator"
#: Where the emulator answers as a SearXNG server.
EMULATED_URL = "http://emulator.invalid"


@dataclass(frozen=True, slots=True)
class WebResult:
    """What an engine says about a page."""

    title: str
    address: str
    extract: str


@dataclass(frozen=True, slots=True)
class _Engine:
    """How to ask an engine. `results` finds the results in its answer."""

    usual_url: str
    request: Callable[[str, str, str], httpx.Request]
    results: Callable[[Any], Iterable[Mapping[str, Any]]]
    extract: str  # the field with the text


def engine_name() -> str:
    """Return the name of the engine in use; empty if there is none.

    While the emulator answers, it also searches, so that a new site has all there is to try.
    """
    name: str = settings.WEB_SEARCH
    if name:
        return "" if name == "none" else name
    return EMULATOR if factory.uses_emulator() else ""


async def search(query: str) -> list[WebResult]:
    """Return the results of a search, best first. Raise `ToolFailed`."""
    name = engine_name()
    engine = _ENGINES["searxng" if name == EMULATOR else name]
    url = EMULATED_URL if name == EMULATOR else settings.WEB_SEARCH_URL or engine.usual_url
    request = engine.request(url.rstrip("/"), query, settings.WEB_SEARCH_KEY)
    try:
        async with _client(name) as client:
            answer = await _answer(client, request)
        found = engine.results(msgspec.json.decode(answer))
        results = [_result(each, engine.extract) for each in found]
    except (httpx.HTTPError, msgspec.DecodeError, KeyError, TypeError, AttributeError) as error:
        raise ToolFailed("The search engine gave no answer.", "no_answer") from error
    return [each for each in results if each.address][:MOST_RESULTS]


async def emulated_page(address: str) -> bytes | None:
    """Return a page of the emulator's small web; None for any other address."""
    if engine_name() != EMULATOR:
        return None
    async with _client(EMULATOR) as client:
        request = client.build_request("GET", f"{EMULATED_URL}/page", params={"address": address})
        response = await client.send(request)
    return response.content if response.is_success else None


def _client(name: str) -> httpx.AsyncClient:
    if name == EMULATOR:
        return httpx.AsyncClient(transport=factory.emulator_transport(), timeout=SECONDS)
    return httpx.AsyncClient(verify=trust_store(), trust_env=False, timeout=SECONDS)


async def _answer(client: httpx.AsyncClient, request: httpx.Request) -> bytes:
    response = await client.send(request, stream=True)
    try:
        response.raise_for_status()
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > MAX_ANSWER_BYTES:
                raise ToolFailed("The search engine's answer is too long.", "no_answer")
        return bytes(body)
    finally:
        await response.aclose()


def _result(found: Mapping[str, Any], extract: str) -> WebResult:
    address = str(found.get("url") or "")
    is_web = address.startswith(("https://", "http://")) and len(address) <= MAX_ADDRESS_CHARS
    return WebResult(
        title=one_line(unescape(str(found.get("title") or "")))[:MAX_TITLE_CHARS],
        address=clean(address) if is_web else "",
        extract=clean(unescape(str(found.get(extract) or "")))[:MAX_EXTRACT_CHARS],
    )


def _ask_brave(url: str, query: str, key: str) -> httpx.Request:
    headers = {"X-Subscription-Token": key, "Accept": "application/json"}
    values = {"q": query, "count": str(MOST_RESULTS), "text_decorations": "false"}
    return httpx.Request("GET", f"{url}/res/v1/web/search", params=values, headers=headers)


def _ask_tavily(url: str, query: str, key: str) -> httpx.Request:
    headers = {"Authorization": f"Bearer {key}"}
    body = {"query": query, "max_results": MOST_RESULTS}
    return httpx.Request("POST", f"{url}/search", json=body, headers=headers)


def _ask_searxng(url: str, query: str, key: str) -> httpx.Request:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    values = {"q": query, "format": "json"}
    return httpx.Request("GET", f"{url}/search", params=values, headers=headers)


_ENGINES = {
    "brave": _Engine(
        "https://api.search.brave.com",
        _ask_brave,
        lambda answer: answer.get("web", {}).get("results", []),
        "description",
    ),
    "tavily": _Engine(
        "https://api.tavily.com", _ask_tavily, lambda answer: answer["results"], "content"
    ),
    "searxng": _Engine("", _ask_searxng, lambda answer: answer["results"], "content"),
}
