"""Describe the models that a member may choose: what each is good for, in one line and few tags.

The catalogue has facts only, so that a model from any provider can be described: its window, its
prices, whether it reasons, and whether it reads images.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.lib.catalogue import Model

#: In US dollars per million tokens of answers.
LOW_PRICE, HIGH_PRICE = 0.4, 0.7
#: In tokens: a book, not only a long article.
LONG_WINDOW = 100_000
#: With more models, the menu has a search field.
SEARCH_FROM = 9


class MenuModel(NamedTuple):
    """A model as the menu shows it."""

    facts: Model
    line: str
    tags: tuple[str, ...]


def menu_context(models: Collection[Model]) -> dict[str, Any]:
    return {
        "menu_models": menu_models(models),
        "is_long_model_list": len(models) >= SEARCH_FROM,
    }


def menu_models(models: Iterable[Model]) -> tuple[MenuModel, ...]:
    """Return the models in their order, described in the active language."""
    return _described(tuple(models), get_language() or "")


@lru_cache(maxsize=64)  # the list is the same for all members of a group
def _described(models: tuple[Model, ...], _language: str) -> tuple[MenuModel, ...]:
    return tuple(MenuModel(model, _line(model), _tags(model)) for model in models)


def _line(model: Model) -> str:
    if "coder" in model.id.casefold():
        return _("Writes and explains code")
    if model.reasoning:
        if _is_cheap(model):
            return _("Thinks before it answers, at a low price")
        return _("Thinks before it answers, for hard questions")
    if _is_cheap(model):
        return _("Quick answers to simple questions")
    if _is_long(model):
        return _("Everyday questions and long documents")
    return _("Everyday questions and writing")


def _tags(model: Model) -> tuple[str, ...]:
    tags = {
        _("Fast"): _is_cheap(model) and not model.reasoning,
        _("Smart"): (model.reasoning and not _is_cheap(model)) or _is_expensive(model),
        _("Long"): _is_long(model),
        _("Images"): model.vision,
    }
    return tuple(tag for tag, is_so in tags.items() if is_so)


def _is_cheap(model: Model) -> bool:
    """Return whether it is; small models are cheap and quick. Of an unknown price, nothing is."""
    return model.output_usd_per_million is not None and model.output_usd_per_million <= LOW_PRICE


def _is_expensive(model: Model) -> bool:
    return model.output_usd_per_million is not None and model.output_usd_per_million >= HIGH_PRICE


def _is_long(model: Model) -> bool:
    return model.context_window >= LONG_WINDOW
