"""Ask what belongs to the sign-in to a server, within limits, and never where it may not lead.

A server names these addresses itself. One on the public internet can name public ones only, with
HTTPS, so it can't have this site send anything into a private network.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec

from chat.errors import BadRequest
from chat.fetching import fetch
from chat.fetching.addresses import addresses_of
from chat.fetching.fetch import Fetched
from chat.lib.network_addresses import is_own_network, is_public
from chat.site_settings.provider_address import may_connect
from chat.tools.mcp.errors import McpError, Reason

T = TypeVar("T")

REQUEST_SECONDS = 10.0
MAX_BYTES = 256 * 1024
MAX_ADDRESS_CHARS = 2000
PORTS = {"https": 443, "http": 80}
JSON = "application/json"
HEADERS = {"Accept": JSON, "Accept-Encoding": "identity", "User-Agent": "runnel"}
REASONS: Mapping[str, Reason] = {
    "not_public": "refused_address",
    "no_host": "unreachable",
    "certificate": "unreachable",
    "unreachable": "unreachable",
    "timeout": "timeout",
}


@dataclass(frozen=True, slots=True)
class Requests:
    """Requests on behalf of one server: to private addresses only if it has such a one itself."""

    allows_private: bool

    @classmethod
    async def of(cls, address: str) -> "Requests":
        """Return those for the server at this address, by where its name leads to now."""
        parts = urlsplit(address)
        port = parts.port or PORTS[parts.scheme]
        allowed = partial(may_connect, is_tls=parts.scheme == "https")
        try:
            found = await addresses_of(parts.hostname or "", port, allowed)
        except BadRequest as error:
            raise _failed(error) from error
        return cls(all(map(is_own_network, found)))

    async def get(self, url: str) -> Fetched:
        return await self._send(url, {}, None)

    async def post(
        self, url: str, kind: str, content: bytes, headers: Mapping[str, str] | None = None
    ) -> Fetched:
        return await self._send(url, {"Content-Type": kind, **(headers or {})}, content)

    def is_allowed(self, url: str) -> bool:
        """Return whether the address may be used at all, before its name is looked up."""
        try:
            parts = urlsplit(url)
            is_complete = bool(parts.hostname) and parts.port != 0
        except ValueError:
            return False
        return (
            is_complete
            and parts.scheme in ({"https", "http"} if self.allows_private else {"https"})
            and parts.username is None
            and not parts.fragment
            and url.isascii()
            and url.isprintable()
            and " " not in url
            and len(url) <= MAX_ADDRESS_CHARS
        )

    async def _send(self, url: str, headers: Mapping[str, str], content: bytes | None) -> Fetched:
        if not self.is_allowed(url):
            raise McpError("refused_address")
        allowed = partial(self._may_connect, is_tls=url.startswith("https:"))
        try:
            async with fetch.refusals(REQUEST_SECONDS):
                fetched = await fetch.exchange(
                    httpx.URL(url),
                    {**HEADERS, **headers},
                    REQUEST_SECONDS,
                    MAX_BYTES,
                    content=content,
                    may_connect=allowed,
                )
        except BadRequest as error:
            raise _failed(error) from error
        if fetched.is_cut:
            raise McpError("too_long")
        return fetched

    def _may_connect(self, address: str, *, is_tls: bool) -> bool:
        if self.allows_private:
            return may_connect(address, is_tls=is_tls)
        return is_tls and is_public(address)


def decoded(fetched: Fetched, kind: type[T]) -> T:
    """Return the JSON of an answer as a type. Raise `McpError` if it isn't that."""
    try:
        return msgspec.json.decode(fetched.body, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise McpError("garbage") from None


def _failed(error: BadRequest) -> McpError:
    return McpError(REASONS.get(error.detail, "garbage"))
