"""Only a valid key opens the API, and a key opens nothing else."""

import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts import suspension
from chat.accounts.models import User
from chat.api_keys import keys, last_used
from chat.api_keys.models import ApiKey
from chat.web.api import api_callers
from tests.support.api.api_client import HELLO, MODEL, ApiClient, new_api_client
from tests.support.web.api_access import WITH_KEY

PATHS = ["/v1/models", "/v1/chat/completions"]


async def call(program: ApiClient, path: str = "/v1/models", **headers: str) -> Any:
    if path == "/v1/models":
        return await program.get(path, **headers)
    return await program.post(path, HELLO, **headers)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("key", ["", "DUMMY_KEY", "sk-proj-0123456789"])
async def test_a_wrong_key_is_refused_in_the_words_that_clients_know(
    path: str, key: str, program: ApiClient
) -> None:
    response = await call(ApiClient(key), path)
    error = response.json()["error"]
    assert response.status_code == 401
    assert (error["type"], error["code"]) == ("authentication_error", "invalid_api_key")
    assert "Incorrect API key provided" in error["message"]
    assert response["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("path", PATHS)
async def test_a_session_does_not_open_the_api(path: str, alice_client: AsyncClient) -> None:
    if path == "/v1/models":
        response = await alice_client.get(path)
    else:
        response = await alice_client.post(path, HELLO, content_type="application/json")
    assert response.status_code == 401
    assert "sessionid" not in response.cookies


@pytest.mark.parametrize("state", ["none", "wrong", "revoked", "expired", "suspended"])
async def test_each_address_refuses_a_key_that_is_not_valid(
    program: ApiClient, alice: User, state: str
) -> None:
    """tests/web/test_access.py tries a valid one on all addresses of the site."""
    if state == "revoked":
        await ApiKey.objects.aupdate(revoked_at=timezone.now())
    elif state == "expired":
        await ApiKey.objects.aupdate(expires_at=timezone.now() - timedelta(seconds=1))
    elif state == "suspended":
        await sync_to_async(suspension.suspend)(alice, None)
    caller = {"none": ApiClient(), "wrong": ApiClient(program.text[:-1])}.get(state, program)
    for route, (get_status, _posted) in WITH_KEY.items():
        named = route.replace("{conversation}", str(UUID(int=1))).replace("{case}", "1")
        path = "/" + re.sub(r"\{[^}]*\}", "any", named)
        is_post = get_status == 405
        response = await (caller.post(path, HELLO) if is_post else caller.get(path))
        assert response.status_code == (403 if state == "suspended" else 401), path
        api_callers.wrong_keys.clear()


@pytest.mark.parametrize("path", ["/chat/stream", "/chat/messages"])
async def test_a_key_asks_no_question_on_the_sites_own_addresses(
    program: ApiClient, path: str
) -> None:
    response = await program.post(path, HELLO, Sec_Fetch_Site="same-origin")
    assert response.status_code in {401, 403}


async def test_the_keys_of_suspended_accounts_are_refused(program: ApiClient, alice: User) -> None:
    await sync_to_async(suspension.suspend)(alice, None)
    response = await call(program)
    assert (response.status_code, response.json()["error"]["type"]) == (403, "permission_error")


async def test_an_expired_key_is_refused(program: ApiClient) -> None:
    past = timezone.now() - timedelta(seconds=1)
    await ApiKey.objects.aupdate(expires_at=past)
    response = await call(program)
    assert (response.status_code, response.json()["error"]["code"]) == (401, "invalid_api_key")


async def test_a_site_without_api_refuses_all_keys(program: ApiClient, settings: Settings) -> None:
    settings.API_KEYS = "nobody"
    assert (await call(program)).status_code == 403


async def test_wrong_keys_are_limited_by_address_but_valid_ones_still_work(
    program: ApiClient,
) -> None:
    for _ in range(api_callers.MAX_WRONG_KEYS_PER_MINUTE):
        assert (await call(ApiClient(keys.new_key()))).status_code == 401
    refused = await call(ApiClient(keys.new_key()))
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) <= 60
    assert (await call(program)).status_code == 200


async def test_the_last_use_is_recorded(program: ApiClient) -> None:
    await call(program)
    assert await sync_to_async(last_used.of)(program.key)


@pytest.mark.parametrize("path", PATHS)
async def test_pages_of_any_origin_may_read_but_get_nothing_without_a_key(path: str) -> None:
    asked = {
        "Origin": "https://app.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,x-stainless-lang",
    }
    response = await AsyncClient().options(path, headers=asked)
    assert response.status_code == 204
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Access-Control-Allow-Headers"] == asked["Access-Control-Request-Headers"]
    assert "Access-Control-Allow-Credentials" not in response


async def test_no_cookie_is_read_or_set(program: ApiClient) -> None:
    response = await call(program, Cookie="django_language=de; sessionid=x")
    assert not response.cookies
    wrong = await call(ApiClient("x"), Accept_Language="de", Cookie="django_language=de")
    assert "Incorrect API key provided" in wrong.json()["error"]["message"]


async def test_node_clients_send_a_fetch_mode_and_no_origin(program: ApiClient) -> None:
    response = await call(
        program, PATHS[1], Sec_Fetch_Mode="cors", Accept_Language="*", Accept="application/json"
    )
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/chat/completions", 405, "method_not_allowed"),
        ("POST", "/v1/models", 405, "method_not_allowed"),
        ("GET", "/v1", 404, "unknown_url"),
        ("GET", "/v1/audio/speech", 405, "method_not_allowed"),
        ("POST", "/v1/audio/translations", 404, "unknown_url"),
        ("POST", "/v1/images/edits", 404, "unknown_url"),
        ("POST", "/v1/moderations", 404, "unknown_url"),
        ("DELETE", "/v1/threads/1", 404, "unknown_url"),
    ],
)
async def test_every_address_below_v1_answers_in_json(
    program: ApiClient, method: str, path: str, status: int, code: str
) -> None:
    headers = {"Authorization": f"Bearer {program.text}", "Accept": "text/html"}
    response = await AsyncClient().generic(method, path, headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert response["Content-Type"] == "application/json"


async def test_a_key_for_some_models_opens_no_others(
    alice: User, stop_server_process: None
) -> None:
    program = await new_api_client(alice, allowed_models=[MODEL])
    assert [each["id"] for each in (await call(program)).json()["data"]] == [MODEL]
    refused = await program.complete(model="@cf/openai/gpt-oss-20b")
    assert (refused.status_code, refused.json()["error"]["type"]) == (403, "permission_error")
    assert (await program.complete()).status_code == 200
