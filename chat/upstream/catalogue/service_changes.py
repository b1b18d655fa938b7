"""Find out what has changed at the providers, and store what is taken over."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings

from chat.errors import UpstreamError
from chat.lib.catalogue import Model
from chat.upstream import factory
from chat.upstream.answer_deadline import Timeouts
from chat.upstream.catalogue.differences import PRICES, ChangeKind, ModelChange, changes
from chat.upstream.catalogue.models import ModelOverlay
from chat.upstream.catalogue.overlay import merged
from chat.upstream.catalogue.service_models import ServiceModel, list_models

TIMEOUTS = Timeouts(connect=5, first_byte=20, idle=10, content=20, answer=60)
#: For a new model whose provider does not state its window.
ASSUMED_WINDOW = 8192
#: $0.011 per 1000 neurons.
NEURONS_PER_USD = 1000 / 0.011

Listed = list[ServiceModel] | UpstreamError


@dataclass(frozen=True, slots=True)
class ProviderChanges:
    """What differs at one provider; `error` if its list could not be read."""

    provider: str
    listed: int = 0  # models in its list
    changes: list[ModelChange] = field(default_factory=list)
    error: UpstreamError | None = None
    names: list[str] = field(default_factory=list)  # the ids there of models for chats
    left_out: list[str] = field(default_factory=list)  # the ids there of models that cannot chat


def find_changes() -> list[ProviderChanges]:
    """Ask all providers for their models, and compare them with the catalogue."""
    known = known_models()
    listed = async_to_sync(_list_all)(factory.names())
    return [
        _compared(known, name, answer, is_workers_ai=factory.endpoint(name).is_workers_ai)
        for name, answer in listed.items()
    ]


def find_main_changes() -> ProviderChanges:
    """Ask only the main provider."""
    answer = async_to_sync(_list)("")
    is_workers_ai = factory.endpoint().is_workers_ai
    return _compared(known_models(), "", answer, is_workers_ai=is_workers_ai)


def take_over(chosen: Iterable[ModelChange]) -> None:
    """Store these changes. New models stay switched off. Call it inside a transaction."""
    for change in chosen:
        row, _is_new = ModelOverlay.objects.get_or_create(pk=change.model)
        facts = dict(row.from_service)
        if change.kind is ChangeKind.GONE:
            facts["deprecated"] = True
        elif change.kind is ChangeKind.NEW:
            facts |= _identity(change)
            row.is_offered = False
        else:
            facts["deprecated"] = False
        row.from_service = facts | _facts(change, settings.MODELS.get(change.model))
        row.save()


def known_models() -> dict[str, Model]:
    """Return the models as the file and the providers say, without administrators' values."""
    return merged(settings.MODELS, ModelOverlay.objects.all(), with_own=False)


async def _list_all(names: list[str]) -> dict[str, Listed]:
    return dict(zip(names, await asyncio.gather(*map(_list, names)), strict=True))


async def _list(name: str) -> Listed:
    client = factory.open_client(name, TIMEOUTS)
    try:
        return await list_models(client)
    except UpstreamError as error:
        return error
    finally:
        await client.aclose()


def _compared(
    known: dict[str, Model], name: str, answer: Listed, *, is_workers_ai: bool
) -> ProviderChanges:
    if isinstance(answer, UpstreamError):
        return ProviderChanges(name, error=answer)
    others = (settings.EMBEDDING_MODELS, settings.RERANK_MODELS, settings.MEDIA_MODELS)
    ignored = {name for models in (*others, settings.JUDGE_MODELS) for name in models}
    for_chats = [each for each in answer if each.is_for_chats]
    return ProviderChanges(
        name,
        len(answer),
        changes(known, name, for_chats, is_workers_ai=is_workers_ai, ignored=ignored),
        names=sorted(each.id for each in for_chats),
        left_out=sorted(each.id for each in answer if not each.is_for_chats),
    )


def _identity(change: ModelChange) -> dict[str, Any]:
    names = {"provider": change.provider, "id_there": change.id_there}
    return {"context_window": ASSUMED_WINDOW} | {key: text for key, text in names.items() if text}


def _facts(change: ModelChange, model: Model | None) -> dict[str, Any]:
    """Return what changed, by the names of the catalogue's fields, in values that fit JSON."""
    facts: dict[str, Any] = {}
    for each in change.fields:
        value = each.after.isoformat() if isinstance(each.after, date) else each.after
        facts[each.field] = value
        if each.field in PRICES and each.after is not None:
            neurons = each.field.replace("_usd_", "_neurons_")
            facts[neurons] = round(each.after * NEURONS_PER_USD, 1)
    if model and model.advertised_window and "context_window" in facts:
        # A smaller window is enforced, so only the advertised one is news.
        facts["advertised_window"] = facts["context_window"]
        facts["context_window"] = min(model.context_window, facts["context_window"])
    return facts
