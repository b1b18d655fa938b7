"""Administrators sign in to MCP servers by OAuth, with a server of the official SDK."""

import html
import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client
from pydantic import AnyUrl
from pytest_django import Settings

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from chat.tools.mcp.models import McpServer, McpSignIn
from chat.tools.mcp.sign_in import grants
from chat.tools.mcp.sign_in.grants import Grant
from chat.web.review.site_settings.tool_server_presenter import return_address
from tests.review.conftest import recorded_actions
from tests.support.imported_later import imported_later
from tests.support.review.member_pages import WHY, client_of, text_of
from tests.support.review.tool_servers import PAGE, added, values
from tests.support.review.tool_sign_ins import SIGNED_IN, begun, returned, sign_in
from tests.support.servers.tides_server import RunningServer, mcp_server

if TYPE_CHECKING:
    from mcp.shared import auth
else:
    auth = imported_later("mcp.shared.auth")


@pytest.fixture
def tides(transactional_db: None) -> Iterator[RunningServer]:
    with mcp_server(signs_in=True) as server:
        yield server


def grant() -> Grant:
    found = grants.grant_in(McpSignIn.objects.get().grant)
    assert found
    return found


def messages(client: Client, path: str) -> str:
    return html.unescape(client.get(path, follow=True).content.decode())


def test_a_sign_in_connects_the_site(admin_browser: Client, tides: RunningServer) -> None:
    page = added(admin_browser, tides.url)
    assert "rejected the token" in text_of(admin_browser, page)
    address = begun(admin_browser, page, reason=WHY)
    query = {name: value[0] for name, value in parse_qs(urlsplit(address).query).items()}
    assert query["code_challenge_method"] == "S256"
    assert (query["resource"], query["scope"]) == (tides.url, "tides")
    assert query["redirect_uri"] == return_address()
    shown = admin_browser.get(returned(address), follow=True).content.decode()
    assert "Signed in." in shown
    assert "The server has 4 tools." in shown
    assert "Signed in since" in shown
    assert tides.headers[-1]["authorization"] == f"Bearer {grant().access_token}"
    (registered,) = tides.sign_ins.clients.values()
    assert [str(each) for each in registered.redirect_uris or ()] == [return_address()]
    action = recorded_actions().filter(kind=StaffAction.Kind.SITE_CHANGED).latest("id")
    assert action.detail == f"MCP server: Tides {tides.url} signed in"
    assert action.reason == WHY


def test_what_was_issued_is_nowhere_to_be_read(
    admin_browser: Client, tides: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    page = added(admin_browser, tides.url)
    back = returned(begun(admin_browser, page))
    response = admin_browser.get(back)
    assert urlsplit(response["Location"]).query == ""
    (code,) = parse_qs(urlsplit(back).query)["code"]
    (registered,) = tides.sign_ins.clients.values()
    secrets = [code, grant().access_token, grant().refresh_token, registered.client_secret]
    everywhere = [admin_browser.get(each).content.decode() for each in (PAGE, page)]
    everywhere += [
        admin_browser.get("/review/audit/actions/").content.decode(),
        caplog.text,
    ]
    everywhere += [json.dumps(list(McpSignIn.objects.values_list("grant", "pending")))]
    everywhere += [str(dict(admin_browser.session.items()))]
    for secret in secrets:
        assert secret
        assert not any(secret in each for each in everywhere)


def test_a_return_without_the_state_of_this_session_is_refused(
    admin_browser: Client, tides: RunningServer, administrator: User
) -> None:
    page = added(admin_browser, tides.url)
    back = returned(begun(admin_browser, page))
    for other in (client_of(administrator), admin_browser):
        path = back if other is not admin_browser else f"{SIGNED_IN}?code=x&state=other"
        assert "wasn't begun here" in messages(other, path)
    # It is over now, also with the right one: somebody has tried a wrong one.
    assert "wasn't begun here" in messages(admin_browser, back)
    assert not McpSignIn.objects.exclude(grant="").exists()


def test_a_return_is_taken_once_and_the_last_beginning_counts(
    admin_browser: Client, tides: RunningServer
) -> None:
    page = added(admin_browser, tides.url)
    first, second = (
        returned(begun(admin_browser, page)),
        returned(begun(admin_browser, page)),
    )
    assert "wasn't begun here" in messages(admin_browser, first)
    assert "wasn't begun here" in messages(admin_browser, second)
    third = returned(begun(admin_browser, page))
    assert "Signed in." in messages(admin_browser, third)
    assert "wasn't begun here" in messages(admin_browser, third)


def test_who_refuses_to_sign_in_comes_back_to_words(
    admin_browser: Client, tides: RunningServer
) -> None:
    page = added(admin_browser, tides.url)
    state = parse_qs(urlsplit(begun(admin_browser, page)).query)["state"][0]
    query = f"error=access_denied&error_description=Not+today&state={state}"
    assert "The sign-in was refused: Not today" in messages(admin_browser, f"{SIGNED_IN}?{query}")


def test_another_issuer_s_answer_is_refused(admin_browser: Client, tides: RunningServer) -> None:
    page = added(admin_browser, tides.url)
    back = returned(begun(admin_browser, page))
    assert "The sign-in was refused" in messages(admin_browser, f"{back}&iss=https://evil.example")
    assert tides.sign_ins.access == {}


def test_a_server_that_registers_nobody_wants_a_client_id(
    admin_browser: Client, transactional_db: None
) -> None:
    with mcp_server(signs_in=True, registers=False) as tides:
        page = added(admin_browser, tides.url)
        refused = admin_browser.post(f"{page}sign-in/", follow=True).content.decode()
        assert "enter the client ID" in refused
        assert return_address() in refused
        tides.sign_ins.clients["runnel"] = auth.OAuthClientInformationFull(
            client_id="runnel",
            client_secret="very-secret",
            redirect_uris=[AnyUrl(return_address())],
            token_endpoint_auth_method="client_secret_post",
            scope="tides",
        )
        alone = admin_browser.post(f"{page}sign-in/", {"client_secret": "very-secret"})
        assert alone.status_code == 422
        assert "very-secret" not in alone.content.decode()
        entered = {"client_id": "runnel", "client_secret": "very-secret"}
        assert "Signed in." in sign_in(admin_browser, page, **entered)
        assert "very-secret" not in text_of(admin_browser, page)
        # The next time, it needn't be entered.
        assert "Signed in." in sign_in(admin_browser, page)


def test_a_sign_in_that_has_ended_is_told(admin_browser: Client, tides: RunningServer) -> None:
    page = added(admin_browser, tides.url)
    sign_in(admin_browser, page)
    tides.sign_ins.forget_all()
    listed = admin_browser.post(f"{page}listing/", follow=True).content.decode()
    assert "The server no longer accepts the sign-in. Sign in again." in listed
    assert "The sign-in has ended. Sign in again." in listed
    assert "Signed in since" in sign_in(admin_browser, page)


@pytest.mark.parametrize("change", ["sign-out", "token", "address", "deletion"])
def test_a_sign_in_goes_with_what_replaces_it(
    admin_browser: Client, tides: RunningServer, change: str
) -> None:
    page = added(admin_browser, tides.url)
    sign_in(admin_browser, page)
    if change == "token":
        admin_browser.post(page, values(tides.url, token="sk-1"))
    elif change == "address":
        admin_browser.post(page, values("http://127.0.0.1:9/mcp"))
    else:
        admin_browser.post(f"{page}{change}/")
    assert not McpSignIn.objects.exists()


def test_other_changes_keep_the_sign_in(admin_browser: Client, tides: RunningServer) -> None:
    page = added(admin_browser, tides.url)
    sign_in(admin_browser, page)
    admin_browser.post(page, values(tides.url, name="High tides", headers="X-Team: blue"))
    assert grant().access_token
    admin_browser.post(f"{page}listing/")
    assert tides.headers[-1]["x-team"] == "blue"


def test_a_change_of_the_key_keeps_the_sign_in(
    admin_browser: Client, tides: RunningServer, settings: Settings
) -> None:
    sign_in(admin_browser, added(admin_browser, tides.url))
    before = grant().access_token
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-key" * 5
    call_command("reencrypt_second_factors", stdout=StringIO())
    settings.SECRET_KEY_FALLBACKS = []
    assert grant().access_token == before
    McpServer.objects.all().delete()
