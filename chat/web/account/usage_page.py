"""Show members what they have used: their limits, charts and tables by day and model."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chat.accounts.principals import payer_of
from chat.lib import charts
from chat.lib.charts import Chart
from chat.lib.number_format import format_value
from chat.quotas.allowance import allowance_of
from chat.quotas.usage_by_day import UsageSum, total, usage_by_day, usage_by_model
from chat.upstream import available_models
from chat.web.account.usage_lines import shown_allowance
from chat.web.http.typed_requests import MemberRequest

PERIODS = (7, 30, 90)
USUAL_DAYS = 30


@require_safe
@never_cache
@login_required
def show(request: MemberRequest) -> HttpResponse:
    days = _days_in(request.GET.get("days", ""))
    last = datetime.now(UTC).date()
    period = request.user.pk, last - timedelta(days=days - 1), last
    by_day = usage_by_day(*period)
    allowance = allowance_of(payer_of(request, request.user.pk))
    context = {
        "limits": shown_allowance(allowance)["rows"],
        "resets_at": allowance.tightest and allowance.tightest.resets_at,
        "periods": [(each, each == days) for each in PERIODS],
        "charts": _charts(by_day),
        "days": [(day, _cells(each)) for day, each in reversed(by_day.items()) if each.answers],
        "models": [
            (available_models.name_of(model), _cells(each))
            for model, each in usage_by_model(*period).items()
        ],
        "total": _cells(total(by_day.values())),
    }
    return render(request, "settings/usage.html", context)


def _days_in(text: str) -> int:
    return int(text) if text in map(str, PERIODS) else USUAL_DAYS


def _charts(by_day: Mapping[date, UsageSum]) -> list[Chart]:
    return [
        _chart(by_day, "answers", _("Answers"), "count"),
        _chart(by_day, "dollars", _("Cost"), "dollars"),
    ]


def _chart(by_day: Mapping[date, UsageSum], name: str, title: str, kind: str) -> Chart:
    days = list(by_day)
    values = [getattr(each, name) for each in by_day.values()]
    most = max(values)
    titles = [
        f"{format_value(day, 'long day')}: {format_value(value, kind)}"
        for day, value in zip(days, values, strict=True)
    ]
    return Chart(
        name,
        title,
        _("One bar per day. The table below has the numbers."),
        width=len(days) * charts.STEP,
        points=charts.points(titles),
        dates=charts.axis_dates(days, "long day"),
        bars=charts.bars(values, titles, most),
        most=format_value(most, kind),
        total=format_value(sum(values), kind),
    )


def _cells(usage: UsageSum) -> list[Any]:
    """Return the formatted cells of a row of a table."""
    return [
        format_value(usage.answers, "count"),
        format_value(usage.tokens, "count"),
        format_value(usage.dollars, "dollars"),
    ]
