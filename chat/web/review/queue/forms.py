"""Define the forms of the queue."""

from typing import Any

from django import forms
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.review.case_models import WORDS_LENGTH, Flag, Rule, Severity
from chat.review.cases.queue import NEWEST_FIRST, OLDEST_FIRST, STATES, CaseFilter
from chat.review.cases.rules import rules_for
from chat.review.staff import roles
from chat.review.staff.roles import Reviewer
from chat.web.http.form_fields import TextField
from chat.web.review.http.facet_forms import ANY, SOURCE_NAMES, in_scope, set_choices
from chat.web.review.http.reason_fields import require_few_words
from chat.widget_sites.models import WidgetSite

STATE_NAMES = {
    "": _("Unresolved"),
    "open": _("Unassigned"),
    "in_work": _("In progress"),
    "resolved": _("Resolved"),
    "dismissed": _("Dismissed"),
    "confirmed": _("Confirmed"),
    "all": _("All"),
}


class CaseFilterForm(forms.Form):
    """Filters of the queue. Invalid values are explained beside their field."""

    state = forms.ChoiceField(
        required=False, label=_("Status"), choices=[(each, STATE_NAMES[each]) for each in STATES]
    )
    source = forms.ChoiceField(
        required=False, label=_("Source"), choices=[*ANY, *SOURCE_NAMES.items()]
    )
    rule = forms.ModelChoiceField(
        Rule.objects.none(), required=False, label=_("Rule"), empty_label=_("Any")
    )
    severity = forms.ChoiceField(
        required=False, label=_("Severity"), choices=[*ANY, *Severity.choices]
    )
    reason = forms.ChoiceField(
        required=False, label=_("Reason"), choices=[*ANY, *Flag.Reason.choices]
    )
    assigned_to = forms.ChoiceField(
        required=False,
        label=_("Assignee"),
        choices=[*ANY, ("me", _("Me")), ("unassigned", _("Unassigned"))],
    )
    group = forms.ModelChoiceField(
        Group.objects.none(), required=False, label=_("Group"), empty_label=_("Any")
    )
    site = forms.ModelChoiceField(
        WidgetSite.objects.none(), required=False, label=_("Website"), empty_label=_("Any")
    )
    order = forms.ChoiceField(
        required=False,
        label=_("Sort by"),
        choices=[
            ("", _("Highest severity first")),
            (OLDEST_FIRST, _("Oldest first")),
            (NEWEST_FIRST, _("Newest first")),
        ],
    )

    def __init__(self, sent: Any, reviewer: Reviewer) -> None:
        super().__init__(sent)
        groups, sites = in_scope(reviewer)
        set_choices(self, group=groups, site=sites, rule=rules_for(reviewer))

    @property
    def case_filter(self) -> CaseFilter:
        values = self.cleaned_data
        rule, group, site = (values.get(name) for name in ("rule", "group", "site"))
        return CaseFilter(
            state=values["state"],
            source=int(values["source"] or 0),
            rule=rule.pk if rule else None,
            severity=int(values["severity"] or 0),
            reason=values["reason"],
            assigned_to=values["assigned_to"],
            group=group.pk if group else None,
            site=site.pk if site else None,
            order=values["order"],
        )


class ResolveForm(forms.Form):
    """The reason for resolving a case. The button that was pressed gives the outcome."""

    prefix = "resolve"

    reason = TextField(most=WORDS_LENGTH, rows=2, label=_("Reason (recorded)"))

    use_required_attribute = False  # in the queue, the surrounding form has other buttons too

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        require_few_words(reason)
        return reason


class FlagForm(forms.Form):
    prefix = "flag"

    note = TextField(most=WORDS_LENGTH, rows=2, label=_("Note for other reviewers"))


class AssignForm(forms.Form):
    """The assignee; by default any member of staff, whose access is checked on assignment.

    The queue offers those who may review at least one of its cases.
    """

    use_required_attribute = False  # the surrounding form has other buttons too

    assignee = forms.ModelChoiceField(
        User.objects.none(), label=_("Assign to"), empty_label=_("Assign to")
    )

    def __init__(self, sent: Any = None, among: QuerySet[User] | None = None) -> None:
        super().__init__(sent)
        assignee = self.fields["assignee"]
        assert isinstance(assignee, forms.ModelChoiceField)  # noqa: S101  (as it is declared)
        assignee.queryset = roles.staff_users() if among is None else among
