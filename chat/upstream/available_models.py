"""Look up the models this site offers, in its order of preference."""

from functools import cache

from django.conf import settings

from chat.errors import UnknownModel
from chat.lib.catalogue import Model
from chat.upstream import factory


@cache
def offered_models() -> dict[str, Model]:
    """Return the offered models by id, the default one first. Retired models are left out."""
    models: dict[str, Model] = {
        m.id: m for m in settings.MODELS.values() if m.listed and not m.is_gone
    }
    default = settings.DEFAULT_MODEL or next(iter(models))
    return {default: models[default]} | models


def find(model_id: str | None) -> Model:
    """Return the model with that id, or the default model for None; raise `UnknownModel`.

    A name that the provider has retired leads to the model that replaces it.
    """
    models = offered_models()
    model = models.get(model_id or next(iter(models))) or _unlisted(model_id or "")
    if model is None:
        raise UnknownModel
    return model


def _unlisted(model_id: str) -> Model | None:
    model: Model | None = settings.MODELS.get(model_id)
    if model is None or model.deprecated:
        return None
    return model if factory.uses_emulator() else offered_models().get(model.replaced_by, model)


def id_of(wanted: str) -> str | None:
    """Return `wanted` if it is offered, else None."""
    return wanted if wanted in offered_models() else None


def find_embedding_model(model_id: str) -> Model:
    """Return the embedding model with that id; raise `UnknownModel`."""
    model: Model | None = settings.EMBEDDING_MODELS.get(model_id)
    if model is None or model.is_gone:
        raise UnknownModel
    return model


def known(model_id: str) -> Model | None:
    """Return the catalogue's entry for a model, offered or not, for chats or for embeddings."""
    return settings.MODELS.get(model_id) or settings.EMBEDDING_MODELS.get(model_id)


def fallback(wanted: str = "") -> Model | None:
    """Return the model to use if another is retired or out of capacity; None if there is none."""
    return offered_models().get(wanted) or offered_models().get(settings.FALLBACK_MODEL)
