"""Export, import, the archive and account deletion, in a browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import PASSWORD, sign_in
from tests.browser.server import LiveSite
from tests.import_export.chatgpt_files import chat, encoded, node, rollback
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small

START = "/chat/"
PAGES = ["/settings/data/", "/settings/import/", "/settings/delete-account/", "/chat/archive/"]


@pytest.fixture
def olga(site: LiveSite, request: pytest.FixtureRequest) -> StorageState:
    """Create a member for this test, who may delete their account."""
    return sign_in(site, f"olga-{abs(hash(request.node.name))}@example.org")


def test_an_export_can_be_imported(
    open_chat: Callable[..., ChatPage], olga: StorageState, tmp_path: Path
) -> None:
    opened = open_chat(storage_state=olga)
    opened.ask("Take me along.")
    page = opened.page
    page.goto("/settings/data/")
    with page.expect_download() as saving:
        page.get_by_role("link", name="Download all data").click()
    assert saving.value.suggested_filename.endswith(".zip")
    file = tmp_path / "everything.zip"
    saving.value.save_as(file)
    page.get_by_role("link", name="Import chats").click()
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="1 chat was imported.")).to_be_visible()
    # In Firefox, the download has taken the focus from the window.
    assert page.evaluate("document.activeElement.textContent") == "1 chat was imported."
    page.get_by_role("link", name="Go to your chats").click()
    copies = page.locator("#conversations .entry > a").filter(has_text="Take me along.")
    expect(copies).to_have_count(2)
    copies.last.click()
    ChatPage(page)
    page.get_by_role("button", name="Answer details").last.click()
    expect(page.locator("#facts-card")).to_contain_text("Output")


def test_a_file_of_another_program_is_refused_at_the_form(
    open_page: Callable[..., Page], olga: StorageState, tmp_path: Path
) -> None:
    file = tmp_path / "conversations.json"
    file.write_text('[{"title": "x"}]')
    page = open_page("/settings/import/", storage_state=olga, java_script_enabled=False)
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("This file isn't an export from Runnel,")


def test_chats_of_another_program_are_imported_with_their_branches(
    open_page: Callable[..., Page], olga: StorageState, tmp_path: Path
) -> None:
    file = tmp_path / "conversations.json"
    more = [chat(node("q", "root", "user", "Why?"), title=f"Chat {n}") for n in range(30)]
    file.write_bytes(encoded(rollback(), *more, chat(title="Nothing in it")))
    page = open_page("/settings/import/", storage_state=olga)
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="31 chats were imported.")).to_be_focused()
    result = page.get_by_role("region", name="31 chats were imported.")
    expect(result).to_contain_text("Nothing in it: It has no messages.")
    expect(result).to_contain_text("1 file or image")
    expect(page.get_by_role("button", name="Import")).to_be_hidden()
    result.get_by_role("link", name="Roll back").click()
    opened = ChatPage(page)
    expect(opened.page.locator("pre code")).to_contain_text("helm rollback staging")
    expect(opened.page.get_by_text("Restore the last chart.")).to_be_visible()
    expect(opened.page.get_by_text("Wait.", exact=True)).to_have_count(0)


def test_the_result_of_an_import_is_accessible_and_fits_a_phone(
    open_page: Callable[..., Page], olga: StorageState, tmp_path: Path
) -> None:
    file = tmp_path / "conversations.json"
    file.write_bytes(encoded(rollback(), chat(title="x" * 200)))
    page = open_page("/settings/import/", storage_state=olga, **BARE, **PHONE)
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="1 chat was imported.")).to_be_focused()
    assert axe(page) == []
    assert overflow(page) <= 0
    assert too_small(page) == []


def test_a_refused_file_is_named_and_another_can_be_chosen(
    open_page: Callable[..., Page], olga: StorageState, tmp_path: Path
) -> None:
    file = tmp_path / "notes.json"
    file.write_text("[]")
    page = open_page("/settings/import/", storage_state=olga)
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("This file isn't an export from Runnel,")
    expect(page.get_by_role("button", name="Import")).to_be_visible()


def test_files_that_are_too_large_together_are_not_sent(
    open_page: Callable[..., Page], olga: StorageState, tmp_path: Path
) -> None:
    files = [tmp_path / f"conversations-{number}.json" for number in range(2)]
    for file in files:
        file.write_bytes(encoded(chat(node("q", "root", "user", "Why?"), title=file.stem)))
    page = open_page("/settings/import/", storage_state=olga)
    most = files[0].stat().st_size + 100
    page.locator("#import-form").evaluate("(form, most) => (form.dataset.mostBytes = most)", most)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.get_by_label("Files").set_input_files(files)
    expect(page.get_by_role("alert")).to_contain_text("The files are larger than")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("An administrator can raise the limit")
    assert "POST" not in sent
    page.get_by_label("Files").set_input_files(files[0])
    expect(page.get_by_role("alert")).to_be_hidden()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="1 chat was imported.")).to_be_focused()


def test_an_account_is_deleted_by_keyboard(
    open_chat: Callable[..., ChatPage], olga: StorageState
) -> None:
    page = open_chat(storage_state=olga).page
    page.goto("/settings/delete-account/")
    page.get_by_label("Password").focus()
    page.keyboard.type("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Wrong password.")).to_be_visible()
    page.get_by_label("Password").focus()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Permanently delete account")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/accounts/login/")
    expect(page.get_by_text("Account deleted.")).to_be_visible()
    page.goto("/chat/")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.parametrize(("language", "theme"), [("en", "dark"), ("ar", "light")])
def test_the_pages_fit_and_are_accessible(
    open_page: Callable[..., Page], signed_in: StorageState, language: str, theme: str
) -> None:
    options: dict[str, Any] = {"storage_state": signed_in, "color_scheme": theme} | BARE
    page = open_page("/chat/", locale=language, **options, **PHONE)
    for path in PAGES:
        page.goto(path)
        assert axe(page) == [], path
        assert [each for each in too_small(page) if 'type="radio"' not in each] == [], path
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 700})
            assert overflow(page) <= 0, (path, width)
