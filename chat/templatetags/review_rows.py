"""Render the rows of the staff's lists of chats and cases.

A page has fifty, so the parts they share are looked up once, and no template is rendered for each.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from html import escape  # Django's also calls it, but for values of all kinds
from typing import Any
from uuid import UUID

from django import template
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.lib.number_format import format_number
from chat.review.case_models import Case
from chat.review.models import ConversationStats
from chat.review.staff.privacy import ShownUser

register = template.Library()

ANY_CHAT, ANY_KEY = UUID(int=0), "0"  # placeholders in URLs
ROW = '<tr role="row">{}</tr>\n'
CELL = '<td role="cell"{}>{}</td>\n'
TITLE = (
    '<th scope="row" role="rowheader"><a class="title" data-step href="{}"><bdi>{}</bdi></a></th>\n'
)
CHECKBOX = (
    '<label><span class="visually-hidden">{}</span>'
    '<input type="checkbox" name="case" value="{}"{}></label>'
)
STATE, NAMED_STATE = (
    '<span class="state">{}</span>',
    '<span class="state" data-state="{}">{}</span>',
)
SEVERITY = '<span class="severity" data-severity="{}">{}</span>'
TIME = '<time datetime="{}">{}</time>'
NAME = "<bdi>{}</bdi>"
LINK = '<a href="{}"><bdi>{}</bdi></a>'
SITE = ' <span class="quiet small">{}</span>'

Row = Mapping[str, Any]


@register.simple_tag(takes_context=True)
def review_chat_rows(context: Mapping[str, Any], rows: list[Row]) -> SafeString:
    """Return the rows of the list of chats (chat/web/review/search/presenters.py)."""
    cells = _Cells(may_open_sites=bool(context.get("leads")))
    return mark_safe("".join(map(cells.chat_row, rows)))  # noqa: S308  (texts are escaped)


@register.simple_tag(takes_context=True)
def visitor_site(context: Mapping[str, Any], person: ShownUser) -> SafeString:
    """Return a visitor's website, with a link to its page for those who may open it."""
    cells = _Cells(may_open_sites=bool(context.get("leads")))
    return mark_safe(cells.site(person))  # noqa: S308  (texts are escaped)


@register.simple_tag(takes_context=True)
def review_case_rows(context: Mapping[str, Any], rows: list[Row]) -> SafeString:
    """Return the rows of the queue (chat/web/review/queue/presenters.py)."""
    cells = _Cells(may_open_sites=bool(context.get("leads")))
    chosen = context.get("chosen") or ()
    found = (cells.case_row(each, chosen) for each in rows)
    return mark_safe("".join(found))  # noqa: S308  (texts are escaped)


class _Cells:
    """The cells of both lists, and what they share."""

    def __init__(self, *, may_open_sites: bool) -> None:
        self._may_open_sites = may_open_sites
        self._chat = reverse("review_conversation", args=[ANY_CHAT]).replace(str(ANY_CHAT), "{}")
        self._site = reverse("review_site", args=[ANY_KEY]).replace(f"/{ANY_KEY}/", "/{}/")
        self._untitled = _("Untitled")
        self._by_api = STATE.format(_("By API"))
        self._already_read = STATE.format(escape(_("Already read")))
        self._select = _("Select “%(title)s”")

    def chat_row(self, row: Row) -> str:
        stats: ConversationStats = row["stats"]
        cost = f"<bdi>${floatformat(stats.cost_usd, 4)}</bdi>" if stats.cost_usd else ""
        return ROW.format(
            TITLE.format(self._chat.format(row["conversation"].pk), self._title(row))
            + CELL.format(' class="person"', self._linked_person(row["person"]))
            + CELL.format(' class="only-wide small"', NAME.format(escape(", ".join(row["models"]))))
            + CELL.format(' class="signals small"', self._chat_signals(row, stats))
            + CELL.format(' class="only-wide number"', format_number(stats.tokens))
            + CELL.format(' class="only-wide number"', cost)
            + CELL.format(' class="number small"', _time(stats.updated_at))
        )

    def case_row(self, row: Row, chosen: Collection[int]) -> str:
        case: Case = row["case"]
        label = self._select % {"title": self._title(row)}
        checkbox = CHECKBOX.format(label, case.pk, " checked" if case.pk in chosen else "")
        person = NAME.format(escape(row["person"].name)) + self._site_of(row["person"])
        severity = SEVERITY.format(case.severity, escape(str(case.get_severity_display())))
        flags = "".join(map(_tally, row["flags"])) + (self._already_read if row["is_read"] else "")
        return ROW.format(
            CELL.format(' class="select-cell"', checkbox)
            + TITLE.format(escape(row["url"]), self._title(row))
            + CELL.format(' class="person"', person)
            + CELL.format(' class="signals small"', severity + flags)
            + CELL.format(' class="small"', _status(row, case))
            + CELL.format(' class="number small"', _time(case.opened_at))
        )

    def _title(self, row: Row) -> str:
        return escape(row["conversation"].title or self._untitled)

    def _linked_person(self, person: ShownUser) -> str:
        name = escape(person.name)
        shown = LINK.format(f"?person={escape(person.key)}", name) if person.key else name
        return shown + self._site_of(person)

    def _site_of(self, person: ShownUser) -> str:
        return SITE.format(self.site(person)) if person.site else ""

    def site(self, person: ShownUser) -> str:
        """Return a visitor's website, with a link to its page for those who may open it."""
        name = escape(person.site)
        if self._may_open_sites and person.site_key:
            return LINK.format(self._site.format(escape(person.site_key)), name)
        return NAME.format(name)

    def _chat_signals(self, row: Row, stats: ConversationStats) -> str:
        found = (
            [NAMED_STATE.format(_case_state(row), escape(str(row["case"])))] if row["case"] else []
        )
        found += [STATE.format(escape(str(source))) for source in row["sources"]]
        found += [self._by_api] if row["conversation"].api_key else []
        found += [NAMED_STATE.format(name, escape(str(words))) for name, words in row["states"]]
        if stats.good:
            words = ngettext("%(count)s good answer", "%(count)s good answers", stats.good)
            found.append(STATE.format(escape(words % {"count": stats.good})))
        if stats.bad:
            words = ngettext("%(count)s bad answer", "%(count)s bad answers", stats.bad)
            found.append(NAMED_STATE.format("failed", escape(words % {"count": stats.bad})))
        if row["is_read"]:
            found.append(self._already_read)
        return "".join(found)


def _case_state(row: Row) -> str:
    return "open-case" if row["is_case_open"] else "resolved-case"


def _tally(flag: tuple[Any, str]) -> str:
    tally, words = flag
    times = f" × {tally.count}" if tally.count > 1 else ""
    return STATE.format(NAME.format(escape(words)) + times)


def _status(row: Row, case: Case) -> str:
    if case.is_resolved:
        return _("Confirmed") if case.outcome == Case.Outcome.CONFIRMED else _("Dismissed")
    if row["is_mine"]:
        return _("Assigned to me")
    return NAME.format(escape(str(case.assignee))) if case.assignee else _("Unassigned")


def _time(moment: datetime) -> str:
    local = localtime(moment)
    return TIME.format(local.isoformat(), escape(date_format(local, "SHORT_DATETIME_FORMAT")))
