"""Administrators connect MCP servers, and decide about each tool as it is described to models."""

import json
from collections.abc import Iterator
from io import StringIO

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from chat.review.models import AccessLogEntry
from chat.tools.mcp import secrets, servers
from chat.tools.mcp.models import McpServer, McpTool
from tests.review.conftest import give, recorded_actions
from tests.support.review.member_pages import client_of, text_of
from tests.support.review.tool_servers import NEW, PAGE, added, offered, switch, values
from tests.support.servers.tides_server import RunningServer, mcp_server
from tests.support.web.signed_in import signed_in

TOKEN, KEY = "sk-very-secret", "key-very-secret"


@pytest.fixture
def tides(transactional_db: None) -> Iterator[RunningServer]:
    with mcp_server() as server:
        yield server


def details() -> list[str]:
    found = recorded_actions().filter(kind=StaffAction.Kind.SITE_CHANGED).order_by("id")
    return list(found.values_list("detail", flat=True))


def test_a_server_is_connected_and_its_tools_are_off(
    admin_browser: Client, tides: RunningServer
) -> None:
    page = added(admin_browser, tides.url, token=TOKEN)
    shown = text_of(admin_browser, page)
    assert "The server has 4 tools." in shown
    assert "Tell when the next high tide is at a place." in shown
    assert "The server says that it only reads." in shown
    assert offered() == []
    assert not McpTool.objects.filter(is_enabled=True).exists()
    assert not McpTool.objects.filter(asks_first=False).exists()
    assert tides.headers[-1]["authorization"] == f"Bearer {TOKEN}"
    assert details() == [f"MCP server: Tides {tides.url} on, new headers"]
    assert "0 of 4" in text_of(admin_browser, PAGE)


def test_each_tool_is_switched_and_recorded(admin_browser: Client, tides: RunningServer) -> None:
    page = added(admin_browser, tides.url)
    switch(admin_browser, page, "high_tide", "book", asking=("book",))
    assert offered() == ["tides__book", "tides__high_tide"]
    asks = dict(McpTool.objects.values_list("name", "asks_first"))
    assert (asks["high_tide"], asks["book"]) == (False, True)
    assert details()[-1] == ("MCP server: Tides: book on, asks first; high_tide on, asks nobody")
    switch(admin_browser, page, "book", asking=("book",))
    assert offered() == ["tides__book"]
    assert "2 of 4" not in text_of(admin_browser, PAGE)
    assert "1 of 4" in text_of(admin_browser, PAGE)


def test_a_server_that_is_off_offers_nothing(admin_browser: Client, tides: RunningServer) -> None:
    page = added(admin_browser, tides.url)
    switch(admin_browser, page, "book")
    admin_browser.post(page, {"name": "Tides", "address": tides.url})
    assert offered() == []
    admin_browser.post(page, values(tides.url))
    assert offered() == ["tides__book"]


def test_no_page_and_no_record_has_the_token(admin_browser: Client, tides: RunningServer) -> None:
    page = added(admin_browser, tides.url, token=TOKEN, headers=f"X-Api-Key: {KEY}")
    admin_browser.post(page, values(tides.url, token=TOKEN, headers=f"X-Api-Key: {KEY}", name=""))
    refused = admin_browser.post(NEW, values("nonsense", token=TOKEN, headers=f"X-Api-Key: {KEY}"))
    assert refused.status_code == 422
    pages = [
        admin_browser.get(each).content.decode() for each in (PAGE, page, "/review/audit/actions/")
    ]
    pages.append(refused.content.decode())
    stored = [*McpServer.objects.values_list("secret", flat=True), *details()]
    stored += AccessLogEntry.objects.values_list("detail", flat=True)
    for secret in (TOKEN, KEY):
        assert secret not in json.dumps(stored)
        assert not any(secret in each for each in pages)
    assert tides.headers[-1]["x-api-key"] == KEY


def test_pages_that_ask_for_a_reason_carry_no_secret(administrator: User) -> None:
    plain_client = signed_in(administrator)
    sent = values("https://x.example/mcp", token=TOKEN, headers=f"X-Api-Key: {KEY}")
    for each in (plain_client, Client()):
        page = each.post(NEW, sent).content.decode()
        assert "x.example" in page
        assert TOKEN not in page
        assert KEY not in page


def test_blank_fields_keep_the_headers_for_the_same_address_only(
    admin_browser: Client, tides: RunningServer
) -> None:
    page = added(admin_browser, tides.url, token=TOKEN)
    switch(admin_browser, page, "book")
    admin_browser.post(page, values(tides.url, name="High tides"))
    server = McpServer.objects.get()
    assert secrets.headers_in(server.secret) == {"Authorization": f"Bearer {TOKEN}"}
    assert offered() == ["tides__book"]
    admin_browser.post(page, values("http://127.0.0.1:9/mcp"))
    server.refresh_from_db()
    assert server.secret == ""
    assert offered() == []
    assert "The server can&#x27;t be reached." in text_of(admin_browser, page)


def test_the_headers_can_be_removed(admin_browser: Client, tides: RunningServer) -> None:
    page = added(admin_browser, tides.url, token=TOKEN)
    admin_browser.post(page, values(tides.url, removes_headers="on"))
    assert McpServer.objects.get().secret == ""


@pytest.mark.parametrize(
    "sent",
    [
        {"name": ""},
        {"address": ""},
        {"address": "tools.example"},
        {"address": "ftp://tools.example/mcp"},
        {"address": "https://user:password@tools.example/mcp"},
        {"address": "https://tools.example/mcp?key=5"},
        {"address": "https://169.254.169.254/mcp"},
        {"token": "two words"},
        {"token": "a\r\nX-Evil: 1"},
        {"headers": "no colon"},
        {"headers": "Host: evil.example"},
        {"headers": "content-length: 5"},
        {"headers": "Mcp-Session-Id: 5"},
        {"headers": "Authorization: Basic abc"},
        {"headers": "X-A: a\x01b"},
        {"headers": "\n".join(f"X-{number}: 1" for number in range(11))},
    ],
)
def test_what_can_t_be_used_is_refused_in_words(
    admin_browser: Client, sent: dict[str, str]
) -> None:
    response = admin_browser.post(NEW, values("https://tools.example/mcp") | sent)
    assert response.status_code == 422
    assert "field-error" in response.content.decode()
    assert not McpServer.objects.exists()


def test_a_public_site_connects_to_no_private_address(
    admin_browser: Client, settings: Settings
) -> None:
    settings.PRIVATE_PROVIDERS = False
    assert admin_browser.post(NEW, values("http://127.0.0.1:8/mcp")).status_code == 422
    page = added(admin_browser, "https://localhost:8/mcp")
    assert "leads to a private network" in text_of(admin_browser, page)


def test_the_number_of_servers_is_bounded(
    admin_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(servers.MAX_SERVERS):
        McpServer.objects.create(name="x", slug=f"x{number}", address="https://x.example")
    assert admin_browser.post(NEW, values("https://x.example")).status_code == 422


def test_names_for_models_are_unique(admin_browser: Client, tides: RunningServer) -> None:
    for name in ("Tides", "Tides", "潮汐", "潮汐", "A very long name of a server"):
        added(admin_browser, tides.url, name=name)
    slugs = list(McpServer.objects.order_by("id").values_list("slug", flat=True))
    assert slugs == ["tides", "tides-2", "server", "server-2", "a-very-long-name"]
    assert McpTool.objects.count() == 20


def test_a_server_is_for_its_groups(admin_browser: Client, tides: RunningServer) -> None:
    sailors = Group.objects.create(name="Sailors")
    page = added(admin_browser, tides.url, groups=[sailors.pk])
    assert details() == [f"MCP server: Tides {tides.url} on for Sailors"]
    switch(admin_browser, page, "book")
    assert [each.groups for each in servers.known()] == [frozenset({sailors.pk})]
    sailors.delete()
    assert "nobody can use it" in text_of(admin_browser, page)
    admin_browser.post(page, values(tides.url))
    assert "nobody can use it" not in text_of(admin_browser, page)
    assert servers.known()[0].for_everybody


def test_disconnecting_removes_everything(admin_browser: Client, tides: RunningServer) -> None:
    page = added(admin_browser, tides.url, token=TOKEN)
    switch(admin_browser, page, "book")
    admin_browser.post(f"{page}deletion/")
    assert offered() == []
    assert not McpServer.objects.exists()
    assert not McpTool.objects.exists()
    assert details()[-1] == f"MCP server: Tides {tides.url} on → –"
    assert admin_browser.get(page).status_code == 404


def test_the_headers_are_encrypted_anew_after_a_change_of_the_key(
    admin_browser: Client, tides: RunningServer, settings: Settings
) -> None:
    added(admin_browser, tides.url, token=TOKEN)
    before, settings.SECRET_KEY_FALLBACKS = settings.SECRET_KEY, [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-key" * 5
    said = StringIO()
    call_command("reencrypt_second_factors", stdout=said)
    assert "Re-encrypted headers and sign-ins of MCP servers: 1." in said.getvalue()
    settings.SECRET_KEY_FALLBACKS = []
    secret = McpServer.objects.get().secret
    assert secrets.headers_in(secret) == {"Authorization": f"Bearer {TOKEN}"}
    settings.SECRET_KEY = before
    assert secrets.headers_in(secret) == {}


def test_nobody_but_administrators_connects(alice: User, rita: User) -> None:
    for person in (alice, give(rita, "lead_review", None)):
        assert client_of(person).get(PAGE).status_code == 404
        assert client_of(person).post(NEW, values("https://x.example")).status_code == 404
    assert not McpServer.objects.exists()
