"""Define the form for a new service key."""

from typing import Any

from django import forms
from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy as _

from chat.api_keys.keys import ServiceKeyOptions
from chat.review.service_keys.readers import KeyScope
from chat.web.api_keys.forms import LifetimeField
from chat.web.http.form_fields import LineField
from chat.widget_sites.models import WidgetSite

SCOPE_NAMES: dict[str, Any] = {
    KeyScope.FIGURES: _("Figures: analytics, costs and limits, without chats"),
    KeyScope.AUDIT: _("Audit log: who read and did what"),
    KeyScope.REVIEW: _("Chats: their messages, cases, flags and verdicts"),
}


class ServiceKeyForm(forms.Form):
    name = LineField(
        most=100,
        label=_("Name"),
        help_text=_("Which program uses the key. It is recorded with everything the key reads."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What the key may read"),
        choices=list(SCOPE_NAMES.items()),
        widget=forms.CheckboxSelectMultiple,
    )
    groups = forms.ModelMultipleChoiceField(
        Group.objects.order_by("name"),
        required=False,
        label=_("Only members of these groups"),
        widget=forms.CheckboxSelectMultiple,
    )
    sites = forms.ModelMultipleChoiceField(
        WidgetSite.objects.order_by("name", "pk"),
        required=False,
        label=_("Only visitors of these websites"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Without any group or website, the key reads about everybody."),
    )
    lifetime = LifetimeField()

    def __init__(self, sent: Any) -> None:
        super().__init__(sent)
        for name, model in (("groups", Group), ("sites", WidgetSite)):
            if not model._default_manager.exists():
                del self.fields[name]

    @property
    def options(self) -> ServiceKeyOptions:
        """Return what was chosen in a valid form."""
        values = self.cleaned_data
        return ServiceKeyOptions(
            name=values["name"],
            scopes=values["scopes"],
            expires_at=values["lifetime"],
            group_ids=[each.pk for each in values.get("groups", ())],
            site_ids=[each.pk for each in values.get("sites", ())],
        )
