"""The models this site offers, from the catalogue and the settings."""

from functools import cache
from pathlib import Path

from django.conf import settings

from chat.errors import UnknownModel
from chat.lib.catalogue import Model, read_catalogue


@cache
def on_offer() -> dict[str, Model]:
    """Models by id, the default one first; ones that are gone are left out."""
    path = Path(settings.MODELS_FILE) if settings.MODELS_FILE else None
    models = {m.id: m for m in read_catalogue(path).values() if not m.deprecated}
    default = models.get(settings.DEFAULT_MODEL) or next(iter(models.values()))
    return {default.id: default} | models


def find(model_id: str | None) -> Model:
    """The model of that id, the default one for None."""
    models = on_offer()
    if model_id is None:
        return next(iter(models.values()))
    if model_id not in models:
        raise UnknownModel
    return models[model_id]


def fallback() -> Model | None:
    return on_offer().get(settings.FALLBACK_MODEL)
