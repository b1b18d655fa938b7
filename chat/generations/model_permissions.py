"""Decide which of the available models a member may use: all, unless their groups name some.

If several groups name models, their lists are combined; groups without a list are ignored. A widget
site's model is its owner's choice; the fallback model is the site's.
"""

from collections.abc import Iterable
from dataclasses import replace

from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from chat.database import config_version
from chat.database.config_version import VersionedValue
from chat.errors import ErrorReader, Forbidden
from chat.generations.models import AllowedModel
from chat.lib.catalogue import Model
from chat.personas.settings import GenerationSettings
from chat.quotas import rules as quota_rules
from chat.upstream import available_models
from chat.upstream.catalogue import current as current_catalogue


class ModelNotAllowed(Forbidden):
    code = "model_not_allowed"
    text = _("You don't have access to this model. Choose another one.")
    keeps_draft = True
    others = {ErrorReader.VISITOR: _("The chat isn't available right now. Try again later.")}


def allowed_to(user_id: int, version: int | None = None) -> dict[str, Model]:
    """Return the models that the member may use, by id, in the order of the catalogue.

    Empty if the member's groups only name models that are not available.
    """
    version = config_version.current() if version is None else version
    current_catalogue.refresh(version)
    names = _named_for(user_id, version)
    offered = available_models.offered_models()
    return {name: offered[name] for name in offered if name in names} if names else offered


def may_use_all(user_id: int, version: int | None = None) -> bool:
    """Return whether no group restricts the member to some models."""
    return not _named_for(user_id, config_version.current() if version is None else version)


def _read_names() -> dict[int, frozenset[str]]:
    """Return the models that each group names, by the group's id."""
    named: dict[int, set[str]] = {}
    for group_id, model in AllowedModel.objects.values_list("group", "model"):
        named.setdefault(group_id, set()).add(model)
    return {group_id: frozenset(models) for group_id, models in named.items()}


_names = VersionedValue(_read_names)


def _named_for(user_id: int, version: int | None) -> frozenset[str]:
    """Return the models that the member's groups name."""
    named = _names.at(version)
    if not named:
        return frozenset()
    groups = quota_rules.at(version).groups_of(user_id)
    return frozenset().union(*(named.get(group_id, ()) for group_id in groups))


def find(
    user_id: int, wanted: str | None, otherwise: str = "", version: int | None = None
) -> Model:
    """Return the model `wanted`, else a persona's (`otherwise`), else the first one allowed.

    Raise `ModelNotAllowed` if the member may not use the model they asked for. A persona's model
    that they may not use is skipped.
    """
    allowed = allowed_to(user_id, version)
    if not wanted:
        model = allowed.get(otherwise) or next(iter(allowed.values()), None)
    else:
        model = _asked_for(user_id, available_models.find(wanted), allowed, version)
    if model is None:
        raise ModelNotAllowed
    return model


def _asked_for(
    user_id: int, model: Model, allowed: dict[str, Model], version: int | None
) -> Model | None:
    """Return the model if the member may use it.

    An unlisted model is for members without restrictions only.
    """
    if model.id in allowed or model.listed:
        return allowed.get(model.id)
    return model if may_use_all(user_id, version) else None


def within(
    user_id: int, generation_settings: GenerationSettings, version: int | None = None
) -> GenerationSettings:
    """Return the settings without a fallback model that the member may not use.

    The site's own fallback applies then.
    """
    wanted = generation_settings.fallback_model
    if not wanted or wanted in allowed_to(user_id, version):
        return generation_settings
    return replace(generation_settings, fallback_model="")


def of_group(group: Group) -> set[str]:
    """Return the ids of the models that the group names; an empty set is no restriction."""
    return set(AllowedModel.objects.filter(group=group).values_list("model", flat=True))


@transaction.atomic
def set_for(group: Group, models: Iterable[str]) -> None:
    """Replace the models that the group names."""
    AllowedModel.objects.filter(group=group).delete()
    AllowedModel.objects.bulk_create(AllowedModel(group=group, model=each) for each in set(models))
