"""Say what notices are about, and where it is shown, without names of members or text of chats."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC

from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from chat.lib.number_format import format_number, format_percent
from chat.quotas.models import Limit
from chat.quotas.payer import EVERYONE, VISITORS
from chat.review.staff_notices.models import Alert, StaffNotice
from chat.widget_sites.models import WidgetSite

GROUP, SITE = "group:", "site:"


@dataclass(frozen=True, slots=True)
class NoticeWording:
    text: str
    path: str


def wording_of(notice: StaffNotice) -> NoticeWording:
    return wordings_of([notice])[0]


def wordings_of(notices: Iterable[StaffNotice]) -> list[NoticeWording]:
    """Return the text of each notice, and the page that it leads to."""
    notices = list(notices)
    names = _names_of(each.alert for each in notices if each.alert)
    return [_wording(each, names) for each in notices]


def _wording(notice: StaffNotice, names: dict[str, str]) -> NoticeWording:
    words, alert = str(notice.get_kind_display()), notice.alert
    if notice.kind == StaffNotice.Kind.UNSENT:
        return NoticeWording(words, reverse("review_access_log"))
    if notice.due_on:
        return NoticeWording(_data_request(notice), reverse("review_data_requests"))
    if alert is None:
        return NoticeWording(words, reverse("review_conversation", args=[notice.conversation]))
    if alert.kind == Alert.Kind.BUDGET:
        return NoticeWording(_budget(alert, names), _limits_path(alert.meter))
    if notice.kind == StaffNotice.Kind.FAILING:
        percent = format_percent(format_number(alert.percent))
        words = _("More than {percent} of recent answers failed.").format(percent=percent)
    return NoticeWording(words, reverse("review_status"))


def _data_request(notice: StaffNotice) -> str:
    day = date_format(notice.due_on, "DATE_FORMAT") if notice.due_on else ""
    if notice.kind == StaffNotice.Kind.OVERDUE:
        return _("A request for personal data was due on {day}.").format(day=day)
    return _("A request for personal data is due on {day}.").format(day=day)


def _budget(alert: Alert, names: dict[str, str]) -> str:
    dollars = round(alert.microdollars / 1_000_000, 2)
    month = alert.month.astimezone(UTC) if alert.month else None
    return _("{percent} of the limit of {amount} for {month} is spent ({whose}).").format(
        percent=format_percent(format_number(alert.percent)),
        amount=f"${number_format(dollars, 2, force_grouping=True)}",
        month=date_format(month, "YEAR_MONTH_FORMAT") if month else "",
        whose=names.get(alert.meter, alert.meter),
    )


def _limits_path(meter: str) -> str:
    kind, _colon, key = meter.partition(":")
    place = {"group": ["group", key], "site": ["website", key]}.get(kind, ["all", "site"])
    return reverse("review_quotas", args=place)


def _names_of(alerts: Iterable[Alert]) -> dict[str, str]:
    """Return what the budgets of these alerts are called, each on one line."""
    meters = {each.meter for each in alerts}
    names = {
        EVERYONE: str(Limit.Scope.EVERYONE.label),
        VISITORS: str(Limit.Scope.VISITORS.label),
    }
    if groups := _keys(meters, GROUP):
        rows = Group.objects.filter(pk__in=groups).values_list("pk", "name")
        names |= {f"{GROUP}{key}": name for key, name in rows}
    if sites := _keys(meters, SITE):
        pairs = WidgetSite.objects.filter(key__in=sites).values_list("key", "name")
        names |= {f"{SITE}{key}": name for key, name in pairs}
    return {meter: " ".join(name.split()) for meter, name in names.items()}


def _keys(meters: Iterable[str], prefix: str) -> list[str]:
    return [each.removeprefix(prefix) for each in meters if each.startswith(prefix)]
