"""Define forms that several staff pages use."""

from datetime import date
from typing import Any

from django import forms
from django.contrib.auth.models import Group
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.lib.languages import CODES, name_of
from chat.review.case_models import Flag
from chat.review.models import NAME_LENGTH, NOTE_LENGTH, QUERY_LENGTH
from chat.review.personal_data_models import KIND_LABELS
from chat.review.search.conversation_search import (
    ANY_KIND,
    RUNNING,
    SENT,
    SOURCES,
    STARTED,
    STATES,
    USED,
)
from chat.review.search.result_pages import COST, NEWEST, OLDEST, TOKENS
from chat.review.staff.roles import Reviewer
from chat.site_settings import effective
from chat.site_settings.topics import NAME_LENGTH as TOPIC_LENGTH
from chat.upstream import available_models
from chat.web.http.form_fields import LineField, TextField, offer_choices
from chat.web.review.http.reason_fields import ReasonField
from chat.widget_sites.models import WidgetSite

MAX_QUERY_CHARS = 200
ANY = [("", _("Any"))]
KINDS = [(each.value, capfirst(label)) for each, label in KIND_LABELS.items()]
ANSWERS = "answers"  # as results, instead of chats
#: Databases and time zones fail on dates outside this range.
DAYS = [MinValueValidator(date(1970, 1, 1)), MaxValueValidator(date(9000, 1, 1))]
STATE_NAMES = {
    "complete": _("Complete"),
    "stopped": _("Stopped"),
    "interrupted": _("Interrupted"),
    "failed": _("Failed"),
    RUNNING: _("In progress"),
}
SOURCE_NAMES: dict[int, Any] = {
    Flag.Source.REPORT: _("User report"),
    Flag.Source.THUMB: _("Bad answer"),
    Flag.Source.RULE: _("Rule match"),
    Flag.Source.STAFF: _("Flagged by staff"),
}
#: States and sources of flags that the chat list can be filtered by.
FLAG_NAMES = {
    "unresolved": _("Open case"),
    "open": _("Unassigned case"),
    "in_work": _("Case in progress"),
    "resolved": _("Resolved case"),
    **{name: SOURCE_NAMES[source] for name, source in SOURCES.items()},
}


def in_scope(reviewer: Reviewer) -> tuple[QuerySet[Group], QuerySet[WidgetSite]]:
    """Return the groups and widget sites that the reviewer may review."""
    groups, sites = Group.objects.order_by("name"), WidgetSite.objects.order_by("name", "pk")
    if reviewer.groups is None:
        return groups, sites
    return groups.filter(pk__in=reviewer.groups), sites.filter(pk__in=reviewer.sites)


def set_choices(form: forms.Form, **rows: QuerySet[Any]) -> None:
    """Set the choices of the named fields; remove fields without choices."""
    for name, offered in rows.items():
        field = form.fields[name]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  (as it is declared)
        field.queryset = offered
        if not offered.exists():
            del form.fields[name]


def language_choices() -> list[tuple[str, str]]:
    """Return the languages that questions can be filtered by, by name."""
    named = sorted(((name_of(code), code) for code in CODES), key=lambda pair: pair[0].casefold())
    return [("", gettext("Any")), *((code, capfirst(name)) for name, code in named)]


class UtcDayField(forms.DateField):
    """An optional day to filter by (chat/review/utc_days.py)."""

    def __init__(self, label: Any) -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        super().__init__(required=False, label=label, validators=DAYS, widget=widget)


class ReasonForm(forms.Form):
    reason = ReasonField(
        label=_("Reason for access"),
        help_text=_(
            "For example: report from November 3. It is recorded with everything you open."
        ),
    )


class NoteForm(forms.Form):
    text = TextField(most=NOTE_LENGTH, rows=3, label=_("Note"))


class NoteReplyForm(NoteForm):
    text = TextField(most=NOTE_LENGTH, rows=3, label=_("Reply"))


class NoteEditForm(NoteForm):
    text = TextField(most=NOTE_LENGTH, rows=3, label=_("New text"))


class SavedSearchForm(forms.Form):
    name = LineField(most=NAME_LENGTH, label=_("Name"))
    is_shared = forms.BooleanField(required=False, label=_("For all reviewers"))
    query = forms.CharField(
        required=False,
        max_length=QUERY_LENGTH,
        widget=forms.HiddenInput,
        error_messages={"max_length": _("This search is too long to save. Shorten it.")},
    )


class FacetsForm(forms.Form):
    """Filters of the chat list. Invalid values are explained beside their field."""

    q = LineField(most=MAX_QUERY_CHARS, required=False, label=_("Keywords"))
    person = LineField(most=254, required=False, label=_("Person"))
    group = forms.ModelChoiceField(
        Group.objects.none(), required=False, label=_("Group"), empty_label=_("Any")
    )
    site = forms.ModelChoiceField(
        WidgetSite.objects.none(), required=False, label=_("Website"), empty_label=_("Any")
    )
    model = LineField(most=200, required=False, label=_("Model"))
    time = forms.ChoiceField(
        required=False,
        label=_("Dates apply to"),
        choices=[
            (USED, _("Last use of the chat")),
            (STARTED, _("Start of the chat")),
            (SENT, _("Messages sent")),
        ],
    )
    since = UtcDayField(_("From (day in UTC)"))
    until = UtcDayField(_("To (day in UTC)"))
    rating = forms.ChoiceField(
        required=False,
        label=_("Rating"),
        choices=[*ANY, ("good", _("Good answer")), ("bad", _("Bad answer"))],
    )
    state = forms.ChoiceField(
        required=False,
        label=_("Status"),
        choices=[*ANY, *((each, STATE_NAMES[each]) for each in (*STATES, RUNNING))],
    )
    cost = forms.FloatField(required=False, min_value=0, label=_("Costs at least (US$)"))
    harm = forms.FloatField(
        required=False, min_value=0, max_value=100, label=_("Judged harmful, at least (%)")
    )
    unanswered = forms.FloatField(
        required=False, min_value=0, max_value=100, label=_("Judged not answered, at least (%)")
    )
    topic = forms.ChoiceField(required=False, label=_("Topic"))
    personal = forms.ChoiceField(
        required=False,
        label=_("Contains personal data"),
        choices=[*ANY, (ANY_KIND, _("Yes")), *KINDS],
    )
    language = forms.ChoiceField(
        required=False, label=_("Language of questions"), choices=language_choices
    )
    flag = forms.ChoiceField(
        required=False, label=_("Cases and flags"), choices=[*ANY, *FLAG_NAMES.items()]
    )
    show = forms.ChoiceField(
        required=False,
        label=_("Results"),
        choices=[("", _("Chats")), (ANSWERS, _("Answers"))],
    )
    sort = forms.ChoiceField(
        required=False,
        label=_("Sort by"),
        choices=[
            (NEWEST, _("Newest first")),
            (OLDEST, _("Oldest first")),
            (COST, _("Highest cost")),
            (TOKENS, _("Most tokens")),
        ],
    )
    noted = forms.BooleanField(required=False, label=_("With staff notes"))
    api = forms.BooleanField(required=False, label=_("With an API key"))

    def __init__(self, sent: Any, reviewer: Reviewer) -> None:
        super().__init__(sent)
        groups, sites = in_scope(reviewer)
        set_choices(self, group=groups, site=sites)
        self._set_topics()
        self.fields["model"].widget.attrs["list"] = "models"
        self.models = list(available_models.all_models())  # old chats may name others
        cost = {"inputmode": "decimal", "autocomplete": "off"}
        self.fields["cost"].widget = forms.TextInput(attrs=cost)

    def _set_topics(self) -> None:
        """Offer the site's topics, and a former one that a link names."""
        names = [each.name for each in effective.topics()]
        asked = str(self.data.get("topic", ""))[:TOPIC_LENGTH]
        if not names and not asked:
            del self.fields["topic"]
            return
        shown = names if asked in ("", *names) else [*names, asked]
        offer_choices(self, "topic", [*ANY, *((each, each) for each in shown)])
