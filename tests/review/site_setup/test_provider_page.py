"""Administrators connect a provider and try it; its token never comes back."""

import json
from io import StringIO
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from chat.review.models import AccessLogEntry
from chat.site_settings import stored_settings
from chat.site_settings.models import SiteSetting
from chat.upstream import available_models, factory
from tests.review.conftest import give, recorded_actions
from tests.support.review.member_pages import client_of, text_of
from tests.support.upstream import openai_server as openai_api
from tests.support.upstream.openai_server import NAMES, openai_server
from tests.support.upstream.raw_upstream import Handler, always, plain, raw_upstream
from tests.support.upstream.upstream_failures import envelope
from tests.support.web.signed_in import signed_in

PAGE, TRIAL, MODELS = "/review/site/model/", "/review/site/model/trial/", "/review/site/models/"
SETUP = "/review/setup/"
TOKEN = "sk-very-secret"
CLOUDFLARE = {"protocol": "workers-ai", "account_id": "abc", "token": TOKEN}
OTHER = {"protocol": "openai", "base_url": "https://models.example.org/v1", "token": TOKEN}
REFUSED = always(plain(401, envelope(10000, "Authentication error")))


def details() -> list[str]:
    found = recorded_actions().filter(kind=StaffAction.Kind.SITE_CHANGED).order_by("id")
    return list(found.values_list("detail", flat=True))


async def tried(client: Client, handler: Handler, **values: str) -> dict[str, Any]:
    """Return the JSON of a trial at a server that answers with `handler`."""
    async with raw_upstream(handler) as raw:
        is_cloudflare = values["protocol"] == "workers-ai"
        base_url = raw.url if is_cloudflare else raw.url.replace("/client/v4", "/v1")
        response = await sync_to_async(client.post)(
            TRIAL, {"base_url": base_url, **values}, headers={"Accept": "application/json"}
        )
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def test_a_connection_applies_at_once_and_is_recorded(admin_browser: Client) -> None:
    assert admin_browser.post(PAGE, CLOUDFLARE)["Location"] == PAGE
    assert factory.endpoint().token == TOKEN
    assert details() == [
        "PROVIDER: – → workers-ai https://api.cloudflare.com/client/v4 abc, new token"
    ]
    assert "A token is stored." in text_of(admin_browser, PAGE)


def test_no_page_and_no_record_has_the_token(admin_browser: Client) -> None:
    admin_browser.post(PAGE, CLOUDFLARE)
    admin_browser.post(PAGE, {**CLOUDFLARE, "account_id": "not ok!"})
    for path in (PAGE, "/review/audit/actions/", "/review/setup/", "/review/status/", MODELS):
        assert TOKEN not in admin_browser.get(path).content.decode()
    refused = admin_browser.post(PAGE, {**CLOUDFLARE, "account_id": "not ok!"})
    assert refused.status_code == 422
    assert TOKEN not in refused.content.decode()
    stored = [*SiteSetting.objects.values_list("value", flat=True), *details()]
    stored += AccessLogEntry.objects.values_list("detail", flat=True)
    assert TOKEN not in json.dumps(stored)


def test_pages_that_ask_for_a_reason_or_a_sign_in_carry_no_token(administrator: User) -> None:
    client = signed_in(administrator)
    for each in (client, Client()):
        page = each.post(PAGE, CLOUDFLARE)
        assert page.status_code in {401, 422}
        assert b"account_id" in page.content
        assert TOKEN.encode() not in page.content
    assert stored_settings.read().connection is None


def test_a_blank_token_keeps_the_stored_one_for_the_same_address_only(
    admin_browser: Client,
) -> None:
    admin_browser.post(PAGE, OTHER)
    admin_browser.post(PAGE, {**OTHER, "token": ""})
    assert factory.endpoint().token == TOKEN
    admin_browser.post(PAGE, {**OTHER, "token": "", "base_url": "https://evil.example/v1"})
    assert factory.endpoint().base_url == "https://evil.example/v1"
    assert factory.endpoint().token == ""


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"protocol": "telnet"},
        {"protocol": "openai"},
        {**CLOUDFLARE, "token": ""},
        {**CLOUDFLARE, "account_id": ""},
        {**CLOUDFLARE, "account_id": "../../evil"},
        {**OTHER, "token": "two words"},
        {**OTHER, "token": "a\r\nX-Evil: 1"},
        {**OTHER, "base_url": "http://models.example.org@evil.example/v1"},
        {**OTHER, "base_url": "http://169.254.169.254/v1"},
    ],
)
def test_a_connection_that_makes_no_sense_is_refused(
    admin_browser: Client, sent: dict[str, str]
) -> None:
    assert admin_browser.post(PAGE, sent).status_code == 422
    assert not SiteSetting.objects.exists()


def test_disconnecting_forgets_the_token(admin_browser: Client) -> None:
    admin_browser.post(PAGE, CLOUDFLARE)
    admin_browser.post(PAGE, {"disconnect": "yes"})
    assert not SiteSetting.objects.exists()
    assert factory.uses_emulator()
    assert details()[-1].endswith("→ –")


def test_what_the_environment_sets_is_read_only(admin_browser: Client, settings: Settings) -> None:
    settings.CLOUDFLARE_API_TOKEN, settings.CLOUDFLARE_ACCOUNT_ID = "env-secret", "env-account"
    page = text_of(admin_browser, PAGE)
    assert "Environment variables set the model provider" in page
    assert "env-account" in page
    assert "env-secret" not in page
    assert admin_browser.post(PAGE, OTHER).status_code == 200
    assert not SiteSetting.objects.exists()


async def test_a_trial_shows_a_real_answer_and_stores_nothing(
    admin_browser: Client,
) -> None:
    found = await tried(admin_browser, openai_server, protocol="openai")
    assert found["is_ok"]
    assert found["title"].startswith("llama-local answered in ")
    assert found["answer"] == "Hello <b>you</b>."
    assert found["notes"][0] == "The server has 3 models."
    assert not await SiteSetting.objects.aexists()


async def test_a_trial_says_what_is_wrong_in_plain_words(admin_browser: Client) -> None:
    found = await tried(admin_browser, REFUSED, **CLOUDFLARE)
    assert not found["is_ok"]
    assert found["title"] == "The provider rejected the account ID or the token. Check both."
    assert "code=10000" in found["notes"][0]
    assert TOKEN not in json.dumps(found)


async def test_a_trial_sends_the_stored_token_to_its_own_address_only(
    admin_browser: Client,
) -> None:
    await sync_to_async(admin_browser.post)(PAGE, OTHER)
    async with raw_upstream(openai_server) as raw:
        base_url = raw.url.replace("/client/v4", "/v1")
        sent = {"protocol": "openai", "base_url": base_url, "token": ""}
        await sync_to_async(admin_browser.post)(TRIAL, sent)
    assert raw.requests
    assert not any(TOKEN.encode() in each for each in raw.requests)


async def test_without_scripts_the_page_shows_the_result(admin_browser: Client) -> None:
    async with raw_upstream(openai_server) as raw:
        sent = {
            "protocol": "openai",
            "base_url": raw.url.replace("/client/v4", "/v1"),
        }
        page = await sync_to_async(admin_browser.post)(TRIAL, sent)
    assert "Hello &lt;b&gt;you&lt;/b&gt;." in page.content.decode()


async def test_the_models_of_another_server_are_chosen_next(admin_browser: Client) -> None:
    async with raw_upstream(openai_server) as raw:
        sent = {
            "protocol": "openai",
            "base_url": raw.url.replace("/client/v4", "/v1"),
        }
        saved = await sync_to_async(admin_browser.post)(PAGE, sent)
        assert saved["Location"] == MODELS
        page = await sync_to_async(text_of)(admin_browser, MODELS)
        assert all(name in page for name in NAMES)
        nothing = await sync_to_async(admin_browser.post)(MODELS)
        assert nothing.status_code == 422
        chosen = {"model": ["llama-local", "not-there"]}
        assert (await sync_to_async(admin_browser.post)(MODELS, chosen))[
            "Location"
        ] == "/review/models/"
    assert list(available_models.offered_models()) == ["llama-local"]


async def test_a_model_is_connected_once_the_servers_own_are_chosen(
    admin_browser: Client,
) -> None:
    warning = "members are offered models that this server doesn't have"
    async with raw_upstream(openai_server) as raw:
        sent = {
            "protocol": "openai",
            "base_url": raw.url.replace("/client/v4", "/v1"),
        }
        await sync_to_async(admin_browser.post)(PAGE, sent)
        steps = await sync_to_async(text_of)(admin_browser, SETUP)
        assert "0 of 8 steps done" in steps
        assert f'href="{MODELS}"' in steps
        assert "The provider is connected. Choose which of its models" in steps
        page = await sync_to_async(text_of)(admin_browser, MODELS)
        assert warning in page
        assert " checked" not in page
        await sync_to_async(admin_browser.post)(MODELS, {"model": "llama-local"})
        assert warning not in await sync_to_async(text_of)(admin_browser, MODELS)
        assert (await sync_to_async(admin_browser.post)(PAGE, sent))["Location"] == PAGE
    assert "1 of 8 steps done" in await sync_to_async(text_of)(admin_browser, SETUP)


async def test_the_only_model_of_a_server_is_chosen_beforehand(
    admin_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_api, "NAMES", ("llama-local",))
    async with raw_upstream(openai_server) as raw:
        sent = {
            "protocol": "openai",
            "base_url": raw.url.replace("/client/v4", "/v1"),
        }
        await sync_to_async(admin_browser.post)(PAGE, sent)
        page = await sync_to_async(text_of)(admin_browser, MODELS)
    assert 'value="llama-local" checked' in page


async def test_a_server_without_a_list_can_t_offer_models(admin_browser: Client) -> None:
    async with raw_upstream(REFUSED) as raw:
        sent = {
            "protocol": "openai",
            "base_url": raw.url.replace("/client/v4", "/v1"),
        }
        await sync_to_async(admin_browser.post)(PAGE, sent)
        page = await sync_to_async(text_of)(admin_browser, MODELS)
    assert "Back to the connection" in page


async def test_commands_ask_the_entered_provider(admin_browser: Client) -> None:
    async with raw_upstream(openai_server) as raw:
        sent = {
            "protocol": "openai",
            "base_url": raw.url.replace("/client/v4", "/v1"),
        }
        await sync_to_async(admin_browser.post)(PAGE, sent)
        stored_settings.forget()  # as in a process of its own
        said = StringIO()
        await sync_to_async(call_command)("models", stdout=said)
    assert "the provider in the settings: 3 models" in said.getvalue()


def test_nobody_but_administrators_connects_or_tries(alice: User, rita: User) -> None:
    for person in (alice, give(rita, "lead_review", None)):
        for path in (PAGE, TRIAL, MODELS):
            assert client_of(person).post(path, OTHER).status_code == 404
    assert not SiteSetting.objects.exists()
