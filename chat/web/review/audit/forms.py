"""Define the filters of the access log and staff actions: who, about whom, what, and when."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.actor import SERVER
from chat.accounts.models import User
from chat.lib.whole_number import whole_number
from chat.review.access_log import queries as log_queries
from chat.review.access_log.queries import LISTING_KINDS, LogFilter
from chat.review.access_log.staff_actions import StaffAction
from chat.review.models import AccessLogEntry
from chat.review.staff import privacy, roles
from chat.review.staff.roles import Reviewer
from chat.review.utc_days import end_of, start_of
from chat.web.http.form_fields import LineField, offer_choices
from chat.web.review.http.facet_forms import UtcDayField

ALL = "all"
ANYBODY = ("", gettext_lazy("Anyone"))
#: Titles in lists make many entries for each chat that was opened.
WITHOUT_LISTINGS = ("", gettext_lazy("Everything except lists and search results"))


class AuditFilterForm(forms.Form):
    """The filters that both logs share; the field names are part of URLs."""

    who = forms.ChoiceField(required=False, label=gettext_lazy("Staff member"))
    person = LineField(most=254, required=False, label=gettext_lazy("Person"))
    kind = forms.ChoiceField(required=False, label=gettext_lazy("Event"))
    since = UtcDayField(gettext_lazy("From (day in UTC)"))
    until = UtcDayField(gettext_lazy("To (day in UTC)"))
    chat = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, sent: QueryDict, reviewer: Reviewer) -> None:
        super().__init__(sent)
        self.reviewer = reviewer
        offer_choices(self, "who", [ANYBODY, *self._staff(sent.get("who", ""))])
        offer_choices(self, "kind", self.kinds())
        values = {name: sent.get(name, "").strip() for name in self.fields}
        self.query = urlencode([(name, value) for name, value in values.items() if value])

    def _staff(self, chosen: str) -> list[tuple[str, str]]:
        """Return the current staff, and whoever is in the URL if entries name them.

        These may be former staff. Any other number would name a member whom nobody has to know.
        """
        choices = {str(each.pk): str(each) for each in roles.staff_users()}
        number = whole_number(chosen)
        if number is not None and self.entries(LogFilter(actor=number)).exists():
            person = User.objects.filter(pk=number).first()
            nobody = _("System") if number == SERVER else _("Deleted user")
            choices.setdefault(chosen, str(person) if person else nobody)
        return list(choices.items())

    def entries(self, wanted: LogFilter) -> QuerySet[Any]:
        """Return the entries of the log that the reviewer may see."""
        raise NotImplementedError

    def kinds(self) -> list[tuple[str, Any]]:
        raise NotImplementedError

    def chosen_kinds(self, kind: str) -> tuple[str, ...] | None:
        return (kind,) if kind and kind != ALL else None

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        since, until = data.get("since"), data.get("until")
        if since and until and since > until:
            raise ValidationError(_("The start date is after the end date."))
        return data

    @property
    def wanted(self) -> LogFilter:
        data = self.cleaned_data
        about, until = data["person"], data["until"]
        return LogFilter(
            actor=int(data["who"]) if data["who"] else None,
            people=tuple(privacy.find_users(self.reviewer, about)) if about else None,
            kinds=self.chosen_kinds(data["kind"]),
            since=start_of(data["since"]) if data["since"] else None,
            until=end_of(until) if until else None,
            chat=data["chat"],
        )


class AccessLogForm(AuditFilterForm):
    def entries(self, wanted: LogFilter) -> QuerySet[Any]:
        return log_queries.rows_for(self.reviewer, wanted)

    def kinds(self) -> list[tuple[str, Any]]:
        return [WITHOUT_LISTINGS, (ALL, gettext_lazy("All")), *AccessLogEntry.Kind.choices]

    def chosen_kinds(self, kind: str) -> tuple[str, ...] | None:
        if kind:
            return super().chosen_kinds(kind)
        return tuple(each.value for each in AccessLogEntry.Kind if each not in LISTING_KINDS)


class StaffActionsForm(AuditFilterForm):
    def entries(self, wanted: LogFilter) -> QuerySet[Any]:
        return log_queries.actions_for(self.reviewer, wanted)

    def kinds(self) -> list[tuple[str, Any]]:
        return [("", gettext_lazy("All")), *StaffAction.Kind.choices]
