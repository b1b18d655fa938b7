"""An administrator connects an MCP server, and a member uses a tool of it, with permission."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.screenshots import PHONE
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.servers.tides_server import RunningServer, mcp_server

pytestmark = pytest.mark.long

START = "/chat/"
MAKE_SUPERUSER = """
from chat.accounts.models import User
user = User.objects.get(email="tola@example.org")
user.is_staff = user.is_superuser = True
user.save()
"""
WHY = "Our sailors asked for it"


@pytest.fixture
def tides() -> Iterator[RunningServer]:
    with mcp_server() as server:
        yield server


@pytest.fixture(scope="module")
def tola(site: LiveSite) -> StorageState:
    state = sign_in(site, "tola@example.org")
    site.run(MAKE_SUPERUSER)
    return state


def test_a_server_is_connected_used_and_disconnected(
    open_page: Callable[..., Page],
    open_chat: Callable[..., ChatPage],
    tola: StorageState,
    tides: RunningServer,
) -> None:
    page = open_page("/review/setup/", storage_state=tola)
    page.get_by_role("link", name="Tool servers").click()
    page.get_by_role("link", name="Connect a server").click()
    page.get_by_label("Name").fill("Tides")
    page.get_by_label("Address").fill(tides.url)
    page.get_by_label("Token").fill("abc")
    page.get_by_label("Reason").fill(WHY)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".messages")).to_contain_text("The server has 4 tools.")
    book = page.locator(".mcp-tools > li").filter(has=page.get_by_role("heading", name="book"))
    expect(book).to_contain_text("Book a boat.")
    expect(book.get_by_label("Asks first")).to_be_checked()
    book.get_by_label("Switched on").check()
    tools = page.locator("form").filter(has=page.locator(".mcp-tools"))
    tools.get_by_label("Reason").fill(WHY)
    tools.get_by_role("button", name="Save").click()
    expect(page.locator(".messages")).to_contain_text("Saved.")
    address = page.url

    chat = open_chat()
    chat.page.wait_for_timeout(2500)  # the site's other processes notice within two seconds
    chat.page.get_by_role("button", name="Tools").click()
    chat.page.get_by_label("Tides").check()
    chat.page.keyboard.press("Escape")
    expect(chat.page.get_by_role("button", name="Tools")).to_contain_text("Tides")
    chat.send("/tool tides__book Ada")
    call = chat.last_answer.locator(".tool-call")
    expect(call).to_contain_text("Tides: book · Needs your permission")
    form = chat.page.locator(".tool-call-decision")
    form.get_by_label("boat").fill("Bea")
    form.get_by_role("button", name="Allow").click()
    expect(chat.last_text).to_contain_text("The tool answered")
    expect(call).to_contain_text("Tides: book")
    call.locator("summary").click()
    expect(call).to_contain_text('"booked": "Bea"')
    expect(call).not_to_contain_text("tool-result")
    assert tides.called == [{"boat": "Bea"}]
    chat.page.reload()
    expect(chat.last_answer.locator(".tool-call")).to_contain_text("Tides: book")

    page.goto(address)
    page.locator("summary").filter(has_text="Disconnect").click()
    gone = page.locator("details").filter(has=page.get_by_role("button", name="Disconnect"))
    gone.get_by_label("Reason").fill(WHY)
    gone.get_by_role("button", name="Disconnect").click()
    expect(page).to_have_url(re.compile("/review/site/tools/$"))
    expect(page.get_by_text("No servers yet.")).to_be_visible()


def test_an_administrator_signs_in_and_a_member_sees_a_picture(
    open_page: Callable[..., Page],
    open_chat: Callable[..., ChatPage],
    tola: StorageState,
    site: LiveSite,
) -> None:
    with mcp_server(signs_in=True) as tides:
        page = open_page("/review/site/tools/new/", storage_state=tola, **BARE)
        page.get_by_label("Name").fill("Charts")
        page.get_by_label("Address").fill(tides.url)
        page.get_by_label("Reason").fill(WHY)
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".messages")).to_contain_text("rejected the token")
        page.locator("summary").filter(has_text="Sign-in").click()
        panel = page.locator("details").filter(has=page.get_by_label("Client ID"))
        assert axe(page) == []
        panel.get_by_label("Reason").fill(WHY)
        panel.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Sign in to Charts")).to_be_visible()
        assert axe(page) == []
        page.get_by_role("link", name="Continue").click()
        expect(page.locator(".messages")).to_contain_text("Signed in.")
        chart = page.locator(".mcp-tools > li").filter(
            has=page.get_by_role("heading", name="chart")
        )
        chart.get_by_label("Switched on").check()
        chart.get_by_label("Asks first").uncheck()
        tools = page.locator("form").filter(has=page.locator(".mcp-tools"))
        tools.get_by_label("Reason").fill(WHY)
        tools.get_by_role("button", name="Save").click()
        expect(page.locator(".messages")).to_contain_text("Saved.")

        chat = open_chat()
        chat.page.wait_for_timeout(2500)  # the site's other processes notice within two seconds
        chat.page.get_by_role("button", name="Tools").click()
        chat.page.get_by_label("Charts").check()
        chat.page.keyboard.press("Escape")
        chat.send("/tool charts__chart now")
        call = chat.last_answer.locator(".tool-call")
        expect(call).to_contain_text("Charts: chart")
        call.locator("summary").click()
        picture = call.get_by_role("img", name="Image from the tool")
        expect(picture).to_be_visible()
        assert picture.evaluate("each => each.decode().then(() => each.naturalWidth)") == 1
    site.run("from chat.tools.mcp.models import McpServer; McpServer.objects.all().delete()")


@pytest.mark.parametrize("options", [{}, {**PHONE, "color_scheme": "dark"}, {"locale": "ar"}])
def test_the_pages_are_accessible_and_fit(
    open_page: Callable[..., Page],
    tola: StorageState,
    tides: RunningServer,
    site: LiveSite,
    options: dict[str, object],
) -> None:
    page = open_page("/review/site/tools/new/", storage_state=tola, **BARE, **options)
    page.locator("[name=name]").fill("Tides")
    page.locator("[name=address]").fill(tides.url)
    page.locator("[name=reason]").fill(WHY)
    page.locator("button.main").click()
    expect(page.locator(".mcp-tools > li")).to_have_count(4)
    for path in (page.url, "/review/site/tools/", "/review/site/tools/new/"):
        page.goto(path)
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    site.run("from chat.tools.mcp.models import McpServer; McpServer.objects.all().delete()")
