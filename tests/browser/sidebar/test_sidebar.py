"""Rename, delete, pin, archive and export chats in the sidebar with a mouse."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Page, Route, StorageState, expect

from tests.browser.chat_list import entry, open_menu, press
from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.toast import toast

START = "/chat/"
SETTLED_MS = 500  # htmx has finished with a swapped list long before


@pytest.fixture(scope="module")
def nora(site: LiveSite) -> StorageState:
    return sign_in(site, "nora@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], nora: StorageState) -> ChatPage:
    return open_chat(storage_state=nora)


@pytest.mark.quick
def test_a_chat_is_renamed_in_place(chat: ChatPage) -> None:
    chat.ask("Old name.")
    open_menu(chat.page, "Old name.")
    chat.page.get_by_role("link", name="Rename", exact=True).click()
    field = chat.page.get_by_label("Chat title")
    expect(field).to_be_focused()
    field.fill("  New   name ")
    field.press("Enter")
    link = chat.page.get_by_role("link", name="New name", exact=True)
    expect(link).to_be_focused()
    expect(link).to_have_attribute("aria-current", "page")
    expect(chat.page).to_have_title("New name – Runnel")
    chat.page.reload()
    expect(link).to_be_visible()


def test_a_new_chat_is_marked_although_it_was_listed_before_it_had_its_url(chat: ChatPage) -> None:
    chat.ask("Listed too early.")
    address = chat.page.url
    chat.page.goto(START)
    ChatPage(chat.page)
    link = chat.page.get_by_role("link", name="Listed too early.", exact=True)
    refresh = "document.body.dispatchEvent(new Event('conversations'))"
    with chat.page.expect_response("**/chat/sidebar/*"):
        chat.page.evaluate(refresh)
    chat.page.evaluate("url => history.replaceState(null, '', url)", address)
    chat.page.evaluate(refresh)
    expect(link).to_have_attribute("aria-current", "page")


def test_a_rename_can_be_cancelled(chat: ChatPage) -> None:
    chat.ask("Stays as it is.")
    open_menu(chat.page, "Stays as it is.")
    chat.page.get_by_role("link", name="Rename", exact=True).click()
    chat.page.get_by_label("Chat title").fill("Never mind")
    chat.page.keyboard.press("Escape")
    expect(chat.page.get_by_role("link", name="Stays as it is.", exact=True)).to_be_focused()
    expect(chat.page.get_by_label("Chat title")).to_have_count(0)


def test_a_rename_in_progress_is_not_interrupted(chat: ChatPage) -> None:
    chat.send(f"{UNTIL_STOPPED} Rename me.")
    chat.wait_for_text(5)
    open_menu(chat.page, f"{UNTIL_STOPPED} Rename me.")
    chat.page.get_by_role("link", name="Rename", exact=True).click()
    field = chat.page.get_by_label("Chat title")
    field.fill("In the mid")
    chat.press_stop()
    expect(chat.outcome).to_contain_text("Stopped.")
    chat.page.wait_for_timeout(200)
    expect(field).to_have_value("In the mid")


@pytest.mark.quick
def test_a_deletion_can_be_undone(chat: ChatPage) -> None:
    chat.ask("Delete me.")
    chat.page.goto("/chat/")
    press(chat.page, "Delete me.", "Delete")
    expect(entry(chat.page, "Delete me.")).to_have_count(0)
    expect(toast(chat.page)).to_contain_text("Deleted.")
    expect(chat.announcement).to_contain_text("You can undo this for 30 seconds.")
    toast(chat.page).get_by_role("button", name="Undo").click()
    expect(toast(chat.page)).to_contain_text("Chat restored.")
    expect(chat.announcement).to_contain_text("Chat restored.")
    expect(entry(chat.page, "Delete me.").get_by_role("link")).to_be_focused()
    toast(chat.page).get_by_role("button", name="Close").click()
    expect(toast(chat.page)).to_be_hidden()
    chat.page.reload()
    expect(entry(chat.page, "Delete me.")).to_have_count(1)


def test_a_restored_chat_gets_the_focus_although_an_older_list_arrives_first(
    chat: ChatPage,
) -> None:
    chat.ask("Bring me back.")
    chat.page.goto("/chat/")
    lists: list[tuple[Route, APIResponse]] = []
    chat.page.route(
        "**/chat/sidebar/*", lambda route: lists.append((route, route.fetch())), times=1
    )
    press(chat.page, "Bring me back.", "Delete")
    while not lists:
        chat.page.wait_for_timeout(20)
    toast(chat.page).get_by_role("button", name="Undo").click()
    expect(toast(chat.page)).to_contain_text("Chat restored.")
    route, without_it = lists[0]
    route.fulfill(response=without_it)
    expect(entry(chat.page, "Bring me back.").get_by_role("link")).to_be_focused()


def test_a_restored_chat_gets_the_focus_although_the_list_with_it_arrived_first(
    chat: ChatPage,
) -> None:
    chat.ask("Bring me back too.")
    chat.page.goto("/chat/")
    lists: list[Route] = []
    chat.page.route("**/chat/sidebar/*", lambda route: lists.append(route), times=1)
    press(chat.page, "Bring me back too.", "Delete")
    while not lists:
        chat.page.wait_for_timeout(20)

    def answer_after_the_list(route: Route) -> None:
        restored = route.fetch()
        lists[0].continue_()
        expect(entry(chat.page, "Bring me back too.")).to_have_count(1)
        chat.page.wait_for_timeout(SETTLED_MS)
        route.fulfill(response=restored)

    chat.page.route("**/restoration/", answer_after_the_list)
    toast(chat.page).get_by_role("button", name="Undo").click()
    expect(toast(chat.page)).to_contain_text("Chat restored.")
    expect(entry(chat.page, "Bring me back too.").get_by_role("link")).to_be_focused()


def test_deleting_the_open_chat_opens_a_new_one_that_offers_undo(chat: ChatPage) -> None:
    chat.send(f"{UNTIL_STOPPED} Delete me.")
    chat.wait_for_text(5)
    address = chat.page.url
    press(chat.page, f"{UNTIL_STOPPED} Delete me.", "Delete")
    chat.page.wait_for_url("**/chat/?deleted=*")
    expect(chat.page.get_by_text("What can I help with?")).to_be_visible()
    response = chat.page.goto(address)
    assert response
    assert response.status == 404
    expect(chat.page.get_by_role("heading", level=1)).to_have_text("This chat has been deleted.")
    chat.page.get_by_role("button", name="Undo").click()
    chat.page.wait_for_url(address)
    expect(chat.outcome).to_contain_text("Stopped.")


def test_pinned_chats_come_first(chat: ChatPage) -> None:
    chat.ask("Keep me in sight.")
    chat.page.goto("/chat/")
    chat.ask("Newer.")
    press(chat.page, "Keep me in sight.", "Pin")
    titles = chat.page.locator("#conversations .entry > a")
    expect(titles.first).to_have_text("Keep me in sight.")
    expect(chat.page.locator("#conversations h2").first).to_have_text("Pinned")
    expect(toast(chat.page)).to_contain_text("Pinned.")
    press(chat.page, "Keep me in sight.", "Unpin")
    expect(titles.first).to_have_text("Newer.")


def test_archived_chats_have_a_page(chat: ChatPage) -> None:
    chat.ask("Put me away.")
    chat.page.goto("/chat/")
    press(chat.page, "Put me away.", "Archive")
    expect(entry(chat.page, "Put me away.")).to_have_count(0)
    expect(toast(chat.page)).to_contain_text("Archived.")
    chat.page.get_by_role("button", name="Account").click()
    chat.page.get_by_role("link", name="Settings").click()
    chat.page.get_by_role("link", name="Chats and data").click()
    chat.page.get_by_role("link", name="Archived chats").click()
    chat.page.get_by_role("link", name="Put me away.").click()
    expect(chat.page.get_by_text("This chat is archived.")).to_be_visible()
    chat.page.get_by_role("button", name="Unarchive").click()
    expect(chat.page.get_by_text("Chat unarchived.")).to_be_visible()
    expect(entry(chat.page, "Put me away.")).to_have_count(1)


def test_a_chat_is_exported_as_a_file(chat: ChatPage) -> None:
    chat.ask("Take me along.")
    press(chat.page, "Take me along.", "Print or export")
    chat.page.get_by_role("button", name="Export", exact=True).click()
    for item, name in (
        ("Export as Markdown", "Take me along.md"),
        ("Export as JSON", "Take me along.json"),
    ):
        with chat.page.expect_download() as saving:
            chat.page.get_by_role("link", name=item).click()
        assert saving.value.suggested_filename == name
        assert "Take me along." in saving.value.path().read_text()


def test_the_palette_acts_on_the_open_chat(chat: ChatPage) -> None:
    chat.ask("By command.")
    run(chat.page, "Pin chat")
    expect(chat.page.locator("#conversations .entry > a bdi").first).to_have_text("By command.")
    expect(toast(chat.page)).to_contain_text("Pinned.")
    run(chat.page, "Delete chat")
    chat.page.wait_for_url("**/chat/?deleted=*")
    run(chat.page, "Undo deletion")
    expect(entry(chat.page, "By command.")).to_have_count(1)
    run(chat.page, "Archive chat")
    chat.page.wait_for_url("**/chat/?archived=*")
    expect(toast(chat.page)).to_contain_text("Archived.")


def run(page: Page, command: str) -> None:
    """Run a command through the palette."""
    page.locator("#message[enterkeyhint]").wait_for()
    page.keyboard.press("ControlOrMeta+K")
    page.locator("#palette-field").fill(command)
    page.get_by_role("option", name=re.compile(f"^{command}")).click()
