"""Render stored turns, readable without scripts and complete for the scripts that take over."""

import json
from collections.abc import Collection, Iterable
from datetime import datetime, time, timedelta
from functools import lru_cache
from itertools import groupby
from typing import Any

import msgspec
from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from chat.conversations.attached_files import AttachedFile, Question, split_files
from chat.conversations.models import Conversation
from chat.lib.catalogue import Model
from chat.web.messages.decision_form import ArgumentField, fields_of
from chat.web.messages.message_out import MessageOut, ToolOut

register = template.Library()

LONG_CHARS, LONG_LINES = 1500, 16
WORDS = frozenset({"text", "reasoning", "summary"})


@register.filter
def exchanges(turns: Iterable[MessageOut]) -> list[dict[str, MessageOut]]:
    """Return a dict with `question` for each question, and with `answer` if it has one."""
    pairs: list[dict[str, MessageOut]] = []
    for turn in turns:
        if turn.role == "user":
            pairs.append({"question": turn})
        elif pairs:
            pairs[-1]["answer"] = turn
    return pairs


@register.filter
def turn_json(turn: MessageOut) -> str:
    """Return a turn as JSON without its text, which the page already contains."""
    values = msgspec.to_builtins(turn)
    return json.dumps({name: value for name, value in values.items() if name not in WORDS})


@register.filter
def waiting(turn: MessageOut) -> list[ToolOut]:
    """Return the calls of an answer that a person has to decide about."""
    return [each for each in turn.tools if each.state in {"proposed", "unknown"}]


@register.filter
def argument_fields(call: ToolOut) -> list[ArgumentField]:
    return fields_of(call.tool, call.arguments)


@register.filter
def question_parts(turn: MessageOut) -> Question:
    return split_files(turn.text)


@register.filter
def without_images(text: str) -> str:
    """Return a question without what stands for images and the originals of files."""
    question = split_files(text)
    return question.text + "".join(each.text_block for each in question.files if not each.image)


@register.filter
def images(text: str) -> list[AttachedFile]:
    """Return the images attached to a question."""
    return [each for each in split_files(text).files if each.image]


@register.filter
def originals(text: str) -> list[AttachedFile]:
    """Return the files of a question whose originals it names."""
    return [each for each in split_files(text).files if each.original]


@register.filter
def is_long(text: str) -> bool:
    """Return whether a question is folded; static/js/lib/long_text.js says the same."""
    return len(text) > LONG_CHARS or text.rstrip().count("\n") >= LONG_LINES


@register.simple_tag
def model_options(
    models: Collection[Model], suggested: Collection[Model], chosen: str | None = None
) -> SafeString:
    """Return the options for a select element of models; the suggested ones come first.

    Without `chosen`, none is selected.
    """
    html = _model_options(tuple(models), settings.MAX_TOKENS_LIMIT)
    wanted = chosen if chosen is None or chosen in html else next(iter(html), "")

    def options(ids: Iterable[str]) -> SafeString:
        parts = (
            before + (" selected" if each == wanted else "") + after
            for each in ids
            for before, after in [html[each]]
        )
        return mark_safe("".join(parts))  # noqa: S308  (made by format_html)

    first = [model.id for model in suggested]
    others = [each for each in html if each not in first]
    if not others:
        return options(first)
    group = '<optgroup label="{}">{}</optgroup>'
    return format_html(group * 2, _("Suggested"), options(first), _("More models"), options(others))


@register.simple_tag
def model_name(models: Iterable[Model], chosen: str) -> str:
    """Return the name of the chosen model: the first one's, if that is not offered."""
    names = {model.id: model.name for model in models}
    return names.get(chosen) or next(iter(names.values()), "")


@lru_cache(maxsize=64)  # the list is the same for all members of a group
def _model_options(models: tuple[Model, ...], most_tokens: int) -> dict[str, tuple[str, str]]:
    """Return each option's HTML before and after `selected`, by the model's id.

    `data-facts` has the window and the longest answer in tokens, 1 for a model that reads images,
    then the efforts: the list is on every page.
    """
    return {
        model.id: (
            format_html('<option value="{}"', model.id),
            format_html(' data-facts="{}">{}</option>', " ".join(facts), model.name),
        )
        for model in models
        for longest in [min(model.longest_answer_tokens, most_tokens)]
        for numbers in [(model.context_window, longest, int(model.vision))]
        for facts in [(*map(str, numbers), *model.effort_choices)]
    }


@register.filter
def version_position(turn: MessageOut) -> dict[str, int] | None:
    """Return a turn's position among its versions, with the IDs of the previous and next one.

    Return None if it is the only version.
    """
    ids = turn.versions
    if turn.id not in ids:
        return None
    place = ids.index(turn.id)
    position = {"number": place + 1, "count": len(ids)}
    if place:
        position["previous"] = ids[place - 1]
    if place + 1 < len(ids):
        position["next"] = ids[place + 1]
    return position


@register.filter
def group_by_heading(entries: Iterable[Any]) -> list[tuple[str, list[Any]]]:
    """Group the conversations by their list headings."""
    headings = _Headings()
    return [(part, list(group)) for part, group in groupby(entries, headings.of)]


@register.filter
def list_heading(entry: Any) -> str:
    """Return the list heading of `entry`."""
    return _Headings().of(entry)


class _Headings:
    """The list headings as of now; computed once for all entries of a page."""

    def __init__(self) -> None:
        self._pinned = _("Pinned")
        self._ages = [(_beginning_of(days), heading) for days, heading in _ages()]
        self._months: dict[tuple[int, int], str] = {}

    def of(self, entry: Any) -> str:
        if entry.list_state == Conversation.ListState.PINNED:
            return self._pinned
        return self.age_of(entry.updated_at)

    def age_of(self, moment: datetime) -> str:
        for since, heading in self._ages:
            if moment >= since:
                return heading
        day = timezone.localdate(moment)
        month = (day.year, day.month)
        if month not in self._months:
            self._months[month] = date_format(day, "YEAR_MONTH_FORMAT")
        return self._months[month]


def _ages() -> list[tuple[int, str]]:
    """Return headings and how many days ago they begin, the latest first."""
    return [
        (0, _("Today")),
        (1, _("Yesterday")),
        (7, _("Previous 7 days")),
        (30, _("Previous 30 days")),
    ]


def _beginning_of(days_ago: int) -> datetime:
    day = timezone.localdate() - timedelta(days=days_ago)
    return timezone.make_aware(datetime.combine(day, time.min))
