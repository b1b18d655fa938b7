"""A temporary chat takes images, which only its tab has, and sends them with each question."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Request, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.composer.image_input import SEEING, chips, give, is_loaded, thumbs
from tests.browser.conftest import sign_in
from tests.browser.firefox import needs_request_bodies
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow

START = "/chat/temporary/"


@pytest.fixture(scope="module")
def thea(site: LiveSite) -> StorageState:
    return sign_in(site, "thea@example.org")


@pytest.fixture
def open_hers(open_chat: Callable[..., ChatPage], thea: StorageState) -> Callable[..., ChatPage]:
    return lambda **options: open_chat(storage_state=thea, **options)


@pytest.fixture
def chat(open_hers: Callable[..., ChatPage]) -> ChatPage:
    chat = open_hers()
    chat.choose_model(SEEING)
    return chat


def contents(request: Request) -> list[Any]:
    """Return what the questions of a request are."""
    needs_request_bodies(request.frame.page)
    messages = json.loads(request.post_data or "")["messages"]
    return [each["content"] for each in messages if each["role"] == "user"]


@pytest.mark.quick
def test_the_model_gets_the_image_and_the_server_stores_none(chat: ChatPage) -> None:
    uploads: list[str] = []
    chat.page.on("request", lambda each: uploads.append(each.url) if "/images/" in each.url else 0)
    assert give(chat, "paste", "river.png")
    expect(chips(chat)).to_have_text(re.compile(r"river\.png\s*[\d.]+ kB"))
    assert is_loaded(chips(chat).locator("img"))
    assert "1 image: PNG, 80 × 60 pixels." in chat.ask("What is this?")
    assert is_loaded(thumbs(chat))
    expect(chat.questions.locator("> .message-text")).to_have_text("What is this?")
    assert uploads == []


def test_later_questions_send_it_again_and_a_retry_keeps_it(chat: ChatPage) -> None:
    assert give(chat, "drop", "river.png")
    expect(chips(chat)).to_have_count(1)
    chat.ask("What is this?")
    with chat.page.expect_request("**/chat/stream") as sent:
        chat.ask("And what is beside it?")
    first, second = contents(sent.value)
    assert [each["type"] for each in first] == ["text", "image_url"]
    assert second == "And what is beside it?"
    with chat.page.expect_request("**/chat/stream") as sent:
        chat.retry(0)
        chat.wait_for_end()
    assert contents(sent.value) == [first]


def test_a_photograph_becomes_so_small_that_the_request_may_have_it(chat: ChatPage) -> None:
    assert give(chat, "drop", "photo.jpg", "image/jpeg", (1200, 900))
    expect(chips(chat).locator("img")).to_have_count(1)
    assert "1 image: JPEG" in chat.ask("And this?")


def test_a_reload_forgets_the_image_and_says_so(chat: ChatPage) -> None:
    assert give(chat, "drop", "river.png")
    expect(chips(chat)).to_have_count(1)
    chat.ask("What is this?")
    assert give(chat, "drop", "bank.png")
    expect(chips(chat)).to_have_count(1)
    chat.composer.fill("And this?")
    chat.page.reload()
    expect(chat.hint).to_contain_text("A reload forgets the images of a temporary chat.")
    expect(thumbs(chat)).to_have_count(0)
    expect(chips(chat)).to_have_count(0)
    expect(chat.composer).to_have_value("And this?")
    expect(chat.questions).to_contain_text("[image: river.png]")
    with chat.page.expect_request("**/chat/stream") as sent:
        chat.ask("And this?")
    assert contents(sent.value) == ["What is this?\n[image: river.png]", "And this?"]


def test_an_image_opens_large_and_fits_a_phone(open_hers: Callable[..., ChatPage]) -> None:
    chat = open_hers(**BARE, **PHONE)
    chat.choose_model(SEEING)
    assert give(chat, "drop", "river.png")
    expect(chips(chat).locator("img")).to_have_count(1)
    chat.send_button.tap()
    chat.wait_for_end()
    chat.questions.locator(".image-thumb").tap()
    dialog = chat.page.get_by_role("dialog", name="river.png")
    assert is_loaded(dialog.get_by_role("img"))
    expect(dialog.get_by_role("link", name="Download")).to_have_attribute("download", "")
    assert overflow(chat.page) <= 0
    assert axe(chat.page) == []
