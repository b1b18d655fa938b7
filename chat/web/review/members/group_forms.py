"""Define forms for a group: its reviewers, and what its members may use."""

from typing import Any

from django import forms
from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy

from chat.conversations.retention import periods
from chat.generations import model_permissions, tool_permissions
from chat.personas.models import Persona
from chat.personas.parameters import Range
from chat.tools import toolbox
from chat.upstream import available_models
from chat.web.http import tool_fields
from chat.web.http.form_fields import NumberField, SeveralField, offer_choices
from chat.web.http.tool_fields import ToolsField
from chat.widget_sites.models import WidgetSite


class ScopeForm(forms.Form):
    """The staff group that may review the members of a group, or a website's visitors."""

    team = forms.ModelChoiceField(
        Group.objects.none(), label=gettext_lazy("Staff group"), empty_label=None
    )

    def __init__(self, sent: Any = None) -> None:
        super().__init__(sent)
        reviewing = Group.objects.filter(permissions__codename__in=("review", "lead_review"))
        field = self.fields["team"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  (as it is declared)
        field.queryset = reviewing.distinct().order_by("name")


class AccountScopeForm(forms.Form):
    """Whom a staff member may review: everyone, the members of a group or a website's visitors."""

    whom = forms.ChoiceField(label=gettext_lazy("Whose chats"))

    def __init__(self, sent: Any = None) -> None:
        super().__init__(sent)
        groups = [(f"group-{each.pk}", each.name) for each in Group.objects.order_by("name")]
        sites = [
            (f"site-{each.pk}", each.name) for each in WidgetSite.objects.order_by("name", "pk")
        ]
        choices = [
            ("", "–"),
            (gettext_lazy("Members of the group"), groups),
            (gettext_lazy("Visitors of the website"), sites),
            ("everyone", gettext_lazy("Everyone")),
        ]
        offer_choices(self, "whom", choices)

    @property
    def scope(self) -> dict[str, Any]:
        """Return the chosen group or website, as arguments of `scopes.add`."""
        kind, _dash, number = self.cleaned_data["whom"].partition("-")
        if kind == "group":
            return {"members": Group.objects.get(pk=number)}
        return {"site": WidgetSite.objects.get(pk=number)} if kind == "site" else {}


class GroupRetentionForm(forms.Form):
    days = NumberField(
        allowed=Range(periods.FOR_EVER, periods.MAX_DAYS, is_whole=True),
        label=gettext_lazy("Delete chats that nobody used for (days)"),
    )


class AccessForm(forms.Form):
    models = forms.MultipleChoiceField(
        required=False,
        label=gettext_lazy("Allowed models"),
        help_text=gettext_lazy("If none are selected, all available models are allowed."),
        widget=forms.CheckboxSelectMultiple,
    )
    tools = ToolsField(
        gettext_lazy("Allowed tools"),
        gettext_lazy("Members of several groups may use what none of them withholds."),
    )
    personas = SeveralField(
        Persona.objects.none(),
        required=False,
        label=gettext_lazy("Available personas"),
        help_text=gettext_lazy("Site personas that aren't already shared with everyone."),
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, sent: Any, group: Group) -> None:
        named = model_permissions.of_group(group)
        personas = Persona.objects.filter(owner=None, for_everybody=False).order_by("name")
        chosen = personas.filter(groups=group)
        withheld = tool_permissions.withheld_by(group)
        tools = " ".join(name for name in toolbox.offered_built_in() if name not in withheld)
        initial = {"models": sorted(named), "personas": list(chosen), "tools": tools}
        super().__init__(sent, initial=initial)
        tool_fields.offer(self, "tools", toolbox.offered_built_in())
        offered = available_models.offered_models()
        choices = [(each.id, each.name) for each in offered.values()]
        choices += [(name, name) for name in sorted(named - offered.keys())]  # no longer available
        offer_choices(self, "models", choices)
        shared = self.fields["personas"]
        assert isinstance(shared, SeveralField)  # noqa: S101
        shared.queryset = personas
