"""Define the form for when and how a site's team answers visitors."""

from datetime import time
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.http import QueryDict
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.web.http.form_fields import LineField, LinesField, TextField, require_public_url
from chat.webhooks.signed_post import new_secret
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.opening_hours import DAYS, Opening, OpeningHours

STORED = (
    "offers_person",
    "person_reply",
    "away_reply",
    "person_phrases",
    "canned_replies",
    "asks_email",
    "mails_transcripts",
    "notifies_by_mail",
    "webhook_url",
)


class Day(NamedTuple):
    """A row of the table of hours."""

    name: Any
    since: BoundField
    until: BoundField


class OpeningHoursForm(forms.Form):
    offers_person = forms.BooleanField(
        label=gettext_lazy("Visitors can ask to talk to a person"),
        required=False,
        help_text=gettext_lazy("The chat then waits in the inbox, and the team is notified."),
    )
    person_reply = TextField(
        most=500,
        rows=2,
        label=gettext_lazy("Reply to visitors who ask to talk to a person"),
        required=False,
        help_text=gettext_lazy("For example: We usually answer within five minutes."),
    )
    away_reply = TextField(
        most=500,
        rows=2,
        label=gettext_lazy("Reply outside opening hours"),
        required=False,
        help_text=gettext_lazy("The chat also shows when your team is back."),
    )
    person_phrases = LinesField(
        most_lines=30,
        most=60,
        rows=4,
        label=gettext_lazy("Phrases that trigger the offer to talk to a person"),
        required=False,
        help_text=gettext_lazy(
            "One per line, such as: talk to a person. Visitors who write one are asked if they "
            "want to talk to a person."
        ),
    )
    canned_replies = LinesField(
        most_lines=50,
        most=500,
        rows=4,
        label=gettext_lazy("Saved replies"),
        required=False,
        help_text=gettext_lazy("One per line. Your team can insert them when replying."),
    )
    timezone = LineField(
        most=60,
        label=gettext_lazy("Time zone"),
        required=False,
        help_text=gettext_lazy("Such as Europe/Berlin."),
    )
    asks_email = forms.BooleanField(
        label=gettext_lazy("Ask waiting visitors for their email address"),
        required=False,
        help_text=gettext_lazy("Replies they don't read in the chat are then emailed to them."),
    )
    mails_transcripts = forms.BooleanField(
        label=gettext_lazy("Visitors can email the chat to themselves"), required=False
    )
    notifies_by_mail = forms.BooleanField(
        label=gettext_lazy("Email the team"),
        required=False,
        help_text=gettext_lazy(
            "When a visitor asks to talk to a person, rates an answer as bad, or waits for a "
            "reply from a person."
        ),
    )
    webhook_url = LineField(
        most=200,
        label=gettext_lazy("Webhook address"),
        required=False,
        help_text=gettext_lazy(
            "Receives the same notifications as signed requests. It must be publicly accessible."
        ),
    )

    def __init__(self, sent: QueryDict | None, site: WidgetSite) -> None:
        self.site = site
        self.made_secret = ""  # of the webhook, if saving has made one
        super().__init__(sent, initial=_values_of(site))
        for day in range(DAYS):
            for name, label in (("since", _("from")), ("until", _("until"))):
                field = forms.TimeField(required=False, widget=_time_input(day, label))
                self.fields[f"{name}_{day}"] = field

    @property
    def asking(self) -> list[BoundField]:
        return [self[name] for name in STORED[:5]]

    @property
    def emails(self) -> list[BoundField]:
        return [self["asks_email"], self["mails_transcripts"]]

    @property
    def notices(self) -> list[BoundField]:
        return [self["notifies_by_mail"], self["webhook_url"]]

    @property
    def days(self) -> list[Day]:
        rows = range(DAYS)
        return [Day(WEEKDAYS[day], self[f"since_{day}"], self[f"until_{day}"]) for day in rows]

    def clean_webhook_url(self) -> str:
        schemes = ("https", "http") if settings.CHECK_LOCAL_SITES else ("https",)
        return require_public_url(self.cleaned_data["webhook_url"], *schemes)

    def clean_timezone(self) -> str:
        name: str = self.cleaned_data["timezone"] or timezone.get_current_timezone_name()
        if name not in available_timezones():
            raise ValidationError(_("Enter a valid time zone, such as Europe/Berlin."))
        return name

    def clean(self) -> dict[str, Any]:
        for day in range(DAYS):
            since, until = self._times(day)
            if (since is None) != (until is None):
                empty = "since" if since is None else "until"
                if f"{empty}_{day}" not in self.errors:
                    self.add_error(f"{empty}_{day}", _("Enter both times, or none."))
            elif since and until and since >= until:
                self.add_error(f"until_{day}", _("This must be later than the start."))
        return super().clean() or {}

    def save(self) -> None:
        site, values = self.site, self.cleaned_data
        for name in STORED:
            setattr(site, name, values[name])
        days = [self._times(day) for day in range(DAYS)]
        openings = tuple(
            Opening(since, until) if since and until else None for since, until in days
        )
        hours = OpeningHours(ZoneInfo(values["timezone"]), openings)
        site.opening_hours = hours.as_stored() if any(openings) else None
        site.updated_at = timezone.now()
        if site.webhook_url and not site.webhook_secret:
            site.webhook_secret = self.made_secret = new_secret()
        elif not site.webhook_url:
            site.webhook_secret = ""
        site.save()

    def _times(self, day: int) -> tuple[time | None, time | None]:
        values = self.cleaned_data
        return values.get(f"since_{day}"), values.get(f"until_{day}")


def _time_input(day: int, label: str) -> forms.TimeInput:
    attrs = {"type": "time", "aria-label": f"{WEEKDAYS[day]} {label}", "autocomplete": "off"}
    return forms.TimeInput(attrs=attrs, format="%H:%M")


def _values_of(site: WidgetSite) -> dict[str, Any]:
    values = {name: getattr(site, name) for name in STORED}
    hours = OpeningHours.of(site)
    values["timezone"] = hours.timezone.key if hours else timezone.get_current_timezone_name()
    for day, opening in enumerate(hours.days if hours else ()):
        if opening:
            values |= {f"since_{day}": opening.since, f"until_{day}": opening.until}
    return values
