"""The models this site offers: the catalogue's, in the order the site prefers."""

from functools import cache

from django.conf import settings

from chat.errors import UnknownModel
from chat.lib.catalogue import Model


@cache
def on_offer() -> dict[str, Model]:
    """Models by id, the default one first; ones that are gone are left out."""
    models: dict[str, Model] = {m.id: m for m in settings.MODELS.values() if not m.deprecated}
    default = settings.DEFAULT_MODEL or next(iter(models))
    return {default: models[default]} | models


def find(model_id: str | None) -> Model:
    """The model of that id, the default one for None."""
    models = on_offer()
    model = models.get(model_id or next(iter(models)))
    if model is None:
        raise UnknownModel
    return model


def id_of(wanted: str) -> str | None:
    """`wanted`, if it is on offer."""
    return wanted if wanted in on_offer() else None


def known(model_id: str) -> Model | None:
    """What is known of a model, on offer or not."""
    return settings.MODELS.get(model_id)


def fallback(wanted: str = "") -> Model | None:
    """The model that answers where another one is gone or has no capacity."""
    return on_offer().get(wanted) or on_offer().get(settings.FALLBACK_MODEL)
