"""Change the catalogue of models: each change is recorded, and applies without a restart."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from chat.errors import NotFound
from chat.lib.catalogue import Model
from chat.review.access_log.staff_actions import StaffAction, record_action, record_current_action
from chat.review.access_log.staff_context import StaffContext
from chat.upstream import available_models, factory
from chat.upstream.catalogue import current as current_catalogue
from chat.upstream.catalogue import service_changes
from chat.upstream.catalogue.differences import ChangeKind, ModelChange
from chat.upstream.catalogue.models import ModelOverlay
from chat.upstream.catalogue.service_changes import ProviderChanges

OFFERABLE = frozenset({ChangeKind.NEW, ChangeKind.BACK})


def current_models() -> dict[str, Model]:
    """Return all models as they are now, in their order."""
    current_catalogue.refresh()
    return available_models.all_models()


def is_named(model: Model, text: str) -> bool:
    """Return True if the model's ID or name contains each word of `text`, in any case."""
    name = f"{model.id} {model.name}".casefold()
    return all(word in name for word in text.casefold().split())


def model_of(model_id: str) -> Model:
    """Return a model of the catalogue; raise `NotFound`."""
    model = current_models().get(model_id)
    if model is None:
        raise NotFound
    return model


def model_without_own(model_id: str) -> Model:
    """Return the model as the file and the provider say; raise `NotFound`."""
    model = service_changes.known_models().get(model_id)
    if model is None:
        raise NotFound
    return model


def own_values(model_id: str) -> dict[str, Any]:
    """Return what administrators have set for the model."""
    row = ModelOverlay.objects.filter(pk=model_id).first()
    return dict(row.own) if row else {}


@transaction.atomic
def switch_and_order(
    staff_context: StaffContext, offered: Collection[str], order: list[str]
) -> None:
    """Offer exactly these models, and show all in this order. Raise `ValidationError`."""
    models = current_models()
    offered = {name for name in offered if name in models and not models[name].is_gone}
    _require_offer(offered)
    default = settings.DEFAULT_MODEL
    if default in models and models[default].is_offered and default not in offered:
        words = _("{model} is the default model (DEFAULT_MODEL), so it can't be turned off.")
        raise ValidationError(words.format(model=default))
    is_moved = [name for name in models if name in order] != order
    rows = ModelOverlay.objects.in_bulk(list(models))
    for model in models.values():
        row = rows.get(model.id) or ModelOverlay(model=model.id)
        is_on = model.id in offered
        if not model.is_gone and is_on != model.listed:
            row.is_offered = is_on
            _record(staff_context, f"{model.id}: {'on' if is_on else 'off'}")
        elif not is_moved:
            continue
        if is_moved:
            row.position = order.index(model.id) if model.id in order else None
        row.save()
    if is_moved:
        _record(staff_context, f"order: {', '.join(order)}")
    _refresh_after_commit()


@transaction.atomic
def edit(
    staff_context: StaffContext, model_id: str, values: Mapping[str, Any], *, is_on: bool | None
) -> None:
    """Set the values of one model, and switch it on or off; None leaves the switch as it is.

    Raise `ValidationError` if it can't be switched off.
    """
    if is_on is not None:
        models = current_models()
        offered = {name for name, model in models.items() if model.is_offered} - {model_id}
        switch_and_order(staff_context, offered | ({model_id} if is_on else set()), list(models))
    set_own_values(staff_context, model_id, values)


@transaction.atomic
def set_own_values(staff_context: StaffContext, model_id: str, values: Mapping[str, Any]) -> None:
    """Replace what administrators have set for the model; an empty mapping removes it."""
    model_of(model_id)
    row, _is_new = ModelOverlay.objects.select_for_update().get_or_create(pk=model_id)
    before, after = row.own, dict(values)
    if before == after:
        return
    row.own = after
    row.save(update_fields=["own"])
    changed = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    words = ", ".join(f"{key} {after.get(key, '–')}" for key in changed)
    _record(staff_context, f"{model_id}: {words}")
    _refresh_after_commit()


@transaction.atomic
def take_over(staff_context: StaffContext | None, chosen: Iterable[ModelChange]) -> None:
    """Take over changes at the providers. Without `staff_context`, a command does it.

    Raise `ValidationError` if no model would be left.
    """
    chosen = list(chosen)
    gone = {each.model for each in chosen if each.kind is ChangeKind.GONE}
    _require_offer({model.id for model in current_models().values() if model.is_offered} - gone)
    service_changes.take_over(chosen)
    for each in chosen:
        fields = ", ".join(f"{change.field} {change.after}" for change in each.fields)
        _record(staff_context, f"{each.model}: {each.kind}{': ' if fields else ''}{fields}")
    _refresh_after_commit()


@transaction.atomic
def offer_from_provider(
    staff_context: StaffContext, changes: ProviderChanges, chosen: Collection[str]
) -> None:
    """Of the main provider, offer exactly these models, by their ids there.

    What another server than Workers AI doesn't have is no longer asked of it either. Raise
    `ValidationError` if nothing was chosen.
    """
    _require_offer(chosen)
    is_workers_ai = factory.endpoint().is_workers_ai
    service_changes.take_over(
        each
        for each in changes.changes
        if (each.kind is ChangeKind.GONE and not is_workers_ai)
        or (each.kind in OFFERABLE and (each.id_there or each.model) in chosen)
    )
    current_catalogue.refresh()
    for model in available_models.all_models().values():
        is_on = model.provider_id in chosen
        if model.provider or is_on == model.listed or (model.is_gone and not is_on):
            continue
        ModelOverlay.objects.update_or_create(pk=model.id, defaults={"is_offered": is_on})
        _record(staff_context, f"{model.id}: {'on' if is_on else 'off'}")
    _refresh_after_commit()


def _require_offer(offered: Collection[str]) -> None:
    if not offered:
        raise ValidationError(_("Leave at least one model turned on."))


def _record(staff_context: StaffContext | None, detail: str) -> None:
    kind = StaffAction.Kind.MODELS_CHANGED
    if staff_context is None:
        record_current_action(kind, detail=detail)
    else:
        record_action(staff_context, kind, detail=detail)


def _refresh_after_commit() -> None:
    transaction.on_commit(current_catalogue.refresh)
