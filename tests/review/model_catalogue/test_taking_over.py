"""`manage.py models` and the page show what changed at the provider, and take it over."""

import re
from io import StringIO
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from chat.accounts.actor import SERVER
from chat.lib.catalogue import read_catalogue
from chat.review.access_log.staff_actions import StaffAction
from chat.upstream import available_models
from tests.review.conftest import recorded_actions
from tests.support.review.member_pages import text_of
from tests.support.upstream import changed_emulator
from tests.support.upstream.changed_emulator import DEARER, GONE, NEW
from tests.support.upstream.raw_upstream import always, plain
from tests.support.upstream.two_providers import two_providers

PAGE = "/review/models/changes/"
MODELS_CHANGED = StaffAction.Kind.MODELS_CHANGED


@pytest.fixture
def _changed(settings: Settings) -> None:
    settings.EMULATOR_TRANSPORT = changed_emulator.PATH


def run(*options: str) -> str:
    out = StringIO()
    call_command("models", *options, stdout=out)
    return out.getvalue()


def keys_in(page: str) -> list[str]:
    return re.findall(r'name="change" value="(\w+)"', page)


def take_over(client: Client, *keys: str) -> Any:
    return client.post(PAGE, {"change": list(keys)})


@pytest.mark.django_db(transaction=True)
def test_the_shipped_catalogue_is_the_emulators() -> None:
    count = sum(not model.is_gone for model in read_catalogue().values())
    assert run() == f"the provider in the settings: {count} models, no changes\n"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_changed")
def test_the_command_names_the_new_the_gone_and_the_dearer_model() -> None:
    lines = run().splitlines()
    assert lines[0].endswith("3 changes")
    assert f"  + {NEW}: new" in lines
    assert f"  - {GONE}: gone" in lines
    assert f"  * {DEARER}: dearer" in lines
    assert "      output_usd_per_million: 0.3 → 0.45" in lines
    assert not recorded_actions().exists()
    assert GONE in available_models.offered_models()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_changed")
def test_the_command_takes_all_over_and_then_nothing_differs() -> None:
    assert "Applied." in run("--apply")
    assert run().splitlines()[0].endswith("no changes")
    assert GONE not in available_models.offered_models()
    assert NEW not in available_models.offered_models()  # until somebody switches it on
    assert available_models.known(DEARER).output_usd_per_million == 0.45  # type: ignore[union-attr]
    found = StaffAction.objects.filter(kind=MODELS_CHANGED, actor=SERVER)
    assert {each.detail.split(":")[0] for each in found} == {NEW, GONE, DEARER}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_changed")
def test_a_check_fails_if_there_are_changes() -> None:
    with pytest.raises(CommandError, match="3 changes"):
        run("--check")
    run("--apply")
    run("--check")


@pytest.mark.django_db(transaction=True)
def test_a_provider_that_is_away_is_not_taken_for_one_without_models(settings: Settings) -> None:
    settings.WORKERS_AI_BASE_URL = "http://127.0.0.1:9/client/v4"
    out = StringIO()
    with pytest.raises(CommandError, match="Not all lists could be read"):
        call_command("models", "--apply", stdout=out)
    assert "its list can't be read" in out.getvalue()
    assert GONE in available_models.offered_models()


@pytest.mark.usefixtures("_changed")
def test_the_page_shows_the_changes_and_takes_over_the_chosen_ones(
    admin_browser: Client,
) -> None:
    page = text_of(admin_browser, PAGE)
    keys = keys_in(page)
    assert len(keys) == 3
    assert "More expensive" in page
    assert "Output per million tokens: $0.3, now $0.45" in page
    for key in keys:
        assert take_over(admin_browser, key).status_code == 302
    assert keys_in(text_of(admin_browser, PAGE)) == []
    assert "Nothing has changed" in text_of(admin_browser, PAGE)
    assert GONE not in available_models.offered_models()
    details = recorded_actions().filter(kind=MODELS_CHANGED).values_list("detail", flat=True)
    assert f"{GONE}: gone" in details
    assert f"{DEARER}: changed: output_usd_per_million 0.45" in details


@pytest.mark.usefixtures("_changed")
def test_a_change_that_was_not_shown_is_not_taken_over(admin_browser: Client) -> None:
    response = admin_browser.post(PAGE, {"change": ["0" * 32]}, follow=True)
    assert "has changed again." in response.content.decode()
    assert not recorded_actions().exists()


@pytest.mark.usefixtures("_changed")
def test_a_new_model_answers_once_it_is_switched_on(admin_browser: Client) -> None:
    take_over(admin_browser, *keys_in(text_of(admin_browser, PAGE)))
    names = [n for n, model in available_models.all_models().items() if not model.is_gone]
    sent = {f"place-{name}": at for at, name in enumerate(names, start=1)}
    admin_browser.post(
        "/review/models/", {**sent, "offered": [*available_models.offered_models(), NEW]}
    )
    model = available_models.find(NEW)
    assert (model.context_window, model.tools, model.provider) == (64_000, True, "")
    assert (model.input_usd_per_million, model.output_usd_per_million) == (0.2, 0.6)
    assert model.output_neurons_per_million == pytest.approx(0.6 / 0.011 * 1000, abs=0.1)


@pytest.mark.usefixtures("_changed")
def test_ones_own_price_stays_when_the_providers_is_taken_over(
    admin_browser: Client,
) -> None:
    own = {"input_usd_per_million": "1", "output_usd_per_million": "2"}
    admin_browser.post(f"/review/models/edit/{DEARER}/", own)
    take_over(admin_browser, *keys_in(text_of(admin_browser, PAGE)))
    assert available_models.offered_models()[DEARER].output_usd_per_million == 2
    assert "In the catalog: 0.45" in text_of(admin_browser, f"/review/models/edit/{DEARER}/")


def test_a_model_that_comes_back_is_offered_again(
    admin_browser: Client, settings: Settings
) -> None:
    usual = settings.EMULATOR_TRANSPORT
    settings.EMULATOR_TRANSPORT = changed_emulator.PATH
    take_over(admin_browser, *keys_in(text_of(admin_browser, PAGE)))
    settings.EMULATOR_TRANSPORT = usual
    assert "Available again" in text_of(admin_browser, PAGE)
    take_over(admin_browser, *keys_in(text_of(admin_browser, PAGE)))
    assert GONE in available_models.offered_models()


def test_an_unreadable_list_is_reported(admin_browser: Client, settings: Settings) -> None:
    settings.WORKERS_AI_BASE_URL = "http://127.0.0.1:9/client/v4"
    assert "The list can" in text_of(admin_browser, PAGE)


@pytest.mark.django_db(transaction=True)
async def test_new_models_of_another_provider_are_taken_over_on_request_only() -> None:
    many = always(plain(200, b'{"data": [{"id": "one"}, {"id": "second-large"}]}'))
    models = always(plain(200, b'{"result": [{"name": "@cf/house/first"}]}'))
    async with two_providers(models, many):
        out = await sync_to_async(run)("--apply")
        assert "  + one: new" in out.splitlines()
        assert "one" not in available_models.all_models()
        await sync_to_async(run)("--apply", "--all-new")
        added = available_models.all_models()["one"]
        assert (added.provider, added.context_window, added.listed) == ("second", 8192, False)
