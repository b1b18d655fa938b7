"""Two models answer one question beside each other."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.servers.served_site import wait_until

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "color_scheme": "dark",
    "reduced_motion": "reduce",
    "has_touch": True,
    "is_mobile": True,
}
BLIND = """
from chat.site_settings.models import SiteSetting
SiteSetting.objects.update_or_create(pk="BLIND_COMPARISON", defaults={"value": True})
"""
LIMIT = """
from chat.quotas.models import Limit
from chat.accounts.models import User
user = User.objects.get(email="delia@example.org")
Limit.objects.create(scope="member", user=user, measure="running", amount=1)
"""
NAMES = re.compile("llama|gemma|gpt|mistral|qwen", re.IGNORECASE)


@pytest.fixture(scope="module")
def beate(site: LiveSite) -> StorageState:
    site.run(BLIND)
    state = sign_in(site, "beate@example.org")
    cookies = {each["name"]: each["value"] for each in state["cookies"]}
    menu = partial(httpx.get, f"{site.url}/chat/models/", cookies=cookies)
    wait_until(lambda: 'data-part="blind"' in menu().text)  # the server reads it within seconds
    return state


def compare_with(page: Page, number: int = 0, *, is_blind: bool = False) -> None:
    """Choose a second model in the menu of models."""
    page.locator("#open-models").click()
    menu = page.locator("#model-menu")
    menu.get_by_role("button", name="Compare with…").click()
    if is_blind:
        menu.get_by_role("checkbox", name="Hide the names until I vote").check()
    menu.locator(".model-menu-row:visible label").nth(number).click()
    expect(menu).to_be_hidden()


def columns(page: Page) -> Any:
    return page.locator(".side-by-side-answer")


def texts(page: Page) -> Any:
    return columns(page).locator(".message-text[data-part=text]")


@pytest.mark.quick
def test_both_answers_grow_survive_a_reload_and_one_is_chosen(
    open_page: Callable[..., Page], beate: StorageState
) -> None:
    page = open_page("/chat/", storage_state=beate)
    chat = ChatPage(page)
    compare_with(page)
    expect(page.locator("#open-models")).to_contain_text(" + ")
    chat.send("/long 4000 10")
    for number in (0, 1):
        expect(texts(page).nth(number)).not_to_be_empty()
    expect(columns(page).get_by_role("button", name="Stop")).to_have_count(2)
    expect(page.locator("#open-models")).not_to_contain_text(" + ")
    page.reload()
    for number in (0, 1):
        before = len(texts(page).nth(number).inner_text())
        grown = re.compile(rf"^.{{{before + 1},}}$", re.DOTALL)
        expect(texts(page).nth(number)).to_have_text(grown)
    first, second = columns(page).nth(0), columns(page).nth(1)
    first.get_by_role("button", name="Stop").click()
    expect(first.get_by_role("button", name="Stop")).to_be_hidden()
    expect(second.get_by_role("button", name="Stop")).to_be_visible()
    chat.press_stop()
    expect(chat.stop_button).to_have_count(0)
    chat.composer.fill("And lakes?")
    chat.composer.press("Enter")
    expect(chat.hint).to_have_text("Choose the answer to continue with first.")
    first.get_by_role("button", name="Continue with this answer").click()
    chosen = columns(page).nth(0).get_by_role("button", name="The chat goes on from here")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    chat.composer.press("Enter")
    expect(columns(page)).to_have_count(0)
    expect(chat.questions).to_have_count(2)
    expect(chat.answers.first.locator(".versions")).to_contain_text("1/2")


@pytest.mark.quick
def test_names_stay_hidden_on_a_phone_until_the_vote(
    open_page: Callable[..., Page], beate: StorageState
) -> None:
    page = open_page("/chat/", storage_state=beate, **PHONE, **BARE)
    chat = ChatPage(page)
    compare_with(page, is_blind=True)
    chat.composer.fill("Explain why lakes freeze")
    page.get_by_role("button", name="Send", exact=True).tap()
    question = page.get_by_role("group", name="Which answer is better?")
    expect(question).to_be_visible()
    assert not NAMES.search(page.locator("#thread").inner_html())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert axe(page) == []
    page.reload()
    question = page.get_by_role("group", name="Which answer is better?")
    expect(question).to_be_visible()
    assert not NAMES.search(page.locator("#thread").inner_html())
    question.get_by_role("button", name="Both are good").tap()
    expect(question).to_be_hidden()
    for number in (0, 1):
        expect(columns(page).nth(number).get_by_role("heading", level=2).first).to_have_text(NAMES)
    expect(chat.announcement).to_contain_text(re.compile("Answer A: .+ Answer B: "))
    assert axe(page) == []


def test_a_vote_works_by_keyboard_and_keeps_the_focus(
    open_page: Callable[..., Page], beate: StorageState
) -> None:
    page = open_page("/chat/", storage_state=beate)
    page.locator("#open-models").press("Enter")
    page.locator("#model-menu").get_by_role("button", name="Compare with…").press("Enter")
    page.get_by_role("checkbox", name="Hide the names until I vote").press("Space")
    search = page.get_by_role("searchbox", name="Find a model")
    search.fill("Gemma")
    search.press("Enter")
    chat = ChatPage(page)
    chat.send("Explain why rivers bend")
    page.get_by_role("button", name="B is better").press("Enter")
    chosen = page.get_by_role("button", name="The chat goes on from here")
    expect(chosen).to_be_focused()
    expect(columns(page).nth(1)).to_have_attribute("data-chosen", "")


def test_a_refusal_is_said_in_its_column(open_page: Callable[..., Page], site: LiveSite) -> None:
    delia = sign_in(site, "delia@example.org")
    site.run(LIMIT)
    page = open_page("/chat/", storage_state=delia)
    chat = ChatPage(page)
    compare_with(page)
    chat.send("/long 400 100")
    refused = columns(page).nth(1)
    expect(refused).to_contain_text("You already have an answer in progress.")
    expect(columns(page).nth(0)).not_to_contain_text("You already have")
    expect(chat.stop_button).to_have_count(0)
    refused.get_by_role("button", name="Try again").click()
    expect(texts(page).nth(1)).not_to_be_empty()


def test_a_stored_answer_is_compared_from_its_retry_menu(
    open_page: Callable[..., Page], beate: StorageState
) -> None:
    page = open_page("/chat/", storage_state=beate)
    chat = ChatPage(page)
    chat.ask("Why do rivers bend?")
    chat.last_answer.get_by_role("button", name="Retry").click()
    menu = page.locator("#retry-menu")
    menu.get_by_role("button", name="Compare with…").click()
    menu.locator("button[data-model]:enabled:visible").first.click()
    expect(columns(page)).to_have_count(2)
    expect(columns(page).get_by_role("button", name="Continue with this answer")).to_have_count(2)


def test_the_columns_and_the_menu_are_accessible(
    open_page: Callable[..., Page], beate: StorageState
) -> None:
    page = open_page("/chat/", storage_state=beate, **BARE)
    chat = ChatPage(page)
    page.locator("#open-models").click()
    page.locator("#model-menu").get_by_role("button", name="Compare with…").click()
    assert axe(page) == []
    page.keyboard.press("Escape")
    compare_with(page)
    chat.send("/think 40000")
    expect(columns(page).get_by_role("button", name="Stop").first).to_be_visible()
    assert axe(page) == []
    chat.press_stop()
    expect(columns(page).get_by_role("button", name="Stop").first).to_be_hidden()
    assert axe(page) == []
