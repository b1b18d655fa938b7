"""Get one address, limited in time and size, without credentials. Redirects aren't followed.

The errors are `BadRequest`, whose `detail` says in a word what failed.
"""

import asyncio
import ssl
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urljoin

import httpx
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.fetching.addresses import MayConnect
from chat.fetching.public_requests import public_request

REDIRECTS = frozenset({301, 302, 303, 307, 308})
#: Other compressions aren't unpacked.
ENCODING = {"Accept-Encoding": "gzip"}


@dataclass(frozen=True, slots=True)
class Fetched:
    url: str
    status: int
    headers: list[tuple[str, str]]  # lower-case names, repeated as received
    body: bytes = b""
    is_cut: bool = False  # the rest was too much
    received_bytes: int = 0  # of the body, before it was unpacked

    def values(self, name: str) -> list[str]:
        return [value for each, value in self.headers if each == name]

    def value(self, name: str) -> str:
        return "".join(self.values(name)[:1])

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")

    @property
    def kind(self) -> str:
        """Return the type of the content, without its parameters."""
        return self.value("content-type").partition(";")[0].strip().lower()

    @property
    def redirect(self) -> str:
        """Return the address that it redirects to; empty if it doesn't."""
        location = self.value("location")
        if self.status not in REDIRECTS or not location:
            return ""
        try:
            return urljoin(self.url, location)
        except ValueError:
            return ""


async def get(
    url: httpx.URL, headers: Mapping[str, str], seconds: float, most_bytes: int
) -> Fetched:
    """Get `url`. Call it within `refusals`, as it raises whatever goes wrong.

    Of a body that is longer, the first `most_bytes` are returned, also of what it unpacks to.
    """
    return await _fetched("GET", url, headers, seconds, most_bytes)


async def exchange(
    url: httpx.URL,
    headers: Mapping[str, str],
    seconds: float,
    most_bytes: int,
    *,
    content: bytes | None,
    may_connect: MayConnect,
) -> Fetched:
    """Post `content`, or get `url` if it is None, at an address that `may_connect` allows."""
    method = "GET" if content is None else "POST"
    return await _fetched(method, url, headers, seconds, most_bytes, content, may_connect)


async def _fetched(
    method: str,
    url: httpx.URL,
    headers: Mapping[str, str],
    seconds: float,
    most_bytes: int,
    content: bytes | None = None,
    may_connect: MayConnect | None = None,
) -> Fetched:
    async with public_request(method, url, headers, seconds, content, may_connect) as response:
        body = bytearray()
        if response.status_code not in REDIRECTS:
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > most_bytes:
                    break
        unpacked, is_cut = _unpacked(
            bytes(body), response.headers.get("content-encoding", ""), most_bytes
        )
        return Fetched(
            str(url.copy_with(fragment=None)),
            response.status_code,
            headers_of(response),
            unpacked,
            is_cut or len(body) > most_bytes,
            len(body),
        )


@asynccontextmanager
async def refusals(seconds: float) -> AsyncIterator[None]:
    """Limit the time of what is done within, and raise `BadRequest` with the reason if it fails."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (TimeoutError, httpx.TimeoutException):
        words = _("No response within {seconds} seconds.")
        raise BadRequest(words.format(seconds=round(seconds)), detail="timeout") from None
    except httpx.ConnectError as error:
        raise _unreachable(error) from None
    except httpx.InvalidURL:
        raise BadRequest(_("This isn't a web address."), detail="no_address") from None
    except (httpx.HTTPError, zlib.error, ValueError):
        words = _("The server at this address isn't a web server.")
        raise BadRequest(words, detail="no_web_server") from None


def headers_of(response: httpx.Response) -> list[tuple[str, str]]:
    return [(name.lower(), value) for name, value in response.headers.multi_items()]


def gunzip(body: bytes, most_bytes: int) -> tuple[bytes, bool]:
    """Unpack gzip or deflate to a bounded size; return whether there is more."""
    unpacker = zlib.decompressobj(32 + zlib.MAX_WBITS)
    unpacked = unpacker.decompress(body, most_bytes)
    return unpacked, bool(unpacker.unconsumed_tail)


def _unpacked(body: bytes, encoding: str, most_bytes: int) -> tuple[bytes, bool]:
    match encoding.strip().lower():
        case "" | "identity":
            return body[:most_bytes], False
        case "gzip" | "x-gzip" | "deflate":
            return gunzip(body, most_bytes)
        case _:
            raise BadRequest(_("The page uses an unsupported compression."), detail="compression")


def _unreachable(error: BaseException | None) -> BadRequest:
    while error:
        if isinstance(error, ssl.SSLCertVerificationError):
            words = _("The certificate isn't valid, so browsers show a warning. ({reason})")
            return BadRequest(words.format(reason=error.verify_message), detail="certificate")
        error = error.__cause__ or error.__context__
    return BadRequest(_("No server responds at this address."), detail="unreachable")
