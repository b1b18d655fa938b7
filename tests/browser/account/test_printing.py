"""Print a chat or an answer, or save it as a PDF or a document."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser import history
from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small

EMAIL = "pernilla@example.org"
LINE = "value = " + " + ".join(f"part_{at}" for at in range(40))
ANSWER = f"## Rivers\n\n```python\n{LINE}\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n" + "Long text. " * 900
IN_WINDOW = """(links) => links.map((each) => {
  const { left, right } = each.getBoundingClientRect();
  return left >= 0 && right <= innerWidth;
})"""
DARK: dict[str, Any] = {"color_scheme": "dark"}


@pytest.fixture(scope="module")
def pernilla(site: LiveSite) -> StorageState:
    return sign_in(site, EMAIL)


@pytest.fixture
def chat_path(site: LiveSite, pernilla: StorageState, tmp_path: Path) -> str:
    return history.conversation(site, tmp_path, EMAIL, ["First **answer**.", ANSWER])


def formatted(page: Page, count: int) -> Page:
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".answer > .message-text.formatted")).to_have_count(count)
    return page


def text_of(pdf: pypdfium2.PdfDocument) -> str:
    pages = (page.get_textpage().get_text_bounded() for page in pdf)
    return "".join("".join(text.split()) for text in pages)


@pytest.mark.quick
def test_the_pdf_has_the_whole_text_on_white_and_no_controls(
    open_page: Callable[..., Page], pernilla: StorageState, chat_path: str
) -> None:
    page = formatted(open_page(f"{chat_path}print/", storage_state=pernilla, **DARK), 2)
    pdf = pypdfium2.PdfDocument(page.pdf(format="A4", print_background=True))
    text = text_of(pdf)
    assert len(pdf) > 1
    for shown in ("Question0", "Firstanswer.", "Question1", "".join(LINE.split())):
        assert shown in text
    assert text.count("Longtext.") == 900
    for control in ("PrintorsaveasPDF", "Backtochat", "Copy", "ExportasWord"):
        assert control not in text
    picture = pdf[0].render(scale=0.25)
    corner = [picture.buffer[at] for at in range(3)]
    assert min(corner) > 240  # a light page, although the page is dark on screen


def test_one_answer_is_printed_from_its_menu(
    open_page: Callable[..., Page], pernilla: StorageState, chat_path: str
) -> None:
    page = open_page(chat_path, storage_state=pernilla)
    chat = ChatPage(page)
    chat.answers.first.hover()
    chat.answers.first.get_by_role("button", name="More options").click()
    page.get_by_role("button", name="Print or export").click()
    page.wait_for_url("**/print/?message=*")
    formatted(page, 1)
    expect(page.get_by_text("Question 0", exact=True)).to_have_count(1)  # the chat's title
    expect(page.locator(".question")).to_have_count(0)
    page.evaluate("window.print = () => { document.title = 'printing' }")
    page.get_by_role("button", name="Print or save as PDF").click()
    expect(page).to_have_title("printing")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as Word").click()
    assert download.value.suggested_filename == "Question 0.docx"
    assert download.value.path().read_bytes().startswith(b"PK")
    page.get_by_role("link", name="Back to chat").click()
    expect(chat.answers).to_have_count(2)


def test_a_chat_is_printed_from_the_chats_menu(
    open_page: Callable[..., Page], pernilla: StorageState, chat_path: str
) -> None:
    page = open_page(chat_path, storage_state=pernilla)
    page.get_by_role("button", name="Chat options").click()
    page.get_by_role("link", name="Print or export").click()
    page.wait_for_url("**/print/")
    formatted(page, 2)


@pytest.mark.parametrize(
    "options", [{"locale": "ar"} | PHONE | DARK, {"locale": "en"}], ids=["dark phone", "desktop"]
)
def test_the_page_fits_and_is_accessible(
    open_page: Callable[..., Page],
    pernilla: StorageState,
    chat_path: str,
    options: dict[str, Any],
) -> None:
    page = open_page(f"{chat_path}print/", storage_state=pernilla, **options | BARE)
    formatted(page, 2)
    assert axe(page) == []
    assert overflow(page) <= 0
    if "is_mobile" in options:
        bar = page.locator(".print-bar").bounding_box()
        assert bar
        assert bar["height"] < options["viewport"]["height"] / 10
        page.locator(".print-bar button[popovertarget]").click()
        menu = page.locator("#export-menu").bounding_box()
        assert menu
        assert menu["y"] + menu["height"] <= bar["y"] + 10  # above the buttons
        assert page.locator("#export-menu a").evaluate_all(IN_WINDOW) == [True] * 3
        assert [each for each in too_small(page) if "text-button" not in each] == []  # of code


def test_without_scripts_the_page_has_the_source_and_the_document(
    open_page: Callable[..., Page], pernilla: StorageState, chat_path: str
) -> None:
    page = open_page(f"{chat_path}print/", storage_state=pernilla, java_script_enabled=False)
    expect(page.get_by_text("First **answer**.")).to_be_visible()
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("link", name="Export as Word")).to_be_visible()
    expect(page.get_by_role("button", name="Print or save as PDF")).to_be_hidden()
