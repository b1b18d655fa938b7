"""Define the form fields that personas and prompts share: a name and the audience."""

from typing import Any, Generic, TypeVar

from django import forms
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts.models import User
from chat.personas.models import NAME_LENGTH, Shareable
from chat.web.http.form_fields import LineField, SeveralField

OWN, GROUPS, EVERYBODY = "own", "groups", "everybody"
SHARING = (
    (OWN, gettext_lazy("Only me")),
    (GROUPS, gettext_lazy("Groups of members")),
    (EVERYBODY, gettext_lazy("Everyone")),
)
T = TypeVar("T", bound=Shareable)


class SharingForm(forms.Form, Generic[T]):
    """Create or edit an object. Only staff may choose whom it is shared with."""

    kind: type[T]
    most: int  # how many objects of this kind one user may own

    name = LineField(most=NAME_LENGTH, label=gettext_lazy("Name"))
    sharing = forms.ChoiceField(
        label=gettext_lazy("Shared with"), choices=SHARING, widget=forms.RadioSelect
    )
    groups = SeveralField(
        label=gettext_lazy("Groups"),
        queryset=Group.objects.order_by("name"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def __init__(
        self, sent: QueryDict | None, user: User, changed: T | None = None, **initial: Any
    ) -> None:
        self.user, self.changed = user, changed
        initial = {"sharing": OWN} | (self.values_of(changed) if changed else {}) | initial
        super().__init__(sent, initial=initial)
        if not user.is_staff:
            del self.fields["sharing"], self.fields["groups"]
        elif not Group.objects.exists():
            del self.fields["groups"]

    def values_of(self, one: T) -> dict[str, Any]:
        """Return the initial field values for `one`."""
        sharing = OWN if one.owner_id else EVERYBODY if one.for_everybody else GROUPS
        return {"name": one.name, "sharing": sharing, "groups": one.groups.all()}

    def apply(self, one: T) -> None:
        """Copy the submitted values to `one`."""
        one.name = self.cleaned_data["name"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("sharing") == GROUPS and not values.get("groups"):
            field = "groups" if "groups" in self.fields else "sharing"
            self.add_error(field, _("Choose at least one group."))
        becomes_own = self.changed is None or self.changed.owner_id is None
        if becomes_own and values.get("sharing", OWN) == OWN:
            have = self.kind._default_manager.filter(owner=self.user).count()
            if have >= self.most:
                words = _("You've reached the limit of {most}. Delete one first.")
                raise ValidationError(words.format(most=self.most))
        return values

    @transaction.atomic
    def save(self) -> T:
        one = self.changed or self.kind(owner=self.user)
        self.apply(one)
        if sharing := self.cleaned_data.get("sharing"):
            one.owner = self.user if sharing == OWN else None
            one.for_everybody = sharing == EVERYBODY
        one.updated_at = timezone.now()
        one.save()
        if sharing:
            one.groups.set(self.cleaned_data.get("groups", []) if sharing == GROUPS else [])
        return one
