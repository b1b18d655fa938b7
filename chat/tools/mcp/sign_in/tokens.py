"""Give calls of a server its token, which one process at a time renews."""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from chat.database import threads
from chat.tools.mcp.errors import McpError
from chat.tools.mcp.sign_in import grants, token_requests
from chat.tools.mcp.sign_in.grants import Grant
from chat.tools.mcp.sign_in.requests import Requests

#: How often those look who wait for another process's renewal.
WAIT_SECONDS = 0.2
#: Less than the lease of `grants.claim`.
RENEW_SECONDS = 20.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RenewedTokens:
    """The site's tokens for a server. The caller limits the time that getting one may take."""

    server_id: int
    address: str

    async def token(self, refused: str = "") -> str:
        """Return a token other than the `refused` one. Raise `McpError`."""
        while True:
            secret = await threads.readers.run(grants.stored, self.server_id)
            grant = grants.grant_in(secret)
            if grant is None or not grant.access_token:
                raise McpError("unauthorized")
            may_last = not (grant.is_ending and grant.refresh_token)
            if grant.access_token != refused and may_last:
                return grant.access_token
            if await threads.writer.run(grants.claim, self.server_id, secret):
                return (await _whole(self._renewed(secret, grant))).access_token
            await asyncio.sleep(WAIT_SECONDS)

    async def _renewed(self, secret: str, grant: Grant) -> Grant:
        renewed: Grant | None = None
        try:
            async with asyncio.timeout(RENEW_SECONDS):
                renewed = await self._refreshed(grant)
        except TimeoutError as error:
            raise McpError("timeout") from error
        except McpError as error:
            if error.reason != "sign_in":
                raise
            log.warning("the sign-in to MCP server %s has ended: sign in again", self.server_id)
            renewed = structs.replace(grant, access_token="", refresh_token="")
            raise McpError("unauthorized") from error
        finally:
            # A claim that stays would have others wait for nothing.
            await threads.writer.run(grants.renew, self.server_id, secret, renewed)
        return renewed

    async def _refreshed(self, grant: Grant) -> Grant:
        if not grant.refresh_token:
            raise McpError("sign_in")
        return await token_requests.refreshed(grant, await Requests.of(self.address))


async def _whole(renewal: Coroutine[Any, Any, Grant]) -> Grant:
    """Wait for a renewal, which goes on if the caller stops: the old token may be used up."""
    task = asyncio.create_task(renewal)
    task.add_done_callback(_retrieve)
    return await asyncio.shield(task)


def _retrieve(task: asyncio.Task[Grant]) -> None:
    if not task.cancelled():
        task.exception()
