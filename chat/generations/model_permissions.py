"""Which of the models on offer somebody may use: all, unless their groups name some.

Of several groups that name models all those count; groups that name none do not matter. Which model
a widget site uses is its owner's choice; which one stands in where capacity is short is the site's.
"""

from collections.abc import Iterable
from dataclasses import replace

from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from chat.errors import Forbidden
from chat.generations.models import AllowedModel
from chat.lib.catalogue import Model
from chat.personas.persona_settings import GenerationSettings
from chat.quotas import rules_version
from chat.quotas.rules import MOST_MEMBERS, OfVersion
from chat.upstream import available_models


class ModelNotAllowed(Forbidden):
    code = "model_not_allowed"
    text = _("You may not use that model here. Choose another one; your text is kept.")


def allowed_to(user_id: int, version: int | None = None) -> dict[str, Model]:
    """By id, in the order of those on offer. Where none is left that is on offer, none.

    `version` is that of the rules, of whoever has just read it with something else.
    """
    names = _named_for(user_id, version)
    offered = available_models.on_offer()
    return {name: offered[name] for name in offered if name in names} if names else offered


_names: OfVersion[dict[int, frozenset[str]]] = OfVersion(dict)


def _named_for(user_id: int, version: int | None) -> frozenset[str]:
    """Those that the member's groups name, from memory where no rule has changed."""
    known = _names.at(rules_version.current() if version is None else version)
    if user_id not in known:
        if len(known) >= MOST_MEMBERS:
            known.clear()
        named = AllowedModel.objects.filter(group__user=user_id)
        known[user_id] = frozenset(named.values_list("model", flat=True))
    return known[user_id]


def find(user_id: int, wanted: str | None, otherwise: str = "") -> Model:
    """`wanted`, or else the one that a persona names, or the first that they may use.

    What a person asked for by name is refused where they may not use it; what a persona wants is
    left aside.
    """
    allowed = allowed_to(user_id)
    if not wanted:
        found = allowed.get(otherwise) or next(iter(allowed.values()), None)
    else:
        found = _asked_for(available_models.find(wanted), allowed)
    if found is None:
        raise ModelNotAllowed
    return found


def _asked_for(model: Model, allowed: dict[str, Model]) -> Model | None:
    """One that nobody is offered is for whoever may use any."""
    may_use_any = allowed is available_models.on_offer()
    return allowed.get(model.id, model if may_use_any and not model.listed else None)


def within(user_id: int, generation_settings: GenerationSettings) -> GenerationSettings:
    """The same without a stand-in that they may not use; then it is the site's."""
    wanted = generation_settings.fallback_model
    if not wanted or wanted in allowed_to(user_id):
        return generation_settings
    return replace(generation_settings, fallback_model="")


def of_group(group: Group) -> set[str]:
    """Those that it names; none is no restriction."""
    return set(AllowedModel.objects.filter(group=group).values_list("model", flat=True))


@transaction.atomic
def set_for(group: Group, models: Iterable[str]) -> None:
    AllowedModel.objects.filter(group=group).delete()
    AllowedModel.objects.bulk_create(AllowedModel(group=group, model=each) for each in set(models))
