"""An image that a model draws is in sight with its answer, opens large, and can be downloaded."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.screenshots import PHONE
from tests.support.browser.accessibility import BARE, axe

START = "/chat/"
LOADED = "image => image.complete && image.naturalWidth > 0"


def switch_on(chat: ChatPage) -> None:
    chat.page.locator(".model-picker-button:has(+ #tool-menu)").click()
    chat.page.locator("input[value=generate_image]").check()
    chat.page.keyboard.press("Escape")


@pytest.mark.quick
def test_it_is_seen_opened_downloaded_and_there_after_a_reload(
    open_chat: Callable[..., ChatPage],
) -> None:
    chat = open_chat()
    page = chat.page
    switch_on(chat)
    chat.ask("Please draw a lighthouse at night")
    image = chat.last_answer.get_by_role("img", name="a lighthouse at night")
    expect(image).to_be_visible()
    page.wait_for_function(LOADED, arg=image.element_handle())
    image.click()
    dialog = page.get_by_role("dialog", name="a lighthouse at night")
    with page.expect_download() as download:
        dialog.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename.endswith(".png")
    dialog.get_by_role("button", name="Close").click()
    page.reload()
    again = chat.last_answer.get_by_role("img", name="a lighthouse at night")
    expect(again).to_be_visible()
    expect(chat.last_answer.get_by_role("img")).to_have_count(1)


@pytest.mark.parametrize("options", [{}, {**PHONE, "color_scheme": "dark"}, {"locale": "ar"}])
def test_nothing_is_inaccessible(
    open_chat: Callable[..., ChatPage], options: dict[str, object]
) -> None:
    chat = open_chat(**BARE, **options)
    switch_on(chat)
    chat.page.locator("#message").fill("draw a boat")
    chat.page.locator("#composer .send-button").click()
    expect(chat.page.locator(".tool-call .image-thumb img")).to_be_visible()
    assert axe(chat.page) == []
    assert chat.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_scripts_it_is_there_too(
    open_chat: Callable[..., ChatPage], open_page: Callable[..., Page]
) -> None:
    chat = open_chat()
    switch_on(chat)
    chat.ask("draw a boat")
    state = chat.page.context.storage_state()
    bare = open_page(chat.page.url, storage_state=state, java_script_enabled=False)
    image = bare.locator(".answer").get_by_role("img", name="Draw: a boat")
    expect(image).to_be_visible()
    expect(bare.locator(".tool-call a")).to_have_attribute("href", re.compile("^/chat/images/"))
