"""Say what an action on several cases or chats changed, and offer for a while to undo it."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from chat.review.bulk_changes import BulkResult

UNDO_SECONDS = 3600.0


def say_what_changed(
    request: HttpRequest, bulk: BulkResult[Any], done: str, unchanged: Callable[[int], str]
) -> None:
    """Say how many changed, and why the others did not.

    `unchanged` returns the words for a number of these, with a place for `{count}` and `{why}`.
    """
    rest = (
        unchanged(count).format(count=count, why=why) for why, count in bulk.refused.most_common()
    )
    counted = [done.format(count=len(bulk.done))] if bulk.done or not bulk.refused else []
    tell = messages.warning if bulk.refused else messages.success
    tell(request, " ".join((*counted, *rest)))


def remember_for_undo(request: HttpRequest, key: str, ids: Sequence[Any]) -> None:
    """Remember in the session what was changed together, and when."""
    request.session[key] = {"ids": list(ids), "at": time.time()}


def last_changed(request: HttpRequest, key: str) -> tuple[list[Any], datetime] | None:
    """Return what was last changed together, and when, if that may still be undone."""
    last = request.session.get(key)
    if not isinstance(last, dict) or time.time() - last["at"] > UNDO_SECONDS:
        return None
    return last.get("ids", []), datetime.fromtimestamp(last["at"], UTC)
