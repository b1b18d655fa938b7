"""Define the form of a sample: what is drawn, how often, and who rates it."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.models import User
from chat.personas.parameters import Range
from chat.review.access_log.staff_context import StaffContext
from chat.review.rating_models import RatingForm, RatingSample
from chat.review.ratings.draws import MAX_PICKED
from chat.review.ratings.samples import stored_facets
from chat.review.search import saved_searches
from chat.review.staff import roles
from chat.web.http.form_fields import NumberField, SeveralField
from chat.web.review.http.facet_forms import FacetsForm
from chat.web.review.search.presenters import facets_of_form

SHARE = Range(0.1, 100)
COUNT = Range(1, MAX_PICKED, is_whole=True)
SECOND = Range(0, 100)
KEPT = "kept"  # the search that the sample already has


class SampleForm(forms.Form):
    unit = forms.ChoiceField(
        label=gettext_lazy("Draw"),
        choices=[(each.value, each.label) for each in RatingSample.Unit],
    )
    period = forms.ChoiceField(
        label=gettext_lazy("When (days in UTC)"),
        choices=[(each.value, each.label) for each in RatingSample.Period],
    )
    percent = NumberField(allowed=SHARE, label=gettext_lazy("Percentage to draw"))
    count = NumberField(allowed=COUNT, label=gettext_lazy("Or a number to draw"))
    search = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Only what this saved search finds"),
        help_text=gettext_lazy("Its filters as they are now, without its dates."),
    )
    raters = SeveralField(
        User.objects.none(),
        required=False,
        label=gettext_lazy("Raters, in turn"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Each gets only chats that they may review. Without raters, whoever may review a chat "
            "can rate it."
        ),
    )
    second_percent = NumberField(
        allowed=SECOND, label=gettext_lazy("Percentage for a second rater")
    )
    is_enabled = forms.BooleanField(required=False, initial=True, label=gettext_lazy("Enabled"))

    def __init__(
        self, sent: Any, staff_context: StaffContext, form: RatingForm, sample: RatingSample | None
    ) -> None:
        self.sample = sample or RatingSample(form=form)
        super().__init__(sent, initial=_initial(sample))
        self._staff_context = staff_context
        self._searches = {
            str(each.pk): each for each in saved_searches.searches_for(staff_context.reviewer)
        }
        search: Any = self.fields["search"]
        search.choices = [
            ("", _("All")),
            *_kept(sample),
            *((key, each.name) for key, each in self._searches.items()),
        ]
        raters: Any = self.fields["raters"]
        raters.queryset = roles.staff_users()

    def clean_search(self) -> str:
        chosen: str = self.cleaned_data["search"]
        if chosen == KEPT:
            return chosen
        self.sample.facets, self.sample.search_name = {}, ""
        if search := self._searches.get(chosen):
            facets = FacetsForm(QueryDict(search.query), self._staff_context.reviewer)
            if not facets.is_valid():
                raise forms.ValidationError(_("This search has filters that are no longer valid."))
            if facets.cleaned_data["q"]:
                words = _("Samples can't be drawn from a search with keywords.")
                raise forms.ValidationError(words)
            self.sample.facets = stored_facets(facets_of_form(facets, self._staff_context))
            self.sample.search_name = search.name
        return chosen

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if {"percent", "count"} & self.errors.keys():
            return values
        if (values["percent"] is None) == (values["count"] is None):
            self.add_error("percent", _("Enter either a percentage or a number."))
        return values

    def filled(self) -> RatingSample:
        """Return the sample with the submitted values, unsaved and without its raters."""
        values = self.cleaned_data
        for name in ("unit", "period", "percent", "count", "is_enabled"):
            setattr(self.sample, name, values[name])
        self.sample.second_percent = values["second_percent"] or 0
        return self.sample

    @property
    def chosen_raters(self) -> list[User]:
        return list(self.cleaned_data["raters"])

    @property
    def raters_without_access(self) -> list[User]:
        """Return the chosen raters who may review nobody."""
        return [each for each in self.chosen_raters if not _reviews_anybody(each)]


def _reviews_anybody(user: User) -> bool:
    reviewer = roles.reviewer_of(user)
    return bool(reviewer and (reviewer.groups is None or reviewer.groups or reviewer.sites))


def _initial(sample: RatingSample | None) -> dict[str, Any]:
    if sample is None:
        return {"percent": "5"}
    names: Iterable[str] = ("unit", "period", "count", "is_enabled")
    values = {name: getattr(sample, name) for name in names}
    values |= {name: _plain(getattr(sample, name)) for name in ("percent", "second_percent")}
    values["search"] = KEPT if sample.search_name else ""
    return values | {"raters": sample.raters.all()}


def _plain(number: float | None) -> str:
    return "" if number is None else f"{number:g}"


def _kept(sample: RatingSample | None) -> list[tuple[str, str]]:
    if sample and sample.search_name:
        return [(KEPT, _("As before: {name}").format(name=sample.search_name))]
    return []
