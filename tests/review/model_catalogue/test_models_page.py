"""Administrators switch models, order them, and set prices and windows."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from chat.upstream import available_models
from chat.upstream.catalogue.models import ModelOverlay
from tests.review.conftest import give, recorded_actions
from tests.support.review.member_pages import client_of, text_of

PAGE = "/review/models/"
OFFERED = list(available_models.offered_models())
FIRST, SECOND, THIRD = OFFERED[:3]
LISTED = [name for name, model in available_models.all_models().items() if not model.is_gone]


def save(client: Client, offered: list[str] = OFFERED, **places: Any) -> Any:
    """Submit the table as the page does, with some positions changed."""
    sent: dict[str, Any] = {f"place-{name}": at for at, name in enumerate(LISTED, start=1)}
    return client.post(PAGE, {**sent, **places.get("at", {}), "offered": offered})


def edit(client: Client, model: str, **values: Any) -> Any:
    return client.post(f"{PAGE}edit/{model}/", values)


def details() -> list[str]:
    found = recorded_actions().filter(kind=StaffAction.Kind.MODELS_CHANGED).order_by("id")
    return list(found.values_list("detail", flat=True))


def test_the_page_lists_all_models_with_their_prices(admin_browser: Client) -> None:
    shown = text_of(admin_browser, PAGE)
    for name in LISTED:
        assert f'name="offered" value="{name}"' in shown
    assert "$2.253" in shown
    assert "No longer offered by the provider" in shown


def test_saving_without_a_change_records_nothing(admin_browser: Client) -> None:
    assert save(admin_browser).status_code == 302
    assert details() == []
    assert not ModelOverlay.objects.exists()


def test_a_model_is_switched_off_and_on_again(admin_browser: Client) -> None:
    assert save(admin_browser, [name for name in OFFERED if name != SECOND]).status_code == 302
    assert SECOND not in available_models.offered_models()
    assert save(admin_browser).status_code == 302
    assert SECOND in available_models.offered_models()
    assert details() == [f"{SECOND}: off", f"{SECOND}: on"]


@pytest.mark.parametrize(
    ("model", "place", "expected"),
    [
        (THIRD, 1, [THIRD, FIRST, SECOND]),
        (FIRST, 3, [SECOND, THIRD, FIRST]),
        (SECOND, 1, [SECOND, FIRST, THIRD]),
    ],
)
def test_a_model_takes_the_position_typed_for_it(
    admin_browser: Client, model: str, place: int, expected: list[str]
) -> None:
    save(admin_browser, at={f"place-{model}": place})
    assert list(available_models.offered_models())[:3] == expected
    assert details()[0].startswith(f"order: {expected[0]}, {expected[1]}")


def test_a_blank_position_stays(admin_browser: Client) -> None:
    save(admin_browser, at={f"place-{FIRST}": ""})
    assert next(iter(available_models.offered_models())) == FIRST


def test_an_invalid_position_is_shown_again(admin_browser: Client) -> None:
    response = save(admin_browser, at={f"place-{FIRST}": "first"})
    assert response.status_code == 422
    assert 'value="first"' in response.content.decode()


def test_at_least_one_model_stays_on(admin_browser: Client) -> None:
    response = save(admin_browser, [])
    assert response.status_code == 422
    assert "Leave at least one model turned on." in response.content.decode()
    assert not ModelOverlay.objects.exists()


def test_the_default_model_of_the_settings_stays_on(
    admin_browser: Client, settings: Settings
) -> None:
    settings.DEFAULT_MODEL = SECOND
    response = save(admin_browser, [name for name in OFFERED if name != SECOND])
    assert response.status_code == 422
    assert "it can&#x27;t be turned off" in response.content.decode()


def test_a_model_that_the_page_did_not_show_is_left_alone(admin_browser: Client) -> None:
    admin_browser.post(PAGE, {f"place-{FIRST}": "1", "offered": [FIRST]})
    assert list(available_models.offered_models()) == OFFERED


def test_prices_and_windows_are_set_for_one_model(admin_browser: Client) -> None:
    values = {
        "name": "House llama",
        "context_window": "12000",
        "input_usd_per_million": "0,5",
        "output_usd_per_million": "3",
    }
    assert edit(admin_browser, FIRST, **values).status_code == 302
    model = available_models.offered_models()[FIRST]
    assert (model.name, model.context_window) == ("House llama", 12000)
    assert (model.input_usd_per_million, model.output_usd_per_million) == (0.5, 3.0)
    (detail,) = details()
    assert detail.startswith(f"{FIRST}: name House llama, context_window 12000")


def test_what_a_list_leaves_open_is_set_for_one_model(admin_browser: Client) -> None:
    values = {"vision": "True", "tools": "False", "reasoning_style": "inline_think"}
    assert edit(admin_browser, FIRST, **values).status_code == 302
    model = available_models.offered_models()[FIRST]
    assert (model.vision, model.tools, model.reasoning_style) == (True, False, "inline_think")
    shown = text_of(admin_browser, f"{PAGE}edit/{FIRST}/")
    assert '<option value="inline_think" selected>' in shown
    assert '<option value="False" selected>' in shown
    assert "In the catalog: Yes" in shown
    edit(admin_browser, FIRST)
    assert available_models.offered_models()[FIRST].tools


def test_the_form_shows_the_set_values_and_the_catalogues(admin_browser: Client) -> None:
    edit(admin_browser, FIRST, context_window="12000")
    shown = text_of(admin_browser, f"{PAGE}edit/{FIRST}/")
    assert 'value="12000"' in shown
    assert "In the catalog: 24,000" in shown
    assert "Llama 3.3 70B" in shown


def test_blank_fields_go_back_to_the_catalogue(admin_browser: Client) -> None:
    edit(admin_browser, FIRST, context_window="12000")
    edit(admin_browser, FIRST)
    assert available_models.offered_models()[FIRST].context_window == 24000
    assert details() == [f"{FIRST}: context_window 12000", f"{FIRST}: context_window –"]


@pytest.mark.parametrize(
    "values",
    [
        {"input_usd_per_million": "1"},
        {"output_usd_per_million": "1"},
        {"cached_input_usd_per_million": "1"},
        {"context_window": "0"},
        {"context_window": "1.5"},
        {"reasoning_style": "elsewhere"},
        {"input_usd_per_million": "-1", "output_usd_per_million": "1"},
        {"input_usd_per_million": "nan", "output_usd_per_million": "1"},
    ],
)
def test_invalid_values_are_refused(admin_browser: Client, values: dict[str, str]) -> None:
    assert edit(admin_browser, FIRST, **values).status_code == 422
    assert not ModelOverlay.objects.exists()


def test_a_model_that_does_not_exist_is_not_found(admin_browser: Client) -> None:
    assert edit(admin_browser, "@cf/house/none").status_code == 404
    assert admin_browser.get(f"{PAGE}edit/@cf/house/none/").status_code == 404


def test_leads_cannot_change_models(rita: User) -> None:
    lead = client_of(give(rita, "lead_review", None))
    assert save(lead, [FIRST]).status_code == 404
    assert edit(lead, FIRST, context_window="12000").status_code == 404
    assert not ModelOverlay.objects.exists()


def test_a_change_needs_a_reason(administrator: User) -> None:
    client = Client()
    client.cookies = client_of(administrator).cookies
    response = client.post(f"{PAGE}edit/{FIRST}/", {"context_window": "12000"})
    assert response.status_code == 422
    assert 'name="context_window" value="12000"' in response.content.decode()
    assert not ModelOverlay.objects.exists()
