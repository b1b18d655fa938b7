"""Define forms for limits: everyone's, a group's, a user's or a website's."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.formats import sanitize_separators
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from chat.accounts.models import User
from chat.errors import NotFound
from chat.lib.whole_number import whole_number
from chat.quotas.limit_editing import LimitSlot
from chat.quotas.models import Limit
from chat.quotas.units import Measure
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.members import actions as member_actions
from chat.web.review.limits.presenters import limit_hints
from chat.widget_sites.models import WidgetSite

Scope = Limit.Scope
MAX_AMOUNT = Decimal(10) ** 12
CENT = Decimal("0.01")
WEBSITES = (Scope.SITE, Scope.VISITOR, Scope.SITE_ADDRESS)
EVERYBODYS = (
    Scope.EVERYONE,
    Scope.MEMBER,
    Scope.ADDRESS,
    Scope.VISITORS,
    *WEBSITES,
    Scope.EVALUATION,
)


@dataclass(frozen=True, slots=True)
class LimitSubject:
    """The subject of a limits page and its slots in the limits table."""

    name: str
    places: list[LimitSlot]
    user: User | None = None
    group: Group | None = None
    site: WidgetSite | None = None


def limit_subject(kind: str, key: str) -> LimitSubject:
    """Return the subject in a URL: `all/site`, `group/5`, `person/7` or `website/<key>`.

    Raise `NotFound` if there is none.
    """
    number = whole_number(key) or 0
    if (kind, key) == ("all", "site"):
        return LimitSubject(_("Everyone"), [LimitSlot(each) for each in EVERYBODYS])
    if kind == "group" and (group := Group.objects.filter(pk=number).first()):
        places = [LimitSlot(each, group_id=number) for each in (Scope.GROUP, Scope.MEMBER)]
        return LimitSubject(group.name, places, group=group)
    if kind == "person":
        user = member_actions.account(number)
        return LimitSubject(str(user), [LimitSlot(Scope.MEMBER, user_id=number)], user=user)
    if kind == "website" and (site := WidgetSite.objects.filter(key=key).first()):
        places = [LimitSlot(each, site=site.key) for each in WEBSITES]
        return LimitSubject(site.name, places, site=site)
    raise NotFound


class AmountField(forms.CharField):
    """An optional number of at least 0; a text input, because number inputs drop invalid text.

    At most two decimals: three usually mean a thousands separator.
    """

    def __init__(self, **options: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off", "class": "number"}
        super().__init__(required=False, widget=forms.TextInput(attrs=attrs), **options)

    def clean(self, value: Any) -> Decimal | None:
        text = str(sanitize_separators((super().clean(value) or "").strip()))
        if not text:
            return None
        try:
            number = Decimal(text)
        except InvalidOperation:
            number = Decimal(-1)
        exact = number.quantize(CENT) if number.is_finite() and abs(number) <= MAX_AMOUNT else None
        if exact is None or exact != number or exact < 0 or "." in text[:-3]:
            words = _(
                "Enter a number of 0 or more, without thousands separators. Leave this blank for no"
                " limit."
            )
            raise ValidationError(words)
        return exact


class QuotaForm(forms.Form):
    """The limits of one slot, each of which may be blank."""

    def __init__(self, sent: Any, place: LimitSlot) -> None:
        self.place = place
        amounts = place.amounts()
        initial = {measure.value: f"{amount:f}" for measure, amount in amounts.items()}
        shown = {name: _trimmed(text) for name, text in initial.items()}
        super().__init__(sent, initial=shown, prefix=place.scope)
        hints = limit_hints(place, amounts)
        for measure in Measure:
            label = capfirst(measure.label)
            self.fields[measure.value] = AmountField(label=label, help_text=hints[measure])

    @property
    def title(self) -> str:
        if self.place.scope == Scope.GROUP:
            return _("All members combined")
        return capfirst(str(self.place.scope.label))

    def save(self, staff_context: StaffContext, name: str) -> None:
        """Save the limits and log what changed."""
        before = self.place.amounts()
        after = {measure: self.cleaned_data[measure.value] for measure in Measure}
        changed = [each for each in Measure if before.get(each) != after[each]]
        if not changed:
            return
        self.place.set(after)
        words = ", ".join(f"{each.value} {_trimmed(after[each])}" for each in changed)
        person = self.place.user_id
        whose = "" if person else f"{name}: "
        detail = f"{whose}{self.place.scope.value} {words}"
        record_action(staff_context, StaffAction.Kind.QUOTA_CHANGED, person=person, detail=detail)


def forms_of(sent: Any, subject: LimitSubject) -> list[QuotaForm]:
    return [QuotaForm(sent, place) for place in subject.places]


@transaction.atomic
def save(staff_context: StaffContext, subject: LimitSubject, quotas: list[QuotaForm]) -> None:
    if subject.user:
        member_actions.editable_account(staff_context, subject.user.pk)
    for form in quotas:
        form.save(staff_context, subject.name)


def _trimmed(number: Any) -> str:
    if number is None:
        return "–"
    text = f"{number:f}" if isinstance(number, Decimal) else str(number)
    return text.rstrip("0").rstrip(".") if "." in text else text
