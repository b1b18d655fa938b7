"""Lay stored changes over the models of the catalogue file. Pure functions."""

import logging
import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from chat.lib.catalogue import Model, checked_changes, model_from
from chat.upstream.catalogue.models import ModelOverlay

log = logging.getLogger(__name__)

#: With both set by an administrator, they count instead of the provider's figures.
PRICES = frozenset({"input_usd_per_million", "output_usd_per_million"})


def merged(
    base: Mapping[str, Model], rows: Iterable[ModelOverlay], *, with_own: bool = True
) -> dict[str, Model]:
    """Return all models by id, in the order to show them.

    A row with invalid values is ignored, and logged. Without `with_own`, the result is what the
    file and the service say.
    """
    models = dict(base)
    positions: dict[str, int] = {}
    for row in rows:
        try:
            models[row.model] = _model(base.get(row.model), row, with_own=with_own)
        except (ValueError, TypeError) as error:
            log.error("stored changes of model %s are ignored: %s", row.model, error)
            continue
        if row.position is not None:
            positions[row.model] = row.position
    return dict(sorted(models.items(), key=lambda item: positions.get(item[0], math.inf)))


def _model(model: Model | None, row: ModelOverlay, *, with_own: bool) -> Model:
    own = row.own if with_own else {}
    values: dict[str, Any] = {**row.from_service, **own}
    if row.is_offered is not None:
        values["listed"] = row.is_offered
    changed = (
        model_from({"id": row.model, **_stated(values)})
        if model is None
        else replace(model, **_checked(values))
    )
    return replace(
        changed, has_own_price=own.keys() >= PRICES, switched_off=row.is_offered is False
    )


def _checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checked values. A null removes an end of life that was announced before."""
    cleared = {key: None for key in ("ends_on",) if key in values and values[key] is None}
    return checked_changes(_stated(values)) | cleared


def _stated(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
