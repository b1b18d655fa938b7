"""Choose a model from the menu: suggested ones first, what each is good for, its details."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from tests.browser.chat_page import COMPOSED, ChatPage, unfold
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import PHONE, overflow, too_small
from tests.support.variants import later

SCOUT = "@cf/meta/llama-4-scout-17b-16e-instruct"


@pytest.fixture(scope="module")
def marek(site: LiveSite) -> StorageState:
    return sign_in(site, "marek@example.org")


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], marek: StorageState) -> ChatPage:
    return open_chat(storage_state=marek)


def opened(page: Page) -> Locator:
    page.locator("#open-models").click()
    menu = page.get_by_role("dialog", name="Choose a model")
    menu.locator("[data-model]").first.wait_for()
    return menu


def names(menu: Locator) -> list[str]:
    return menu.locator("[data-model]:visible bdi").all_inner_texts()


def test_each_model_says_what_it_is_good_for(chat: ChatPage) -> None:
    menu = opened(chat.page)
    scout = menu.get_by_role("radio", name="Llama 4 Scout", exact=True)
    expect(scout).to_have_accessible_description(re.compile("long documents.*Long"))
    expect(menu.get_by_text("$0.27 in", exact=False)).to_be_hidden()
    menu.get_by_role("button", name="Details").click()
    expect(menu.get_by_text("131K context").first).to_be_visible()
    expect(menu.get_by_text("$0.27 in", exact=False)).to_be_visible()
    menu.get_by_text("Llama 4 Scout", exact=True).click()
    expect(menu).to_be_hidden()
    expect(chat.page.get_by_role("button", name="Model: Llama 4 Scout")).to_be_visible()
    chat.ask("Hello")
    chat.page.get_by_role("button", name="Answer details").click()
    expect(chat.page.locator("#facts-card")).to_contain_text("Llama 4 Scout")


@pytest.mark.quick
def test_the_other_models_are_folded_and_opened_by_keyboard(chat: ChatPage) -> None:
    press = chat.page.keyboard.press
    menu = opened(chat.page)
    assert len(names(menu)) == 5
    lines = menu.locator(".model-menu-line:visible").all_inner_texts()
    assert len(set(lines)) == len(lines)
    more = menu.locator("summary")
    press("ArrowUp")  # from the first to the last one; those that are folded can't be chosen
    expect(menu.get_by_role("radio").nth(4)).to_be_checked()
    more.focus()
    press("Enter")
    row = menu.locator("[data-model]", has_text="Kimi K2.6")
    row.get_by_role("radio").focus()
    press("Space")
    press("Enter")
    expect(menu).to_be_hidden()
    menu = opened(chat.page)
    assert names(menu)[-1] == "Kimi K2.6"  # what is chosen is in sight
    expect(row.get_by_role("radio")).to_be_focused()
    assert len(names(menu)) == 6


@pytest.mark.quick
def test_a_model_is_chosen_by_keyboard(chat: ChatPage) -> None:
    press = chat.page.keyboard.press
    chat.page.locator("#open-models").focus()
    press("Enter")
    expect(chat.page.get_by_role("radio", name="Llama 3.3 70B")).to_be_focused()
    press("ArrowDown")
    expect(chat.page.get_by_role("radio", name="Llama 4 Scout")).to_be_checked()
    press("Enter")
    expect(chat.page.get_by_role("dialog", name="Choose a model")).to_be_hidden()
    expect(chat.page.locator("#open-models")).to_be_focused()
    expect(chat.page.locator("#model")).to_have_value(SCOUT)
    press("Enter")
    press("Escape")
    expect(chat.page.locator("#open-models")).to_be_focused()


def test_a_model_is_found_by_its_name(chat: ChatPage) -> None:
    menu = opened(chat.page)
    search = menu.get_by_role("searchbox", name="Find a model")
    search.fill("micro gra")
    assert names(menu) == ["Granite 4.0 Micro"]
    search.fill("no such")
    expect(menu.get_by_role("status")).to_have_text("No model has this name.")
    search.fill("scout")
    search.dispatch_event("keydown", COMPOSED)
    expect(menu).to_be_visible()
    search.press("Enter")
    expect(chat.page.locator("#model")).to_have_value(SCOUT)
    menu = opened(chat.page)
    assert len(names(menu)) == 5  # the next time, they are suggested again
    expect(menu.get_by_role("radio", name="Llama 4 Scout")).to_be_focused()
    chat.page.keyboard.type("gra")
    expect(search).to_have_value("gra")
    assert names(menu) == ["Granite 4.0 Micro"]


def test_pinned_models_come_first_on_every_device(
    site: LiveSite, open_chat: Callable[..., ChatPage]
) -> None:
    pia = sign_in(site, "pia@example.org")
    page = open_chat(storage_state=pia).page
    menu = opened(page)
    unfold(menu, menu.get_by_text("Qwen3 30B")).hover()
    pin = menu.get_by_role("button", name="Pin Qwen3 30B")
    with page.expect_response("**/settings/"):
        pin.click()
    expect(pin).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    assert "Qwen3 30B" in names(opened(page))
    menu = opened(open_chat(storage_state=pia).page)
    assert names(menu)[0] == "Qwen3 30B"


def test_a_pin_that_cannot_be_stored_is_taken_back(chat: ChatPage) -> None:
    chat.page.route("**/settings/", lambda route: route.abort())
    menu = opened(chat.page)
    pin = menu.get_by_role("button", name="Pin Llama 3.3 70B")
    pin.click()
    expect(chat.hint).to_contain_text("Couldn't save this.")
    expect(pin).to_have_attribute("aria-pressed", "false")


def test_models_that_were_used_are_suggested_wherever_one_is_chosen(
    site: LiveSite, open_chat: Callable[..., ChatPage]
) -> None:
    rosa = sign_in(site, "rosa@example.org")
    chat = open_chat(storage_state=rosa)
    chat.choose_model("GPT-OSS 20B")
    with chat.page.expect_response("**/settings/"):
        chat.ask("Hello")
    chat = open_chat(storage_state=rosa, **BARE)
    assert names(opened(chat.page))[1] == "GPT-OSS 20B"
    chat.page.keyboard.press("Escape")
    chat.ask("Hello")
    chat.last_answer.get_by_role("button", name="Retry").click()
    expect(chat.page.locator("#retry-menu [aria-current]")).to_be_visible()
    offered = chat.page.locator("#retry-menu [data-model]:visible").all_inner_texts()
    assert offered == [
        "Llama 3.3 70B",
        "GPT-OSS 20B",
        "Llama 4 Scout",
        "Llama 3.1 8B",
        "GPT-OSS 120B",
    ]
    expect(chat.page.locator("#retry-menu [aria-current]")).to_have_text("Llama 3.3 70B")
    assert axe(chat.page) == []


def test_the_chosen_model_is_used_for_new_chats(
    site: LiveSite, open_chat: Callable[..., ChatPage]
) -> None:
    chat = open_chat(storage_state=sign_in(site, "max@example.org"))
    chat.choose_model("Qwen3 30B")
    opened(chat.page).get_by_role("button", name="Use for all new chats").click()
    expect(chat.hint).to_have_text("New chats will use Qwen3 30B.")
    chat.page.goto("/chat/")
    expect(chat.page.locator("#model")).to_have_value("@cf/qwen/qwen3-30b-a3b-fp8")
    expect(chat.page.get_by_role("button", name="Model: Qwen3 30B")).to_be_visible()
    chat.page.goto("/settings/")
    expect(chat.page.get_by_label("Default model")).to_have_value("@cf/qwen/qwen3-30b-a3b-fp8")


def test_without_scripts_the_model_is_chosen_from_a_select(
    open_page: Callable[..., Page], marek: StorageState
) -> None:
    page = open_page("/chat/", storage_state=marek, java_script_enabled=False)
    expect(page.locator("#open-models")).to_be_hidden()
    page.get_by_label("Model", exact=True).select_option(label="Llama 4 Scout")
    page.get_by_role("textbox", name="Message").fill("Hello")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".answer")).to_have_count(1)


@pytest.mark.parametrize(
    ("theme", "language"), [("light", "de"), ("dark", "ar"), *later(("light", "en"))]
)
def test_the_menu_is_accessible_and_fits(
    open_chat: Callable[..., ChatPage], marek: StorageState, theme: str, language: str
) -> None:
    options: dict[str, Any] = {"storage_state": marek, "color_scheme": theme, "locale": language}
    page = open_chat(**(options | BARE)).page
    page.locator("#open-models").click()
    page.locator("[data-pin]").first.wait_for()
    page.locator("#model-menu summary").click()
    assert axe(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        assert overflow(page) <= 0
        expect(page.locator("#model-menu")).to_be_in_viewport(ratio=1)


def test_models_are_chosen_by_touch(
    open_chat: Callable[..., ChatPage], marek: StorageState
) -> None:
    chat = open_chat(storage_state=marek, **PHONE)
    chat.page.locator("#open-models").tap()
    chat.page.locator("[data-pin]").first.wait_for()
    assert too_small(chat.page) == []
    chat.page.locator("#model-menu").get_by_text("Llama 4 Scout").tap()
    expect(chat.page.locator("#model-menu")).to_be_hidden()
    expect(chat.page.locator("#model")).to_have_value(SCOUT)
