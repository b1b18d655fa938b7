"""Notify open pages that something changed; they then read the change from the database.

Notifications travel over the channel layer, which may lose them. A page that misses one catches up
when its tab becomes visible again; a duplicate only causes another read.
"""

import asyncio
import logging
from typing import Any, Literal
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from chat.lib.background_tasks import BackgroundTasks

log = logging.getLogger(__name__)

#: A conversation has a new turn, an answer has ended or needs a permission to go on, or has
#: suggested questions now, or only the list of chats has changed.
Kind = Literal["turn", "answer", "permission", "follow_ups", "list"]
SEND_TIMEOUT_SECONDS = 2.0  # with a broker that does not respond

_tasks = BackgroundTasks()


def group_of(user_id: int) -> str:
    """Return the channel group of all pages that this user has open."""
    return f"user.{user_id}"


def notify_in_background(
    user_id: int, kind: Kind, conversation_id: UUID | None = None, tab: str = ""
) -> None:
    """Notify the user's pages in the background. `tab` is the page that already knows."""
    _tasks.start(notify(user_id, kind, conversation_id, tab))


async def notify(
    user_id: int, kind: Kind, conversation_id: UUID | None = None, tab: str = ""
) -> None:
    """Notify the user's pages. Never raise: losing a notification must not fail an answer."""
    hint: dict[str, Any] = {
        "type": "hint",
        "kind": kind,
        "conversation": str(conversation_id or ""),
        "tab": tab,
    }
    await _send(user_id, hint)


async def notify_sessions_ended(user_id: int) -> None:
    """Make every process that shows a page to this user check their access again.

    If the message is lost, their streams end with the next regular check.
    """
    await _send(user_id, {"type": "sessions_ended"})


async def _send(user_id: int, hint: dict[str, Any]) -> None:
    layer = get_channel_layer()
    if layer is None:
        return
    try:
        async with asyncio.timeout(SEND_TIMEOUT_SECONDS):
            await layer.group_send(group_of(user_id), hint)
    except Exception as error:
        log.warning("a notification was lost: %s", type(error).__name__)


def notify_from_thread(user_id: int, kind: Kind, conversation_id: UUID | None = None) -> None:
    """Notify the user's pages from a synchronous view."""
    async_to_sync(notify)(user_id, kind, conversation_id)
