"""Hints to open pages that something has changed: what it is they read from the database.

They travel over the channel layer, which may lose them. Whoever misses one sees the news when they
come back to the tab; whoever gets one twice looks twice.
"""

import asyncio
import logging
from typing import Any, Literal
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

log = logging.getLogger(__name__)

#: A conversation has a new turn, an answer has ended, or only the list looks different.
Kind = Literal["turn", "answer", "list"]
PATIENCE_SECONDS = 2.0  # with a broker that does not answer

_telling: set[asyncio.Task[None]] = set()


def group_of(user_id: int) -> str:
    """The channel group of all pages that this person has open."""
    return f"user.{user_id}"


def soon(user_id: int, kind: Kind, conversation_id: UUID | None = None, tab: str = "") -> None:
    """Tells, without waiting for it; `tab` is the page that knows already."""
    task = asyncio.create_task(tell(user_id, kind, conversation_id, tab))
    _telling.add(task)
    task.add_done_callback(_telling.discard)


async def tell(
    user_id: int, kind: Kind, conversation_id: UUID | None = None, tab: str = ""
) -> None:
    """Never fails: a lost hint costs a moment, not an answer."""
    hint: dict[str, Any] = {
        "type": "hint",
        "kind": kind,
        "conversation": str(conversation_id or ""),
        "tab": tab,
    }
    await _send(user_id, hint)


async def tell_sessions_ended(user_id: int) -> None:
    """Have each process that shows a page of this person ask again who may read.

    Where none hears it, streams end with the next regular check.
    """
    await _send(user_id, {"type": "sessions_ended"})


async def _send(user_id: int, hint: dict[str, Any]) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await layer.group_send(group_of(user_id), hint)
    except Exception as error:
        log.warning("a hint was lost: %s", type(error).__name__)


def tell_from_thread(user_id: int, kind: Kind, conversation_id: UUID | None = None) -> None:
    """The same, for views that are not asynchronous."""
    async_to_sync(tell)(user_id, kind, conversation_id)
