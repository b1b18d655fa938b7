"""Questions that a model suggests after an answer: below it without a reload, and asked by a click."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, StorageState, expect

from chat.emulator.scripts.follow_ups import QUESTIONS
from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite, live_site
from tests.support.browser.accessibility import axe
from tests.support.browser.layout import overflow
from tests.support.variants import later

TITLE_MODEL = "@cf/ibm-granite/granite-4.0-h-micro"
HOSTILE = """
from chat.conversations.models import Message
text = "<img src=x onerror=alert(1)> " + "\\u05d0" * 40 + "?"
Message.objects.filter(role="assistant").update(follow_ups=[text, "**Bold** or [a](javascript:b)?"])
"""
HIDING = """
from django.db import transaction
from chat.conversations.models import Message
from chat.conversations import redaction
with transaction.atomic():
    redaction.redact(Message.objects.filter(role="user").latest("pk"))
"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ON_PHONE: dict[str, Any] = {**PHONE, "color_scheme": "dark", "locale": "ar"}


@pytest.fixture(scope="module")
def suggesting_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    folder = tmp_path_factory.mktemp("suggesting")
    with live_site(folder, stored={"SUGGESTED_QUESTIONS": True}, TITLE_MODEL=TITLE_MODEL) as site:
        yield site


@pytest.fixture(scope="module")
def solveig(suggesting_site: LiveSite) -> StorageState:
    return sign_in(suggesting_site, "solveig@example.org")


def opened(browser: Browser, site: LiveSite, state: StorageState, **options: Any) -> Page:
    context = browser.new_context(base_url=site.url, storage_state=state, **options)
    page = context.new_page()
    page.goto("/chat/")
    return page


def suggested(page: Page) -> Locator:
    return page.get_by_role("list", name="Suggested questions").get_by_role("button")


@pytest.mark.quick
def test_they_appear_after_the_answer_and_the_keyboard_asks_one(
    suggesting_site: LiveSite, browser: Browser, solveig: StorageState
) -> None:
    page = opened(browser, suggesting_site, solveig)
    chat = ChatPage(page)
    chat.ask("Why do rivers bend?")
    expect(suggested(page)).to_have_text(list(QUESTIONS))
    expect(page.locator("#announcer")).to_contain_text("Suggested questions")
    page.reload()
    expect(suggested(page)).to_have_text(list(QUESTIONS))
    chat.composer.fill("Half a thought")
    suggested(page).nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".question").last).to_contain_text(QUESTIONS[1])
    expect(chat.composer).to_be_focused()
    expect(chat.composer).to_have_value("Half a thought")
    chat.wait_for_end()
    expect(suggested(page)).to_have_text([QUESTIONS[0], QUESTIONS[2]])  # of the new answer only
    chat.ask("/error-after")
    expect(suggested(page)).to_have_count(0)
    page.context.close()


def test_another_tab_shows_them_too(
    suggesting_site: LiveSite, browser: Browser, solveig: StorageState
) -> None:
    page = opened(browser, suggesting_site, solveig)
    chat = ChatPage(page)
    chat.ask("/error-after")
    other = page.context.new_page()
    other.goto(page.url)
    expect(suggested(other)).to_have_count(0)
    chat.ask("And lakes?")
    expect(suggested(other)).to_have_count(len(QUESTIONS))
    page.context.close()


@pytest.mark.parametrize("options", [{}, *later(ON_PHONE)])
def test_hostile_ones_are_text_and_accessible_everywhere(
    suggesting_site: LiveSite, browser: Browser, solveig: StorageState, options: dict[str, Any]
) -> None:
    page = opened(browser, suggesting_site, solveig, bypass_csp=True, **options)
    page.locator("#message").fill("Why do rivers bend?")
    page.locator("#composer .send-button").click()
    items = page.locator(".answer .starter")
    expect(items).to_have_count(len(QUESTIONS))
    suggesting_site.run(HOSTILE)
    page.reload()
    expect(items).to_have_count(2)
    expect(items.first).to_contain_text("<img src=x onerror=alert(1)>")
    expect(items.last).to_have_text("**Bold** or [a](javascript:b)?")
    expect(page.locator(".answer .starters").locator("img, a, strong")).to_have_count(0)
    assert axe(page) == []
    assert overflow(page) == 0
    page.context.close()


def test_without_scripts_a_button_asks(
    suggesting_site: LiveSite, browser: Browser, solveig: StorageState
) -> None:
    page = opened(browser, suggesting_site, solveig)
    ChatPage(page).ask("Why do rivers bend?")
    expect(suggested(page)).to_have_count(len(QUESTIONS))
    plain = browser.new_context(
        base_url=suggesting_site.url, storage_state=solveig, java_script_enabled=False
    ).new_page()
    plain.goto(page.url)
    form = plain.get_by_role("form", name="Suggested questions")
    form.get_by_role("button", name=QUESTIONS[0]).click()
    expect(plain.locator(".question").last).to_contain_text(QUESTIONS[0])
    plain.context.close()
    page.context.close()


def test_they_are_hidden_while_the_answer_is_compared(
    suggesting_site: LiveSite, browser: Browser, solveig: StorageState
) -> None:
    page = opened(browser, suggesting_site, solveig)
    chat = ChatPage(page)
    chat.ask("Why do rivers bend?")
    expect(suggested(page)).to_have_count(len(QUESTIONS))
    chat.last_answer.get_by_role("button", name="Retry").click()
    menu = page.locator("#retry-menu")
    menu.get_by_role("button", name="Compare with…").click()
    menu.locator("button[data-model]:visible").first.click()
    expect(page.get_by_role("button", name="Continue with this answer")).to_have_count(2)
    expect(suggested(page)).to_have_count(0)
    page.context.close()


def test_they_go_from_an_open_page_with_the_question(
    suggesting_site: LiveSite, browser: Browser, solveig: StorageState
) -> None:
    page = opened(browser, suggesting_site, solveig)
    ChatPage(page).ask("Why do rivers bend?")
    expect(suggested(page)).to_have_text(list(QUESTIONS))
    suggesting_site.run(HIDING)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(suggested(page)).to_have_count(0)
    page.context.close()
