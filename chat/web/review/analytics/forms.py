"""Define the form for the period and group of the analytics page."""

from typing import Any

from django import forms
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.review.analytics.reports import Period
from chat.review.staff.roles import Reviewer
from chat.web.review.analytics.presenters import latest_period
from chat.web.review.http.facet_forms import UtcDayField, in_scope, set_choices
from chat.widget_sites.models import WidgetSite

USUAL_DAYS = 30
MAX_DAYS = 400
LENGTHS = (7, 30, 90)


class PeriodForm(forms.Form):
    """The last `days` days, or a start and an end date."""

    days = forms.TypedChoiceField(
        coerce=int,
        required=False,
        empty_value=None,
        choices=[(each, each) for each in LENGTHS],
        widget=forms.HiddenInput,
    )
    since = UtcDayField(gettext_lazy("From (day in UTC)"))
    until = UtcDayField(gettext_lazy("To (day in UTC)"))
    group = forms.ModelChoiceField(
        Group.objects.none(),
        required=False,
        label=gettext_lazy("Group"),
        empty_label=gettext_lazy("Any"),
    )

    site = forms.ModelChoiceField(
        WidgetSite.objects.none(),
        required=False,
        label=gettext_lazy("Website"),
        empty_label=gettext_lazy("Any"),
    )

    def __init__(self, sent: Any, reviewer: Reviewer) -> None:
        super().__init__(sent)
        groups, sites = in_scope(reviewer)
        set_choices(self, group=groups, site=sites)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        since, until = data.get("since"), data.get("until")
        if self.errors or not (since or until):
            return data
        until = until or latest_period(1).last
        since = since or until
        if since > until:
            raise ValidationError(_("The start date is after the end date."))
        if Period(since, until).days > MAX_DAYS:
            raise ValidationError(_("Choose at most {days} days.").format(days=MAX_DAYS))
        return data | {"period": Period(since, until)}

    @property
    def period(self) -> Period:
        data = self.cleaned_data
        period: Period = data.get("period") or latest_period(data.get("days") or USUAL_DAYS)
        return period

    @property
    def facets(self) -> dict[str, str]:
        """Return the group and website as filters of the staff's search."""
        rows = {name: self.cleaned_data.get(name) for name in ("group", "site")}
        return {name: str(row.pk) for name, row in rows.items() if row}

    @property
    def measured_site(self) -> str:
        site = self.cleaned_data.get("site")
        return str(site.key) if site else ""

    @property
    def measured_group(self) -> int | None:
        group = self.cleaned_data.get("group")
        return group.pk if group else None
