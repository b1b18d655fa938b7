"""Let people choose the collections of a persona, a project or a website."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from chat.knowledge.access import collections_of
from chat.knowledge.models import Collection
from chat.lib.generic_django import AnyMultipleChoiceField


class CollectionsField(AnyMultipleChoiceField):
    """Several collections. Its form offers some with `offer`, and stores them with `store`."""

    def __init__(self, help_text: str | Promise, label: str | Promise | None = None) -> None:
        super().__init__(
            label=label or gettext_lazy("Collections"),
            queryset=Collection.objects.none(),
            widget=forms.CheckboxSelectMultiple,
            required=False,
            help_text=help_text,
        )


def offer(form: forms.Form, *user_ids: int) -> None:
    """Offer the collections that all these members may use; without any, remove the fields."""
    offered = _usable_by(user_ids)
    is_empty = not offered.exists()
    for name, field in list(form.fields.items()):
        if isinstance(field, CollectionsField):
            field.queryset = offered
            if is_empty:
                del form.fields[name]


def store(chosen: Any, collections: Any, *user_ids: int) -> None:
    """Store the choice; `collections` is the related manager of the object.

    Those that were not offered stay: somebody else has chosen them.
    """
    if chosen is None:
        return  # none were offered
    others = collections.exclude(pk__in=_usable_by(user_ids).order_by().values("pk"))
    collections.set([*chosen, *others])


def _usable_by(user_ids: tuple[int, ...]) -> QuerySet[Collection]:
    usable = collections_of(user_ids[0])
    for user_id in user_ids[1:]:
        usable = usable.filter(pk__in=collections_of(user_id).order_by().values("pk"))
    return usable
