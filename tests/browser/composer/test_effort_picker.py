"""Choose the reasoning effort, and retry when reasoning used up all tokens."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small

START = "/chat/"
TEMPORARY = "/chat/temporary/"
GEMMA = "Gemma 4 26B"


@pytest.fixture(scope="module")
def tessa(site: LiveSite) -> StorageState:
    return sign_in(site, "tessa@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], tessa: StorageState) -> ChatPage:
    return open_chat(storage_state=tessa)


def choose(chat: ChatPage, model: str) -> Locator:
    chat.choose_model(model)
    return chat.page.get_by_label("Reasoning", exact=True)


def test_reasoning_that_used_all_tokens_is_reported_and_can_be_reduced(chat: ChatPage) -> None:
    choose(chat, GEMMA)
    chat.send("/overthink")
    chat.wait_for_end()
    expect(chat.outcome).to_contain_text("Reasoning used up the length limit for this answer.")
    chat.outcome.get_by_role("button", name="Reduce reasoning").click()
    expect(chat.last_text).to_contain_text(re.compile("."))
    chat.wait_for_end()
    expect(chat.outcome).to_be_hidden()
    chat.page.reload()
    expect(chat.last_text).to_contain_text(re.compile("."))
    chat.page.get_by_role("button", name="Answer details").last.click()
    expect(chat.page.locator("#facts-card")).to_contain_text(re.compile("Reasoning\\s*Low"))


@pytest.mark.parametrize("start", [START, TEMPORARY])
def test_reasoning_that_used_all_tokens_can_get_more_tokens(
    start: str, open_chat: Callable[..., ChatPage], tessa: StorageState
) -> None:
    chat = open_chat(storage_state=tessa)
    chat.page.goto(start)
    chat = ChatPage(chat.page)
    choose(chat, GEMMA)
    chat.send("/overthink 2500")
    chat.wait_for_end()
    chat.outcome.get_by_role("button", name="Allow a longer answer").click()
    expect(chat.last_text).to_contain_text(re.compile("."))
    chat.wait_for_end()
    expect(chat.outcome).to_be_hidden()
    expect(chat.page.get_by_role("log")).to_have_count(1)


def test_a_model_without_efforts_is_only_offered_more_tokens(chat: ChatPage) -> None:
    chat.send("/overthink")
    chat.wait_for_end()
    expect(chat.outcome.get_by_role("button", name="Allow a longer answer")).to_be_visible()
    expect(chat.outcome.get_by_role("button", name="Reduce reasoning")).to_be_hidden()


def test_the_message_box_offers_the_models_efforts(chat: ChatPage) -> None:
    thinking = chat.page.locator("#thinking")
    expect(thinking).to_be_hidden()
    choose(chat, GEMMA)
    expect(thinking).to_be_visible()
    thinking.select_option(label="Reasoning: off")
    chat.ask("/think 40 Why?")
    expect(chat.last_answer.locator("details.reasoning")).to_be_hidden()
    thinking.select_option(label="Reasoning: high")
    chat.ask("/think 40 Why?")
    expect(chat.last_answer.locator("details.reasoning")).to_be_visible()
    choose(chat, "GPT-OSS 20B")
    expect(thinking).to_have_value("high")
    assert thinking.locator("option:enabled").all_text_contents() == [
        "Reasoning: default", "Reasoning: low", "Reasoning: medium", "Reasoning: high",
    ]  # fmt: skip
    choose(chat, "Llama 3.3 70B")
    expect(thinking).to_be_hidden()
    chat.ask("Hello")  # with nothing that this model would refuse


def test_the_effort_is_chosen_by_touch_and_announced(
    open_chat: Callable[..., ChatPage], tessa: StorageState
) -> None:
    chat = open_chat(storage_state=tessa, **PHONE, **BARE)
    choose(chat, GEMMA)
    chat.composer.fill("x" * 3 * 90_000)
    for width in (320, 390):
        chat.page.set_viewport_size({"width": width, "height": 700})
        assert overflow(chat.page) <= 0
        assert too_small(chat.page) == []
    assert axe(chat.page) == []
