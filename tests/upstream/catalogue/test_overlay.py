"""Stored changes lie over the catalogue file."""

from datetime import date

import pytest

from chat.lib.catalogue import Model
from chat.upstream.catalogue.models import ModelOverlay
from chat.upstream.catalogue.overlay import merged

A = Model(id="a", context_window=1000, input_usd_per_million=1.0, output_usd_per_million=2.0)
B = Model(id="b", context_window=2000, ends_on=date(2027, 1, 31))
BASE = {"a": A, "b": B}


def test_without_changes_it_is_the_file() -> None:
    assert merged(BASE, []) == BASE


def test_an_administrators_value_wins_over_the_providers() -> None:
    row = ModelOverlay(
        model="a",
        from_service={"context_window": 3000, "tools": True},
        own={"context_window": 1500},
    )
    (model, _other) = merged(BASE, [row]).values()
    assert (model.context_window, model.tools) == (1500, True)
    (model, _other) = merged(BASE, [row], with_own=False).values()
    assert model.context_window == 3000


def test_a_model_can_be_switched_off_and_on() -> None:
    off = merged(BASE, [ModelOverlay(model="a", is_offered=False)])["a"]
    assert (off.listed, off.switched_off) == (False, True)
    on = merged(BASE, [ModelOverlay(model="a", is_offered=True)])["a"]
    assert (on.listed, on.switched_off) == (True, False)


def test_a_model_that_the_file_lacks_is_added_at_the_end() -> None:
    row = ModelOverlay(model="house/c", from_service={"context_window": 500})
    assert list(merged(BASE, [row])) == ["a", "b", "house/c"]
    assert merged(BASE, [row])["house/c"].name == "c"


def test_positions_order_the_models() -> None:
    rows = [ModelOverlay(model="b", position=0), ModelOverlay(model="c", own={})]
    assert list(merged(BASE, rows[:1])) == ["b", "a"]


@pytest.mark.parametrize("values", [{"context_window": "many"}, {"price": 1}, {"tools": 1}])
def test_invalid_values_are_ignored_and_logged(
    values: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    assert merged(BASE, [ModelOverlay(model="a", own=values)]) == BASE
    assert "stored changes of model a are ignored" in caplog.text


def test_an_announced_end_can_be_withdrawn() -> None:
    row = ModelOverlay(model="b", from_service={"ends_on": None})
    assert merged(BASE, [row])["b"].ends_on is None


def test_prices_of_ones_own_count_only_together() -> None:
    both = {"input_usd_per_million": 3.0, "output_usd_per_million": 4.0}
    assert merged(BASE, [ModelOverlay(model="a", own=both)])["a"].has_own_price
    assert not merged(BASE, [ModelOverlay(model="a", from_service=both)])["a"].has_own_price
    row = ModelOverlay(model="a", own={"input_usd_per_million": 3.0})
    assert not merged(BASE, [row])["a"].has_own_price
