"""Define the form for when and how a site's team answers visitors."""

from datetime import time
from itertools import product
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.http import QueryDict
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.web.http.form_fields import LineField, LinesField, TextField, require_webhook_url
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
    "mails_gaps",
    "webhook_url",
)


#: Openings of a day that the form has room for.
PERIODS = (1, 2)


class HoursRow(NamedTuple):
    """A row of the table of hours. The name of the day stands before its first one."""

    day: Any
    since: BoundField
    until: BoundField


class EndField(forms.TimeField):
    """A time at which an opening ends; 24:00 is midnight."""

    def to_python(self, value: Any) -> time | None:
        found: time | None = super().to_python("00:00" if value == "24:00" else value)
        return found


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
    mails_gaps = forms.BooleanField(
        label=gettext_lazy("Email unanswered questions"),
        required=False,
        help_text=gettext_lazy("Once a week, to the owners, if there are any."),
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
        for day, period in product(range(DAYS), PERIODS):
            for name, kind in (("since", forms.TimeField), ("until", EndField)):
                widget = _time_input(day, period, name)
                self.fields[_name(name, day, period)] = kind(required=False, widget=widget)

    @property
    def asking(self) -> list[BoundField]:
        return [self[name] for name in STORED[:5]]

    @property
    def emails(self) -> list[BoundField]:
        return [self["asks_email"], self["mails_transcripts"]]

    @property
    def notices(self) -> list[BoundField]:
        return [self["notifies_by_mail"], self["mails_gaps"], self["webhook_url"]]

    @property
    def periods(self) -> list[HoursRow]:
        return [
            HoursRow(
                WEEKDAYS[day] if period == 1 else "",
                self[_name("since", day, period)],
                self[_name("until", day, period)],
            )
            for day, period in product(range(DAYS), PERIODS)
        ]

    def clean_webhook_url(self) -> str:
        return require_webhook_url(self.cleaned_data["webhook_url"])

    def clean_timezone(self) -> str:
        name: str = self.cleaned_data["timezone"] or timezone.get_current_timezone_name()
        if name not in available_timezones():
            raise ValidationError(_("Enter a valid time zone, such as Europe/Berlin."))
        return name

    def clean(self) -> dict[str, Any]:
        for day, period in product(range(DAYS), PERIODS):
            since, until = self._times(day, period)
            if (since is None) != (until is None):
                empty = _name("since" if since is None else "until", day, period)
                if empty not in self.errors:
                    self.add_error(empty, _("Enter both times, or none."))
        for day in range(DAYS):
            openings = self._openings(day)
            if len(openings) > 1 and not openings[0].since < openings[0].until <= openings[1].since:
                words = _("The second period must begin after the first one ends.")
                self.add_error(_name("since", day, 2), words)
        return super().clean() or {}

    def save(self) -> None:
        site, values = self.site, self.cleaned_data
        for name in STORED:
            setattr(site, name, values[name])
        openings = tuple(tuple(self._openings(day)) for day in range(DAYS))
        zone = values["timezone"]
        hours = OpeningHours(ZoneInfo(zone), openings)
        site.opening_hours = hours.as_stored() if any(openings) else {"timezone": zone}
        site.updated_at = timezone.now()
        if site.webhook_url and not site.webhook_secret:
            site.webhook_secret = self.made_secret = new_secret()
        elif not site.webhook_url:
            site.webhook_secret = ""
        site.save()

    def _openings(self, day: int) -> list[Opening]:
        times = (self._times(day, period) for period in PERIODS)
        return [Opening(since, until) for since, until in times if since and until]

    def _times(self, day: int, period: int) -> tuple[time | None, time | None]:
        values = self.cleaned_data
        return values.get(_name("since", day, period)), values.get(_name("until", day, period))


def _name(name: str, day: int, period: int) -> str:
    return f"{name}_{day}" if period == 1 else f"{name}_{day}_{period}"


def _time_input(day: int, period: int, name: str) -> forms.TimeInput:
    words = {
        ("since", 1): _("{day} from"),
        ("until", 1): _("{day} until"),
        ("since", 2): _("{day} again from"),
        ("until", 2): _("{day} again until"),
    }
    label = words[name, period].format(day=WEEKDAYS[day])
    attrs = {"type": "time", "aria-label": label, "autocomplete": "off"}
    return forms.TimeInput(attrs=attrs, format="%H:%M")


def _values_of(site: WidgetSite) -> dict[str, Any]:
    values = {name: getattr(site, name) for name in STORED}
    hours = OpeningHours.of(site)
    values["timezone"] = OpeningHours.timezone_of(site) or timezone.get_current_timezone_name()
    for day, openings in enumerate(hours.days if hours else ()):
        for period, opening in enumerate(openings, 1):
            values[_name("since", day, period)] = opening.since
            values[_name("until", day, period)] = opening.until
    return values
