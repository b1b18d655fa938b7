"""Fetch one page of a website, limited in time and size, without credentials."""

import asyncio
import ssl
import zlib
from dataclasses import dataclass

import httpx
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.lib.trust_store import trust_store
from chat.widget_sites.site_check.public_requests import public_request

TOTAL_SECONDS = 10.0
OWN_SECONDS = 3.0
MAX_REDIRECTS = 5
MAX_BYTES = 1024 * 1024  # a tag beyond this is not found; few pages are longer
HEADERS = {
    "User-Agent": "Runnel (its owner checks this website)",
    "Accept": "text/html",
    "Accept-Encoding": "identity",
}
REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class FetchedPage:
    url: str
    headers: list[tuple[str, str]]  # lower-case names, repeated as received
    text: str = ""

    def values(self, name: str) -> list[str]:
        return [value for each, value in self.headers if each == name]


async def fetch(url: str) -> FetchedPage:
    """Fetch `url` and follow redirects. Raise `BadRequest` with the reason if that fails."""
    try:
        async with asyncio.timeout(TOTAL_SECONDS):
            return await _follow(url)
    except (TimeoutError, httpx.TimeoutException):
        words = _("No response within {seconds} seconds.")
        raise BadRequest(words.format(seconds=round(TOTAL_SECONDS))) from None
    except httpx.ConnectError as error:
        raise BadRequest(_unreachable(error)) from None
    except httpx.InvalidURL:
        raise BadRequest(_("This isn't a web address.")) from None
    except (httpx.HTTPError, zlib.error, ValueError):
        raise BadRequest(_("The server at this address isn't a web server.")) from None


async def fetch_own(url: str) -> FetchedPage | None:
    """Return our own page at `url` as browsers get it through any proxy; None if that fails.

    The operator has set this address, so it may be private.
    """
    trust = await asyncio.to_thread(trust_store)
    try:
        async with (
            asyncio.timeout(OWN_SECONDS),
            httpx.AsyncClient(verify=trust, trust_env=False) as client,
            client.stream("GET", url, headers=HEADERS) as response,
        ):
            return FetchedPage(url, _headers(response)) if response.is_success else None
    except (TimeoutError, httpx.HTTPError, httpx.InvalidURL):
        return None


async def _follow(url: str) -> FetchedPage:
    for _each in range(MAX_REDIRECTS + 1):
        status, page = await _get(httpx.URL(url))
        location = "".join(page.values("location")[:1])
        if status not in REDIRECTS or not location:
            return _require_page(status, page)
        url = str(httpx.URL(url).join(location))
    raise BadRequest(_("Too many redirects."))


def _require_page(status: int, page: FetchedPage) -> FetchedPage:
    if status >= 400:
        words = _("{url} returned error {status}.")
        raise BadRequest(words.format(url=page.url, status=status))
    kind = "".join(page.values("content-type")[:1]).partition(";")[0].strip().lower()
    if kind not in {"text/html", "application/xhtml+xml"}:
        raise BadRequest(_("{url} isn't an HTML page.").format(url=page.url))
    return page


async def _get(url: httpx.URL) -> tuple[int, FetchedPage]:
    async with public_request("GET", url, HEADERS, TOTAL_SECONDS) as response:
        return response.status_code, await _read(url, response)


async def _read(url: httpx.URL, response: httpx.Response) -> FetchedPage:
    body = bytearray()
    if response.status_code not in REDIRECTS:
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > MAX_BYTES:
                break
    text = _unpacked(bytes(body), response.headers.get("content-encoding", ""))
    shown = str(url.copy_with(fragment=None))
    return FetchedPage(shown, _headers(response), text.decode(errors="replace"))


def _headers(response: httpx.Response) -> list[tuple[str, str]]:
    return [(name.lower(), value) for name, value in response.headers.multi_items()]


def _unpacked(body: bytes, encoding: str) -> bytes:
    """Decompress the body, to a bounded size; some servers compress without being asked."""
    match encoding.strip().lower():
        case "" | "identity":
            return body[:MAX_BYTES]
        case "gzip" | "x-gzip" | "deflate":
            return zlib.decompressobj(32 + zlib.MAX_WBITS).decompress(body, MAX_BYTES)
        case _:
            raise BadRequest(_("The page uses an unsupported compression."))


def _unreachable(error: BaseException | None) -> str:
    while error:
        if isinstance(error, ssl.SSLCertVerificationError):
            return _("The certificate isn't valid, so browsers show a warning. ({reason})").format(
                reason=error.verify_message
            )
        error = error.__cause__ or error.__context__
    return _("No server responds at this address.")
