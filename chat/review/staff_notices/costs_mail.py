"""Mail the costs of each month to staff who see figures and have chosen it."""

from datetime import date, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.accounts import mail
from chat.accounts.mailed_links import absolute_url
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.errors import NotFound
from chat.lib.number_format import format_number, format_value
from chat.outbox.models import Delivery
from chat.review.analytics import rollup
from chat.review.analytics.costs import CostRow, shown_costs
from chat.review.analytics.reports import Period, UsageReport
from chat.review.staff import privacy, roles
from chat.review.staff.roles import Right
from chat.review.staff_notices.models import NoticeChoices
from chat.review.staff_notices.notice_list import choices_of
from chat.review.utc_days import today
from chat.site_settings import effective
from chat.upstream import available_models

MOST_ROWS = 10
PEOPLE_AT_ONCE = 50


def this_month() -> date:
    """Return the first day of this month."""
    return today().replace(day=1)


def find_due() -> None:
    """Store the mails about the last month, once all of its days are counted. Run every minute."""
    month = this_month()
    waiting = NoticeChoices.objects.filter(_not_mailed_in(month), costs_by_mail=True)
    if not (privacy.is_reading_allowed() and waiting.exists()):
        return
    if any(day < month for day in rollup.open_days()):
        return
    for person_id in list(waiting.values_list("pk", flat=True)[:PEOPLE_AT_ONCE]):
        _add(person_id, month)


@transaction.atomic
def _add(person_id: int, month: date) -> None:
    theirs = NoticeChoices.objects.filter(_not_mailed_in(month), pk=person_id)
    if theirs.update(costs_mailed_in=month):  # otherwise, another process was faster
        last = month - timedelta(days=1)
        MAIL.add(group=person_id, recipient=person_id, last=last.isoformat())


def _not_mailed_in(month: date) -> Q:
    return Q(costs_mailed_in=None) | Q(costs_mailed_in__lt=month)


def _message(delivery: Delivery) -> EmailMessage | None:
    """Return the mail in the language of its receiver, if they still see figures and want it."""
    person = User.objects.filter(pk=delivery.recipient, closed_at=None).first()
    if person is None or not choices_of(person.pk).costs_by_mail:
        return None
    try:
        reviewer = roles.holder_of(person, Right.FIGURES)
    except NotFound:
        return None
    last = date.fromisoformat(delivery.content["last"])
    report = UsageReport(reviewer, Period(last.replace(day=1), last))
    with translation.override(Preferences.of(person).language or settings.LANGUAGE_CODE):
        month = date_format(last, "YEAR_MONTH_FORMAT")
        subject = _("{site}: costs of {month}").format(site=effective.site_name(), month=month)
        text = render_to_string("review/costs_mail.txt", _context(report, month))
    return mail.message(subject, text, person.email)


def _context(report: UsageReport, month: str) -> dict[str, object]:
    rows, period = shown_costs(report), report.period
    query = f"since={period.first.isoformat()}&until={period.last.isoformat()}"
    return {
        "month": month,
        "total": _dollars(sum(each.amounts.dollars for each in rows)),
        "before": _dollars(report.dollars(report.period.before)),
        "messages": format_number(sum(each.amounts["messages"] for each in rows)),
        "rows": [_line(each) for each in rows[:MOST_ROWS]],
        "others": len(rows[MOST_ROWS:]),
        "cost_of_others": _dollars(sum(each.amounts.dollars for each in rows[MOST_ROWS:])),
        "url": absolute_url(f"{reverse('review_analytics')}?{query}"),
        "site": effective.site_name(),
    }


def _line(row: CostRow) -> str:
    """Return the cost and, each on one line, the names of what it was for."""
    names = [*row.place[:-1], available_models.name_of(row.place.model)]
    place = " · ".join(" ".join(each.split()) for each in names if each)
    return f"{_dollars(row.amounts.dollars)}  {place}"


def _dollars(amount: float) -> str:
    return format_value(float(amount), "dollars")


MAIL = mail.kind("staff_costs_mail", _message)
