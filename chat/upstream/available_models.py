"""Look up the models this site offers, in its order of preference."""

from django.conf import settings

from chat.errors import UnknownModel
from chat.lib.catalogue import MediaModel, MediaTask, Model
from chat.upstream import factory
from chat.upstream.catalogue import current as current_catalogue


def offered_models() -> dict[str, Model]:
    """Return the offered models by id, the default one first. Retired models are left out."""
    return current_catalogue.current().offered


def all_models() -> dict[str, Model]:
    """Return all models of the catalogue by id, offered or not."""
    return current_catalogue.current().models


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
    model = all_models().get(model_id)
    if model is None or model.deprecated or model.switched_off:
        return None
    return (
        model
        if factory.uses_emulator(model.provider)
        else offered_models().get(model.replaced_by, model)
    )


def is_emulated(wanted: str = "") -> bool:
    """Return whether the emulator answers for this model; for the default one if it isn't offered.

    Of models of several providers, only those of the main one may be emulated.
    """
    models = offered_models()
    model = models.get(wanted) or next(iter(models.values()), None)
    return model is not None and factory.uses_emulator(model.provider)


def id_of(wanted: str) -> str | None:
    """Return `wanted` if it is offered, else None."""
    return wanted if wanted in offered_models() else None


def embedding_models() -> dict[str, Model]:
    """Return the embedding models by id. Retired ones are left out."""
    models: dict[str, Model] = settings.EMBEDDING_MODELS
    return {name: each for name, each in models.items() if not each.is_gone}


def find_embedding_model(model_id: str) -> Model:
    """Return the embedding model with that id; raise `UnknownModel`."""
    model: Model | None = settings.EMBEDDING_MODELS.get(model_id)
    if model is None or model.is_gone:
        raise UnknownModel
    return model


def is_embedding_model(model_id: str) -> bool:
    return model_id in settings.EMBEDDING_MODELS


def judge_models() -> list[Model]:
    """Return the models that can judge messages. Retired ones are left out."""
    models: dict[str, Model] = settings.JUDGE_MODELS
    return [each for each in models.values() if not each.is_gone]


def find_judge_model(model_id: str) -> Model | None:
    """Return the judging model with that id; None if there is none."""
    model: Model | None = settings.JUDGE_MODELS.get(model_id)
    return None if model is None or model.is_gone else model


def find_media_model(model_id: str, task: MediaTask) -> MediaModel:
    """Return the model with that id for this task; raise `UnknownModel`."""
    model: MediaModel | None = settings.MEDIA_MODELS.get(model_id)
    if model is None or model.task != task:
        raise UnknownModel
    return model


def media_task_of(model_id: str) -> MediaTask | None:
    """Return what an audio or image model does; None for any other model."""
    model: MediaModel | None = settings.MEDIA_MODELS.get(model_id)
    return model.task if model else None


def first_media_model(task: MediaTask) -> str:
    """Return the id of the first model for a task; empty if there is none."""
    return next((name for name, each in settings.MEDIA_MODELS.items() if each.task == task), "")


def known(model_id: str) -> Model | None:
    """Return the catalogue's entry for a model, offered or not; not those of audio and images."""
    others: dict[str, Model] = settings.EMBEDDING_MODELS | settings.RERANK_MODELS
    others |= settings.JUDGE_MODELS
    return all_models().get(model_id) or others.get(model_id)


def name_of(model_id: str) -> str:
    """Return the name of a model, or the id of one that the catalogue has no longer."""
    model = known(model_id)
    return model.name if model else model_id


def priced(model_id: str, routed_to: str = "") -> Model | None:
    """Return the model whose prices count.

    Those of a route of AI Gateway are its own, or those of the model that it chose (`routed_to`).
    """
    model = known(model_id)
    is_priced = model is not None and model.output_usd_per_million is not None
    return model if is_priced else known(routed_to) or model


def fallback(wanted: str = "") -> Model | None:
    """Return the model to use if another is retired or out of capacity; None if there is none."""
    return offered_models().get(wanted) or offered_models().get(settings.FALLBACK_MODEL)
