"""Hold the models in use in memory: the file's, with the changes stored in the database.

The changes are read again if the version of the configuration has changed: by each message of a
member, and by every process every two seconds (`background_jobs`). So a change needs no restart.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from django.conf import settings

from chat.database.config_version import VersionedValue
from chat.lib.catalogue import Model
from chat.upstream.catalogue.models import ModelOverlay
from chat.upstream.catalogue.overlay import merged


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All known models by id, and those on offer, with the default model first."""

    models: dict[str, Model]
    offered: dict[str, Model]


def current() -> Catalogue:
    """Return the catalogue as last read; before the first time, that of the file."""
    return _changed.last() or _unchanged()


def forget() -> None:
    """Forget what was read, for tests."""
    _changed.forget()
    _unchanged.cache_clear()


def _catalogue(rows: Iterable[ModelOverlay]) -> Catalogue:
    models = {name: _reachable(model) for name, model in merged(settings.MODELS, rows).items()}
    offered = _offered(models) or _offered(settings.MODELS)  # a site needs one
    default = settings.DEFAULT_MODEL
    if default in offered:
        offered = {default: offered[default]} | offered
    return Catalogue(models, offered)


def _reachable(model: Model) -> Model:
    """Mark a model as retired if the catalogue file no longer describes its provider."""
    is_known = not model.provider or model.provider in settings.PROVIDERS
    return model if is_known else replace(model, deprecated=True)


def _offered(models: dict[str, Model]) -> dict[str, Model]:
    return {model.id: model for model in models.values() if model.is_offered}


@cache
def _unchanged() -> Catalogue:
    return _catalogue(())


def _read() -> Catalogue:
    return _catalogue(ModelOverlay.objects.all())


_changed = VersionedValue(_read)
refresh = _changed.refresh
