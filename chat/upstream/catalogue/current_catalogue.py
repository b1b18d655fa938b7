"""Hold the models in use in memory: the file's, with the changes stored in the database.

The changes are read again if the version of the rules has changed: by each message of a member, and
by every process every two seconds (`background_jobs`). So a change needs no restart.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.conf import settings

from chat.lib.catalogue import Model
from chat.quotas import rules_version
from chat.upstream.catalogue.models import ModelOverlay
from chat.upstream.catalogue.overlay import merged


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All known models by id, and those on offer, with the default model first."""

    models: dict[str, Model]
    offered: dict[str, Model]


_known: tuple[int | None, Catalogue] | None = None


def current() -> Catalogue:
    """Return the catalogue as last read; before the first time, that of the file."""
    global _known
    if _known is None:
        _known = (None, _catalogue(()))
    return _known[1]


def refresh(version: int | None = None) -> None:
    """Read the changes again if they may be outdated. `version` is that of the rules, if known."""
    global _known
    version = rules_version.current() if version is None else version
    if not is_fresh(version):
        _known = (version, _catalogue(ModelOverlay.objects.all()))


def refresh_in_background() -> bool:
    """Refresh, as a background job of each server process."""
    refresh()
    return False


def is_fresh(version: int | None) -> bool:
    """Return whether the catalogue in memory is that of this version of the rules."""
    return version is not None and _known is not None and _known[0] == version


def forget() -> None:
    """Forget what was read, for tests."""
    global _known
    _known = None


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
