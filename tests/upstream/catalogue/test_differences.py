"""The catalogue is compared with what a provider says."""

from dataclasses import replace
from datetime import date
from typing import Any

from chat.lib.catalogue import Model
from chat.upstream.catalogue.differences import ChangeKind, ModelChange, changes
from chat.upstream.catalogue.service_models import ServiceModel

A = Model(
    id="@cf/house/a",
    context_window=1000,
    input_usd_per_million=1.0,
    output_usd_per_million=2.0,
    tools=True,
)
SAME: dict[str, Any] = {
    "context_window": 1000,
    "input_usd_per_million": 1.0,
    "output_usd_per_million": 2.0,
    "tools": True,
    "vision": False,
    "ends_on": None,
}


def compared(
    *models: Model, listed: dict[str, dict[str, Any]], **options: Any
) -> list[ModelChange]:
    there = [ServiceModel(name, facts) for name, facts in listed.items()]
    known = {model.id: model for model in models}
    return changes(known, "", there, **{"is_workers_ai": True, **options})


def test_equal_facts_are_no_change() -> None:
    assert compared(A, listed={A.id: SAME}) == []


def test_what_is_not_stated_is_not_compared() -> None:
    assert compared(A, listed={A.id: {}}) == []


def test_rounded_prices_are_equal() -> None:
    assert compared(A, listed={A.id: {"output_usd_per_million": 2.009}}) == []


def test_a_higher_price_is_dearer_and_a_lower_one_is_not() -> None:
    (change,) = compared(A, listed={A.id: SAME | {"output_usd_per_million": 3.0}})
    assert (change.kind, change.is_dearer) == (ChangeKind.CHANGED, True)
    (field,) = change.fields
    assert (field.field, field.before, field.after) == ("output_usd_per_million", 2.0, 3.0)
    (change,) = compared(A, listed={A.id: SAME | {"output_usd_per_million": 1.0}})
    assert not change.is_dearer


def test_the_advertised_window_is_the_one_compared() -> None:
    model = replace(A, advertised_window=4000)
    assert compared(model, listed={A.id: {"context_window": 4000}}) == []
    (change,) = compared(model, listed={A.id: {"context_window": 1000}})
    assert change.fields[0].before == 4000


def test_an_announced_end_is_a_change() -> None:
    (change,) = compared(A, listed={A.id: {"ends_on": date(2027, 1, 31)}})
    assert change.fields[0].after == date(2027, 1, 31)


def test_a_model_that_is_no_longer_listed_is_gone() -> None:
    (change,) = compared(A, listed={"@cf/house/b": {}}, ignored=["@cf/house/b"])
    assert (change.kind, change.model) == (ChangeKind.GONE, A.id)


def test_routes_of_a_gateway_are_never_in_the_list_and_not_gone() -> None:
    route = Model(id="dynamic/support", context_window=1000)
    assert compared(route, listed={}) == []
    assert [each.kind for each in compared(route, listed={}, is_workers_ai=False)] == ["gone"]


def test_a_retired_model_that_is_listed_again_is_back() -> None:
    (change,) = compared(replace(A, deprecated=True), listed={A.id: SAME})
    assert change.kind is ChangeKind.BACK
    assert compared(replace(A, deprecated=True), listed={}) == []


def test_an_alias_of_a_retired_model_is_no_change() -> None:
    assert compared(replace(A, replaced_by="b"), listed={A.id: {"tools": False}}) == []


def test_a_new_model_has_the_stated_facts() -> None:
    (change,) = compared(listed={"@cf/house/new": SAME})
    assert (change.kind, change.model) == (ChangeKind.NEW, "@cf/house/new")
    assert {each.field for each in change.fields} == SAME.keys() - {"vision", "ends_on"}


def test_models_of_other_providers_are_left_alone() -> None:
    assert compared(replace(A, provider="other"), listed={}) == []


def test_a_new_model_whose_id_another_provider_uses_gets_its_providers_name() -> None:
    found = changes({A.id: A}, "other", [ServiceModel(A.id, {})], is_workers_ai=False)
    assert [(each.model, each.id_there) for each in found] == [(f"other/{A.id}", A.id)]


def test_a_change_with_other_values_has_another_key() -> None:
    keys = {
        compared(A, listed={A.id: SAME | {"output_usd_per_million": price}})[0].key
        for price in (3.0, 4.0)
    }
    assert len(keys) == 2


def test_new_models_of_openai_compatible_providers_are_not_suggested() -> None:
    listed = {"a/new": {}, "b/new": {}}
    assert not any(each.is_suggested for each in compared(listed=listed, is_workers_ai=False))
    assert all(each.is_suggested for each in compared(listed=listed))
