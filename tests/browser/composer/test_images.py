"""Images that are pasted, dropped or chosen are uploaded, and go with the question."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.composer.image_input import BLIND, SEEING, chips, give, is_loaded, thumbs
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, COLOURS, axe
from tests.support.browser.layout import APPEARED, PHONE, overflow, too_small
from tests.support.documents.samples import pdf
from tests.support.widget.pictures import png

START = "/chat/"


@pytest.fixture(scope="module")
def iris(site: LiveSite) -> StorageState:
    return sign_in(site, "iris@example.org")


@pytest.fixture
def open_hers(open_chat: Callable[..., ChatPage], iris: StorageState) -> Callable[..., ChatPage]:
    return lambda **options: open_chat(storage_state=iris, **options)


@pytest.mark.quick
def test_a_pasted_image_goes_with_the_question_and_survives_a_reload(
    open_hers: Callable[..., ChatPage],
) -> None:
    chat = open_hers()
    chat.choose_model(SEEING)
    assert give(chat, "paste", "river.png")
    expect(chips(chat)).to_have_text(re.compile(r"river\.png\s*[\d.]+ kB"))
    assert is_loaded(chips(chat).locator("img"))
    chat.page.reload()
    expect(chips(chat)).to_have_text(re.compile(r"river\.png\s*[\d.]+ kB"))
    chat.choose_model(SEEING)
    chat.composer.fill("What is this?")
    chat.composer.press("Enter")
    expect(chips(chat)).to_have_count(0)
    assert "1 image: PNG, 80 × 60 pixels." in chat.wait_for_end()
    assert is_loaded(thumbs(chat))
    expect(chat.questions.locator("> .message-text")).to_have_text("What is this?")
    chat.page.reload()
    assert is_loaded(thumbs(chat))
    expect(thumbs(chat)).to_have_attribute("alt", "river.png")


def test_images_begin_a_line_of_their_own_below_the_files(
    open_hers: Callable[..., ChatPage],
) -> None:
    chat = open_hers()
    chat.choose_model(SEEING)
    assert give(chat, "paste", "river.png")
    expect(chips(chat)).to_have_count(1)
    csv = {"name": "depths.csv", "mimeType": "text/csv", "buffer": b"river,depth\n"}
    chat.page.locator("input[type=file]").first.set_input_files(csv)
    expect(chips(chat)).to_have_count(2)
    chat.ask("What are these?")
    chip, image = chat.questions.locator(".attachment").bounding_box(), thumbs(chat).bounding_box()
    assert chip
    assert image
    assert image["y"] >= chip["y"] + chip["height"]


@pytest.mark.quick
def test_a_large_photograph_is_made_smaller_first(open_hers: Callable[..., ChatPage]) -> None:
    chat = open_hers()
    chat.choose_model(SEEING)
    chat.composer.fill("And this?")
    assert give(chat, "drop", "photo.jpg", "image/jpeg", (4000, 3000))
    expect(chips(chat).locator("img")).to_have_count(1)
    chat.composer.press("Enter")
    assert "1 image: JPEG, 1568 × 1176 pixels." in chat.wait_for_end()


def test_an_image_is_chosen_and_removed_by_keyboard(open_hers: Callable[..., ChatPage]) -> None:
    chat = open_hers()
    with chat.page.expect_file_chooser() as chooser:
        chat.page.get_by_role("button", name="Add a file or image").press("Enter")
    files: Any = [
        {"name": f"{name}.png", "mimeType": "image/png", "buffer": png(size, 9)}
        for name, size in (("one", 30), ("two", 40))
    ]
    chooser.value.set_files(files)
    expect(chips(chat).locator("img")).to_have_count(2)
    chat.page.get_by_role("button", name="Remove one.png").press("Enter")
    expect(chips(chat)).to_have_count(1)
    expect(chat.page.get_by_role("button", name="Remove two.png")).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(chips(chat)).to_have_count(0)


def test_the_thumbnail_opens_large_in_a_dialog_by_keyboard(
    open_hers: Callable[..., ChatPage],
) -> None:
    chat = open_hers()
    chat.choose_model(SEEING)
    assert give(chat, "drop", "river.png", size=(600, 400))
    expect(chips(chat)).to_have_count(1)
    chat.send_button.click()
    chat.wait_for_end()
    link = chat.questions.get_by_role("link", name="river.png")
    link.press("Enter")
    dialog = chat.page.get_by_role("dialog", name="river.png")
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    assert is_loaded(dialog.get_by_role("img", name="river.png"))
    chat.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(link).to_be_focused()


@pytest.mark.parametrize("colours", COLOURS)
def test_images_are_accessible_and_fit(
    open_hers: Callable[..., ChatPage], colours: dict[str, Any]
) -> None:
    chat = open_hers(**BARE, **colours, **PHONE)
    chat.choose_model(BLIND)
    assert give(chat, "drop", f"{'long' * 30}.png")
    expect(chat.page.locator("#image-warning")).to_be_visible()
    assert overflow(chat.page) <= 0
    chat.page.evaluate(APPEARED)
    assert axe(chat.page) == []
    chat.page.locator("#image-warning button").tap()
    chat.send_button.tap()
    chat.wait_for_end()
    assert overflow(chat.page) <= 0
    chat.page.evaluate(APPEARED)
    assert axe(chat.page) == []
    assert too_small(chat.page) == []
    chat.questions.locator(".image-thumb").tap()
    expect(chat.page.get_by_role("button", name="Close")).to_be_visible()
    assert overflow(chat.page) <= 0
    chat.page.evaluate(APPEARED)
    assert axe(chat.page) == []


def test_a_message_waits_until_its_image_is_uploaded(open_hers: Callable[..., ChatPage]) -> None:
    chat = open_hers()
    chat.choose_model(SEEING)
    held: list[Route] = []
    chat.page.route("**/chat/images/", lambda route: held.append(route))
    chat.composer.fill("What is this?")
    assert give(chat, "drop", "river.png")
    expect(chips(chat)).to_have_text("Uploading river.png…")
    chat.composer.press("Enter")
    expect(chat.hint).to_have_text("A file is still being added.")
    expect(chat.questions).to_have_count(0)
    held[0].continue_()
    expect(chips(chat).locator("img")).to_have_count(1)
    chat.composer.press("Enter")
    assert "1 image: PNG" in chat.wait_for_end()


def test_a_shared_page_shows_the_image_and_opens_it_large(
    open_hers: Callable[..., ChatPage], open_page: Callable[..., Page], site: LiveSite
) -> None:
    chat = open_hers()
    chat.choose_model(SEEING)
    assert give(chat, "drop", "river.png")
    expect(chips(chat).locator("img")).to_have_count(1)
    chat.ask("Look at this river")
    chat.page.locator("#share").click()
    chat.page.get_by_role("button", name="Create link").click()
    address = chat.page.get_by_label("Link address").first.input_value()
    reader = open_page(address.removeprefix(site.url))
    link = reader.get_by_role("link", name="river.png")
    assert is_loaded(link.locator("img"))
    expect(reader.locator(".question")).not_to_contain_text("image:")
    link.click()
    dialog = reader.get_by_role("dialog", name="river.png")
    assert is_loaded(dialog.get_by_role("img"))
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_the_original_of_a_file_is_saved_from_the_sent_question(
    open_hers: Callable[..., ChatPage],
) -> None:
    chat = open_hers()
    content = pdf("The lake is calm")
    report: Any = {"name": "report.pdf", "mimeType": "application/pdf", "buffer": content}
    chat.page.locator("#composer input[type=file]").set_input_files(report)
    expect(chips(chat)).to_have_text(re.compile(r"PDF\s*report\.pdf"))
    chat.composer.fill("How is it?")
    chat.composer.press("Enter")
    assert "file:" not in chat.wait_for_end()
    chat.page.reload()
    chat.questions.locator("summary").click()
    with chat.page.expect_download() as saved:
        chat.page.get_by_role("link", name="Download the original").click()
    assert saved.value.suggested_filename == "report.pdf"
    assert saved.value.path().read_bytes() == content
