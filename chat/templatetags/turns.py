"""Render stored turns, readable without scripts and complete for the scripts that take over."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

import msgspec
from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.conversations.models import Conversation
from chat.lib.catalogue import Model
from chat.web.messages.message_out import MessageOut

register = template.Library()

WORDS = frozenset({"text", "reasoning"})


@register.filter
def exchanges(turns: Iterable[MessageOut]) -> list[dict[str, MessageOut]]:
    """Pair each question with its answer."""
    found: list[dict[str, MessageOut]] = []
    for turn in turns:
        if turn.role == "user":
            found.append({"question": turn})
        elif found:
            found[-1]["answer"] = turn
    return found


@register.filter
def turn_json(turn: MessageOut) -> str:
    """Return a turn as JSON without its text, which the page already contains."""
    given = msgspec.to_builtins(turn)
    return json.dumps({name: value for name, value in given.items() if name not in WORDS})


@register.filter
def longest_answer_tokens(model: Model) -> int:
    """Return the model's maximum answer length on this site, in tokens."""
    return min(model.longest_answer_tokens, settings.MAX_TOKENS_LIMIT)


@register.filter
def version_position(turn: MessageOut) -> dict[str, int] | None:
    """Return a turn's position among its versions, with the IDs of the previous and next one.

    Return None if it is the only version.
    """
    ids = turn.versions
    if turn.id not in ids:
        return None
    place = ids.index(turn.id)
    found = {"number": place + 1, "count": len(ids)}
    if place:
        found["previous"] = ids[place - 1]
    if place + 1 < len(ids):
        found["next"] = ids[place + 1]
    return found


@register.filter
def group_by_heading(entries: Iterable[Any]) -> list[tuple[str, list[Any]]]:
    """Group the conversations by their list headings."""
    return [(part, list(group)) for part, group in groupby(entries, list_heading)]


@register.filter
def list_heading(entry: Any) -> str:
    """Return the list heading of `entry`."""
    if entry.list_state == Conversation.ListState.PINNED:
        return _("Pinned")
    return age_heading(entry.updated_at)


def age_heading(moment: datetime) -> str:
    """Return the age as a heading, such as a day, a week or a month."""
    today = timezone.localdate()
    day = timezone.localdate(moment)
    if day >= today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    if day >= today - timedelta(days=7):
        return _("Previous 7 days")
    if day >= today - timedelta(days=30):
        return _("Previous 30 days")
    return date_format(day, "YEAR_MONTH_FORMAT")
