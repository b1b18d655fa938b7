"""Form of an action on several chats of an inbox."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from chat.inbox import labels
from chat.web.http.form_fields import MomentField
from chat.web.inbox.handling_forms import HOURS
from chat.widget_sites.models import WidgetSite


class SelectionForm(forms.Form):
    """What to do with the selected chats, beside the button that was pressed."""

    use_required_attribute = False  # each button needs other fields

    hours = forms.TypedChoiceField(
        label=gettext_lazy("Snooze for"), choices=HOURS[:-1], coerce=int, required=False
    )
    label = forms.TypedChoiceField(label=gettext_lazy("Label to add"), coerce=int, required=False)
    #: When the list was made. What visitors wrote after that isn't closed unseen.
    seen_at = MomentField(widget=forms.HiddenInput, required=False)

    def __init__(self, site: WidgetSite, sent: Any = None, **options: Any) -> None:
        super().__init__(sent, auto_id="selection_%s", **options)
        known = [(each.pk, each.name) for each in labels.labels_of(site)]
        self.fields["label"].choices = known  # type: ignore[attr-defined]
        self.has_labels = bool(known)

    @property
    def snoozed_until(self) -> datetime:
        return timezone.now() + timedelta(hours=self.cleaned_data["hours"] or 24)


def ids_in(sent: list[str]) -> list[UUID]:
    """Return the chats that are selected, once each; what is no ID is left out."""
    found: dict[UUID, None] = {}
    for each in sent:
        try:
            found[UUID(each)] = None
        except ValueError:
            continue
    return list(found)
