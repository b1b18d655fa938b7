"""Forms with which a team assigns, snoozes and labels chats."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.inbox import labels
from chat.inbox.models import InboxLabel
from chat.review.models import NOTE_LENGTH
from chat.web.http.form_fields import LineField, MomentField, TextField
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.team import people_of

HOURS = (
    ("1", gettext_lazy("1 hour")),
    ("4", gettext_lazy("4 hours")),
    ("24", gettext_lazy("1 day")),
    ("72", gettext_lazy("3 days")),
    ("168", gettext_lazy("1 week")),
    ("", gettext_lazy("Until a time")),
)


class AssignmentForm(forms.Form):
    assignee = forms.TypedChoiceField(
        label=gettext_lazy("Assign to"), required=False, coerce=int, empty_value=None
    )
    note = TextField(
        most=NOTE_LENGTH,
        rows=2,
        required=False,
        label=gettext_lazy("Note for the team (optional)"),
        help_text=gettext_lazy("The visitor doesn't see it."),
    )

    def __init__(self, site: WidgetSite, sent: Any = None, assignee: int | None = None) -> None:
        super().__init__(sent, initial={"assignee": assignee}, auto_id="assign_%s")
        people = [(each.pk, str(each)) for each in people_of(site)]
        self.fields["assignee"].choices = [("", gettext_lazy("Nobody")), *people]  # type: ignore[attr-defined]


class ChatLabelsForm(forms.Form):
    labels = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Labels"),
        required=False,
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, site: WidgetSite, sent: Any = None, chosen: Collection[int] = ()) -> None:
        super().__init__(sent, initial={"labels": list(chosen)}, auto_id="label_%s")
        choices = [(each.pk, each.name) for each in labels.labels_of(site)]
        self.fields["labels"].choices = choices  # type: ignore[attr-defined]


class NewLabelForm(forms.Form):
    name = LineField(most=InboxLabel.NAME_LENGTH, label=gettext_lazy("Name"))


class SnoozeForm(forms.Form):
    hours = forms.ChoiceField(label=gettext_lazy("Snooze for"), choices=HOURS, required=False)
    until = MomentField(
        label=gettext_lazy("Time"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )

    def __init__(self, sent: Any = None) -> None:
        super().__init__(sent, initial={"hours": "24"}, auto_id="snooze_%s")
        zone = timezone.get_current_timezone_name()
        self.fields["until"].help_text = _("For “Until a time”, in the time zone {zone}.").format(
            zone=zone
        )

    @property
    def end(self) -> datetime:
        """When the snooze is over."""
        if hours := self.cleaned_data["hours"]:
            return timezone.now() + timedelta(hours=int(hours))
        until: datetime = self.cleaned_data["until"]
        return until

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not (self.errors or values.get("hours") or values.get("until")):
            self.add_error("until", _("Enter a time."))
        return values
