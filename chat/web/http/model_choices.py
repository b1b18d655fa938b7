"""Offer models to choose from: a few that are suggested, then the others.

Each says what it is good for, in one line and few tags. The catalogue has facts only, so that a
model from any provider can be described: its window, its prices, whether it reasons, and whether it
reads images.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.accounts.preferences import Preferences
from chat.lib.catalogue import Model

#: A member's own models may be more.
SUGGESTED = 5
#: Fewer others than this are not worth another click.
MIN_OTHERS = 3
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


def suggested(models: Collection[Model], preferences: Preferences) -> tuple[Model, ...]:
    """Return the models to show first.

    These are the ones that the member has pinned, the one for new chats, and those they used last;
    then the site's first models that are each good for something else.
    """
    if len(models) < SUGGESTED + MIN_OTHERS:
        return tuple(models)
    described = {each.facts.id: each for each in menu_models(models)}
    names = [
        *preferences.pinned_models.split(),
        preferences.default_model
        if preferences.default_model in described
        else next(iter(described)),
        *preferences.recent_models.split(),
    ]
    found = [described[name] for name in dict.fromkeys(names) if name in described]
    for each in described.values():
        if len(found) < SUGGESTED and all(each.line != other.line for other in found):
            found.append(each)
    for each in described.values():  # if they aren't that different
        if len(found) < SUGGESTED and each not in found:
            found.append(each)
    return tuple(each.facts for each in found)


def menu_context(models: Collection[Model], preferences: Preferences) -> dict[str, Any]:
    described = {each.facts.id: each for each in menu_models(models)}
    first = [described.pop(model.id) for model in suggested(models, preferences)]
    return {
        "suggested_models": list(_without_repetitions(first)),
        "other_models": list(described.values()),
        "is_long_model_list": len(models) >= SEARCH_FROM,
    }


def form_choices(
    blank: str, models: Collection[Model], preferences: Preferences
) -> list[tuple[str, str | list[tuple[str, str]]]]:
    """Return the choices of a form's field; `blank` names its empty one."""
    first = suggested(models, preferences)
    others = [model for model in models if model not in first]
    if not others:
        return [("", blank), *_pairs(first)]
    return [("", blank), (_("Suggested"), _pairs(first)), (_("More models"), _pairs(others))]


def _pairs(models: Iterable[Model]) -> list[tuple[str, str]]:
    return [(model.id, model.name) for model in models]


def _without_repetitions(models: Iterable[MenuModel]) -> Iterator[MenuModel]:
    """Leave out a line that a model above has, too: it doesn't help to choose."""
    lines = set()
    for each in models:
        yield each._replace(line="") if each.line in lines else each
        lines.add(each.line)


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
