"""Read the catalogue of chat models and their providers from a TOML file.

The one included describes Workers AI. A site that uses other servers writes its own, in which only
`id` and `context_window` of a model are required. With `include = "workers-ai"`, the included
models come first.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

from chat.lib.catalogue.media_model import MediaModel, media_model_from
from chat.lib.catalogue.model import Model
from chat.lib.catalogue.model_fields import model_from
from chat.lib.catalogue.provider import Provider, provider_from
from chat.lib.release_files import read_at_start

_FOLDER = Path(__file__).parents[1]
SHIPPED_FILE = _FOLDER / "workers_ai_models.toml"
SHIPPED_EMBEDDINGS = _FOLDER / "workers_ai_embedding_models.toml"
SHIPPED_MEDIA = _FOLDER / "workers_ai_media_models.toml"
SHIPPED = (SHIPPED_FILE, SHIPPED_EMBEDDINGS, SHIPPED_MEDIA)
INCLUDED = "workers-ai"


class ProvidedModel(Protocol):
    """A model of any kind, as far as it says who provides it."""

    @property
    def id(self) -> str: ...

    @property
    def provider(self) -> str: ...

    @property
    def requests_per_minute(self) -> int: ...


M = TypeVar("M", bound=ProvidedModel)


@dataclass(frozen=True, slots=True)
class CatalogueFile:
    """What a file says: models by id, in its order, and providers by name."""

    models: dict[str, Model]
    providers: dict[str, Provider]


@dataclass(frozen=True, slots=True)
class MediaFile:
    """What a file of audio and image models says."""

    models: dict[str, MediaModel]
    providers: dict[str, Provider]


def read_catalogue(path: Path | None = None) -> dict[str, Model]:
    """Return the models by id, in the file's order.

    Raise ValueError, naming file, entry and key, if the file is not a valid catalogue.
    """
    return read_catalogue_file(path).models


def read_catalogue_file(
    path: Path | None = None, described: Mapping[str, Provider] | None = None
) -> CatalogueFile:
    """Return the models and providers. Raise ValueError like `read_catalogue`.

    Models may also name the providers that are `described` elsewhere.
    """
    path = path or SHIPPED_FILE
    document = _document(path)
    providers = _providers(path, document.pop("providers", {}))
    included = document.pop("include", None)
    if included not in (None, INCLUDED):
        raise ValueError(f"{path}: include: expected {INCLUDED!r}, not {included!r}")
    models = _models(path, document, model_from)
    if included:
        models = read_catalogue() | models
    for model in models.values():
        if model.replaced_by and not _is_offered(models.get(model.replaced_by)):
            raise ValueError(f"{path}: {model.id}: replaced_by: not a model on offer")
    _require_providers(path, models, {**(described or {}), **providers})
    return CatalogueFile(models, providers)


def read_media_file(
    path: Path = SHIPPED_MEDIA, described: Mapping[str, Provider] | None = None
) -> MediaFile:
    """Return the audio and image models. Raise ValueError like `read_catalogue`."""
    document = _document(path)
    providers = _providers(path, document.pop("providers", {}))
    included = document.pop("include", None)
    if included not in (None, INCLUDED):
        raise ValueError(f"{path}: include: expected {INCLUDED!r}, not {included!r}")
    models = _models(path, document, media_model_from)
    if included:
        models = read_media_file().models | models
    _require_providers(path, models, {**(described or {}), **providers})
    return MediaFile(models, providers)


def _require_providers(
    path: Path, models: Mapping[str, ProvidedModel], described: Mapping[str, Provider]
) -> None:
    for model in models.values():
        if model.provider and model.provider not in described:
            raise ValueError(f"{path}: {model.id}: provider: {model.provider!r} is not described")


def _is_offered(model: Model | None) -> bool:
    return model is not None and model.is_offered


def _document(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_shipped(path) if path in SHIPPED else path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a TOML file: {error}") from None


@cache
def _shipped(path: Path) -> str:
    return path.read_text("utf-8")


@read_at_start
def _read_shipped() -> None:
    for path in SHIPPED:
        _shipped(path)


def _providers(path: Path, tables: Any) -> dict[str, Provider]:
    if not isinstance(tables, Mapping):
        raise ValueError(f"{path}: providers: expected tables like [providers.name]")
    providers = {}
    for name, entry in tables.items():
        try:
            providers[name] = provider_from(name, entry)
        except ValueError as error:
            raise ValueError(f"{path}: provider {name}: {error}") from None
    return providers


def _models(path: Path, document: dict[str, Any], read: Callable[[Any], M]) -> dict[str, M]:
    entries = document.pop("models", None)
    if document:
        raise ValueError(f"{path}: {next(iter(document))}: unknown key, expected [[models]]")
    if not isinstance(entries, list) or not entries:
        raise ValueError(f"{path}: models: expected at least one [[models]] entry")
    models: dict[str, M] = {}
    for number, entry in enumerate(entries, start=1):
        try:
            model = read(entry)
            if model.id in models:
                raise ValueError("id: listed twice")
        except ValueError as error:
            raise ValueError(f"{path}: model {number} ({_label(entry)}): {error}") from None
        models[model.id] = model
    return models


def _label(entry: Any) -> str:
    return str(entry.get("id", "no id")) if isinstance(entry, Mapping) else "not a table"
