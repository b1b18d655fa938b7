"""The models this site offers: the catalogue's, in the order the site prefers."""

from functools import cache

from django.conf import settings

from chat.errors import UnknownModel
from chat.lib.catalogue import Model
from chat.upstream import factory


@cache
def on_offer() -> dict[str, Model]:
    """Models by id, the default one first; ones that are gone are left out."""
    models: dict[str, Model] = {
        m.id: m for m in settings.MODELS.values() if m.listed and not m.is_gone
    }
    default = settings.DEFAULT_MODEL or next(iter(models))
    return {default: models[default]} | models


def find(model_id: str | None) -> Model:
    """The model of that id, the default one for None.

    Old names are known, too: of those that the service no longer has, the one that replaces them.
    """
    models = on_offer()
    model = models.get(model_id or next(iter(models))) or _unlisted(model_id or "")
    if model is None:
        raise UnknownModel
    return model


def _unlisted(model_id: str) -> Model | None:
    model = known(model_id)
    if model is None or model.deprecated:
        return None
    return model if factory.uses_emulator() else on_offer().get(model.replaced_by, model)


def id_of(wanted: str) -> str | None:
    """`wanted`, if it is on offer."""
    return wanted if wanted in on_offer() else None


def known(model_id: str) -> Model | None:
    """What is known of a model, on offer or not."""
    return settings.MODELS.get(model_id)


def fallback(wanted: str = "") -> Model | None:
    """The model that answers where another one is gone or has no capacity."""
    return on_offer().get(wanted) or on_offer().get(settings.FALLBACK_MODEL)
