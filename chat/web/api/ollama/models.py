"""Find models by the names that Ollama's clients write, and describe them as Ollama does."""

from datetime import UTC, datetime
from hashlib import sha256
from itertools import takewhile
from typing import Any

from chat.errors import UnknownModel
from chat.lib.catalogue import Model
from chat.upstream import available_models
from chat.web.api.api_callers import MAX_SHOWN_MODEL_CHARS, ApiCaller
from chat.web.api.model_list import CREATED
from chat.web.http.json_body import UnsupportedParameter

#: What Ollama adds to a name without a version, and programs with it.
LATEST = ":latest"
#: Programs read this key to learn how much a model can read.
CONTEXT = "context_length"


def find_chat_model(caller: ApiCaller, wanted: str) -> Model:
    """Return the model for an answer. Raise `BadRequest` or `ModelNotAllowed`.

    Reads the database, as the other functions do.
    """
    name = id_of(wanted)
    if available_models.is_embedding_model(name):
        raise UnsupportedParameter(f'"{wanted[:MAX_SHOWN_MODEL_CHARS]}" does not support chat')
    try:
        return caller.find_model(name)
    except UnknownModel:
        raise _not_found(wanted) from None


def find_embedding_model(caller: ApiCaller, wanted: str) -> Model:
    """Return the model for embeddings. Raise `BadRequest` or `ModelNotAllowed`."""
    name = id_of(wanted)
    try:
        return caller.find_embedding_model(name)
    except UnknownModel:
        if available_models.known(name):
            raise UnsupportedParameter("this model does not support embeddings") from None
        raise _not_found(wanted) from None


def shown_model(caller: ApiCaller, wanted: str) -> dict[str, Any]:
    """Return all that Ollama tells of a model."""
    is_embedding = available_models.is_embedding_model(id_of(wanted))
    find = find_embedding_model if is_embedding else find_chat_model
    model = find(caller, wanted)
    family = _family(model)
    return {
        "modelfile": f"FROM {model.id}\n",
        "parameters": f"num_ctx {model.context_window}",
        "template": "",
        "details": _details(model),
        "model_info": {
            "general.architecture": family,
            "general.basename": model.name or model.id,
            f"{family}.{CONTEXT}": model.context_window,
        },
        "capabilities": ["embedding"] if is_embedding else _capabilities(model),
        "modified_at": _changed_at(),
    }


def listed_models(caller: ApiCaller) -> list[dict[str, Any]]:
    """Return the models that the program may use, those for embeddings last."""
    models = [*caller.models().values(), *caller.embedding_models().values()]
    return [_listed(each) for each in models]


def id_of(name: str) -> str:
    """Return the id of the model with this name, in which `:latest` may be missing or not."""
    return name if available_models.known(name) else name.removesuffix(LATEST) or name


def _not_found(wanted: str) -> UnknownModel:
    """Return the error in Ollama's words, which programs look for."""
    return UnknownModel(f"model '{wanted[:MAX_SHOWN_MODEL_CHARS]}' not found")


def _listed(model: Model) -> dict[str, Any]:
    return {
        "name": model.id,
        "model": model.id,
        "modified_at": _changed_at(),
        "size": 0,  # here
        "digest": sha256(model.id.encode()).hexdigest(),
        "details": _details(model),
    }


def _details(model: Model) -> dict[str, Any]:
    family = _family(model)
    return {
        "parent_model": "",
        "format": "",
        "family": family,
        "families": [family],
        "parameter_size": "",
        "quantization_level": "",
    }


def _family(model: Model) -> str:
    """Return the letters with which the model's name begins, such as `llama`."""
    name = model.id.rpartition("/")[2]
    return "".join(takewhile(str.isalpha, name)).lower() or "model"


def _capabilities(model: Model) -> list[str]:
    can = {"tools": model.tools, "vision": model.vision, "thinking": model.reasoning}
    return ["completion", *(name for name, is_able in can.items() if is_able)]


def _changed_at() -> datetime:
    return datetime.fromtimestamp(CREATED, UTC)
