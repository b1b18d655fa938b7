"""Put models and their changes into words."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.lib.catalogue import Model
from chat.lib.number_format import format_number
from chat.upstream.catalogue.differences import ChangeKind, FieldChange, ModelChange
from chat.upstream.catalogue.service_changes import ProviderChanges


@dataclass(frozen=True, slots=True)
class ChangeOut:
    """A change as the page shows it."""

    key: str
    model: str
    kind: str
    details: list[str]
    is_suggested: bool


@dataclass(frozen=True, slots=True)
class ProviderOut:
    name: str
    listed: int
    changes: list[ChangeOut]
    error: str = ""
    left_out: str = ""


def shown_changes(providers: Iterable[ProviderChanges]) -> list[ProviderOut]:
    return [
        ProviderOut(
            each.provider or _("Provider in the settings"),
            each.listed,
            [_change(change) for change in each.changes],
            each.error.public if each.error else "",
            ", ".join(each.left_out),
        )
        for each in providers
    ]


def facts_of(model: Model) -> list[tuple[str, str]]:
    """Return the facts of a model that nobody edits, with their labels."""
    facts = [(_("ID"), model.id), (_("Provider"), model.provider or _("Provider in the settings"))]
    if model.id_there:
        facts.append((_("ID at the provider"), model.id_there))
    facts.append((_("Capabilities"), ", ".join(abilities(model)) or "–"))
    if model.effort_choices:
        facts.append((_("Reasoning efforts"), ", ".join(model.effort_choices)))
    if model.advertised_window:
        facts.append((_("Advertised context window"), format_number(model.advertised_window)))
    if model.default_max_tokens:
        facts.append((_("Default length of an answer"), format_number(model.default_max_tokens)))
    if model.ends_on:
        facts.append((_("End of life"), date_format(model.ends_on, "SHORT_DATE_FORMAT")))
    return facts


def abilities(model: Model) -> list[str]:
    """Return what the model can do, and the plan that it needs."""
    words = {
        "reasoning": _("Reasoning"),
        "vision": _("Images"),
        "tools": _("Tools"),
        "lora": "LoRA",
        "paid_only": _("Paid plan only"),
    }
    return [text for field, text in words.items() if getattr(model, field)]


def _change(change: ModelChange) -> ChangeOut:
    details = [_detail(each) for each in change.fields]
    return ChangeOut(change.key, change.model, _kind(change), details, change.is_suggested)


def _kind(change: ModelChange) -> str:
    if change.is_dearer:
        return _("More expensive")
    return {
        ChangeKind.NEW: _("New"),
        ChangeKind.GONE: _("No longer offered"),
        ChangeKind.BACK: _("Available again"),
        ChangeKind.CHANGED: _("Changed"),
    }[change.kind]


def _detail(change: FieldChange) -> str:
    name = {
        "context_window": _("Context window"),
        "input_usd_per_million": _("Input per million tokens"),
        "output_usd_per_million": _("Output per million tokens"),
        "cached_input_usd_per_million": _("Cached input per million tokens"),
        "tools": _("Tools"),
        "vision": _("Images"),
        "reasoning": _("Reasoning"),
        "lora": "LoRA",
        "paid_only": _("Paid plan only"),
        "ends_on": _("End of life"),
    }[change.field]
    after = _value(change.field, change.after)
    if change.before is None:
        return _("{name}: {after}").format(name=name, after=after)
    words = _("{name}: {before}, now {after}")
    return words.format(name=name, before=_value(change.field, change.before), after=after)


def _value(field: str, value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value is None:
        return _("none")
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    return f"${format_number(value)}" if "_usd_" in field else format_number(value)
