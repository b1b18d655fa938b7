"""Compare the catalogue with what a provider says. Pure functions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from chat.lib.catalogue import Model
from chat.upstream.catalogue.service_models import ServiceModel

PRICES = ("input_usd_per_million", "output_usd_per_million", "cached_input_usd_per_million")
COMPARED = (
    "context_window",
    *PRICES,
    "tools",
    "vision",
    "reasoning",
    "lora",
    "paid_only",
    "ends_on",
)
#: Lists round prices.
ROUNDING = 0.01
#: Ids of models that run at Workers AI. Its list has no others, such as routes of AI Gateway.
WORKERS_AI_IDS = ("@cf/", "@hf/")


class ChangeKind(StrEnum):
    NEW = "new"
    GONE = "gone"
    BACK = "back"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class FieldChange:
    field: str
    before: Any
    after: Any

    @property
    def is_dearer(self) -> bool:
        return self.field in PRICES and self.before is not None and self.after > self.before


@dataclass(frozen=True, slots=True)
class ModelChange:
    """One model that is new, gone, back or different at its provider. `fields` are the facts.

    A new model is not suggested if its provider may have hundreds, of which nobody wants all.
    """

    kind: ChangeKind
    model: str  # its id in the catalogue
    provider: str = ""
    id_there: str = ""
    fields: tuple[FieldChange, ...] = ()
    is_suggested: bool = True

    @property
    def is_dearer(self) -> bool:
        return any(each.is_dearer for each in self.fields)

    @property
    def key(self) -> str:
        """Identify exactly this change, so that a form takes over only what it has shown."""
        return sha256(repr(self).encode()).hexdigest()[:32]


def changes(
    known: Mapping[str, Model],
    provider: str,
    listed: Iterable[ServiceModel],
    *,
    is_workers_ai: bool,
    ignored: Iterable[str] = (),
) -> list[ModelChange]:
    """Return what differs between the catalogue's models of `provider` and its own list.

    `known` are the models as the file and the provider said so far, without administrators' values.
    New models in `ignored` are left out.
    """
    own = {model.provider_id: model for model in known.values() if model.provider == provider}
    there = {each.id: each for each in listed}
    skipped = {*own, *ignored}
    differences = [
        _new(known, provider, each, is_suggested=is_workers_ai)
        for each in there.values()
        if each.id not in skipped
    ]
    for name, model in own.items():
        if name in there:
            differences += _compared(model, there[name])
        elif not model.is_gone and (not is_workers_ai or name.startswith(WORKERS_AI_IDS)):
            differences.append(ModelChange(ChangeKind.GONE, model.id, provider))
    return differences


def _new(
    known: Mapping[str, Model], provider: str, there: ServiceModel, *, is_suggested: bool
) -> ModelChange:
    is_taken = there.id in known
    name = f"{provider}/{there.id}" if is_taken else there.id
    facts = tuple(
        FieldChange(field, None, there.facts[field])
        for field in COMPARED
        if there.facts.get(field) not in (None, False)
    )
    id_there = there.id if is_taken else ""
    return ModelChange(ChangeKind.NEW, name, provider, id_there, facts, is_suggested)


def _compared(model: Model, there: ServiceModel) -> list[ModelChange]:
    if model.replaced_by:
        return []  # an alias, which the catalogue treats as retired
    fields = tuple(_fields(model, there.facts))
    kind = ChangeKind.BACK if model.deprecated else ChangeKind.CHANGED
    if not fields and kind is ChangeKind.CHANGED:
        return []
    return [ModelChange(kind, model.id, model.provider, fields=fields)]


def _fields(model: Model, facts: Mapping[str, Any]) -> Iterator[FieldChange]:
    for field in COMPARED:
        if field not in facts:
            continue
        before, after = getattr(model, field), facts[field]
        if field == "context_window":
            before = model.advertised_window or model.context_window
        if not _is_same(before, after):
            yield FieldChange(field, before, after)


def _is_same(before: Any, after: Any) -> bool:
    if isinstance(before, float) and isinstance(after, float):
        return abs(before - after) <= ROUNDING * max(before, after)
    return bool(before == after)
