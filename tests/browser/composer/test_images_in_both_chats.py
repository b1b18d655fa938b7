"""What is the same for images in stored and in temporary chats."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.composer.image_input import BLIND, SEEING, chips, give, is_loaded, thumbs
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite


@pytest.fixture(scope="module")
def ivy(site: LiveSite) -> StorageState:
    return sign_in(site, "ivy@example.org")


@pytest.fixture(params=["/chat/", "/chat/temporary/"])
def chat(
    request: pytest.FixtureRequest, open_page: Callable[..., Page], ivy: StorageState
) -> ChatPage:
    chat = ChatPage(open_page(request.param, storage_state=ivy))
    chat.choose_model(SEEING)
    return chat


def test_an_edit_keeps_the_image_or_removes_it(chat: ChatPage) -> None:
    assert give(chat, "drop", "river.png")
    expect(chips(chat)).to_have_count(1)
    chat.ask("What is this?")
    for is_kept in (True, False):
        chat.questions.hover()
        chat.questions.get_by_role("button", name="Edit question").click()
        editor = chat.page.locator(".editor")
        assert is_loaded(editor.locator(".image-thumb img"))
        if not is_kept:
            editor.get_by_role("button", name="Remove river.png").click()
        editor.get_by_role("textbox").fill("And now?")
        editor.get_by_role("button", name="Save and send").click()
        expect(editor).to_have_count(0)
        assert ("1 image: PNG" in chat.wait_for_end()) == is_kept
        expect(thumbs(chat)).to_have_count(int(is_kept))


def test_a_model_without_vision_is_named_and_another_one_offered(chat: ChatPage) -> None:
    chat.choose_model(BLIND)
    chat.composer.fill("What is this?")
    assert give(chat, "drop", "river.png")
    warning = chat.page.locator("#image-warning")
    expect(warning).to_contain_text(re.compile(f"{BLIND}.* can't read images"))
    chat.composer.press("Enter")
    expect(warning.get_by_role("button")).to_be_focused()
    expect(chat.questions).to_have_count(0)
    chat.page.keyboard.press("Enter")
    expect(warning).to_be_hidden()
    expect(chat.composer).to_be_focused()
    chat.page.keyboard.press("Enter")
    assert "1 image: PNG" in chat.wait_for_end()


def test_too_many_images_and_what_is_none_are_refused_with_the_reason(chat: ChatPage) -> None:
    for number in range(5):
        assert give(chat, "drop", f"{number}.png", size=(20 + number, 9))
        expect(chips(chat).locator("img")).to_have_count(min(number + 1, 4))
    expect(chat.hint).to_have_text("Too many images. The limit for one message is 4.")
    chips(chat).last.get_by_role("button").click()
    broken: Any = {"name": "broken.png", "mimeType": "image/png", "buffer": b"\x89PNG nothing"}
    chat.page.locator("#composer input[type=file]").set_input_files(broken)
    expect(chat.hint).to_have_text("broken.png isn't an image that can be read.")
    expect(chips(chat)).to_have_count(3)
