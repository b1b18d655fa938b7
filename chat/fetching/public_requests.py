"""Send a request that a member has caused, to public addresses only."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.fetching.addresses import MayConnect, addresses_of
from chat.lib.trust_store import trust_store

LAST_PORT = 65535


@asynccontextmanager
async def public_request(
    method: str,
    url: httpx.URL,
    headers: Mapping[str, str],
    timeout_seconds: float,
    content: bytes | None = None,
    may_connect: MayConnect | None = None,
) -> AsyncIterator[httpx.Response]:
    """Send a request and yield its response, whose body is not read yet.

    It goes to exactly the addresses that were checked, one after the other until one answers. Raise
    `BadRequest` if the URL may not be requested, and `httpx.HTTPError` if the request fails. With
    `may_connect`, other addresses than public ones are allowed, or fewer.
    """
    host, port = _place(url)
    addresses = await addresses_of(host.strip("[]"), port, may_connect)
    trust = await asyncio.to_thread(trust_store)
    async with httpx.AsyncClient(verify=trust, trust_env=False, timeout=timeout_seconds) as client:
        for address in addresses:
            request = client.build_request(
                method,
                url.copy_with(host=address),
                headers={**headers, "Host": url.netloc.decode()},
                content=content,
                extensions={"sni_hostname": host},
            )
            try:
                response = await client.send(request, stream=True)
            except httpx.ConnectError:
                if address == addresses[-1]:
                    raise
                continue
            try:
                yield response
                return
            finally:
                await response.aclose()
    raise AssertionError("a name has an address")


def _place(url: httpx.URL) -> tuple[str, int]:
    if url.scheme not in {"http", "https"} or not url.host or url.userinfo:
        raise BadRequest(_("This isn't a web address."), detail="no_address")
    port = url.port or (443 if url.scheme == "https" else 80)
    if port > LAST_PORT:
        raise BadRequest(_("This isn't a web address."), detail="no_address")
    return url.raw_host.decode(), port
