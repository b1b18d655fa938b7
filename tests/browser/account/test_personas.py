"""Chats with a persona: choose it, see its name, keep it after a reload."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.firefox import needs_request_bodies
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.layout import overflow, too_small
from tests.support.browser.narrow_phone import NARROW
from tests.support.variants import later

HOSTILE = "</script><img src=x onerror=alert(1)>"
MAKE = """
from chat.accounts.models import User
from chat.personas.models import Persona
petra = User.objects.get(email={email!r})
for name in ("Tutor", {hostile!r}):
    Persona.objects.create(
        owner=petra, name=name, description=name, system_prompt="Be kind.", starters=["Why do rivers bend?", name],
        model="@cf/openai/gpt-oss-20b",
    )
"""
GO = """
from chat.personas.models import Persona
Persona.objects.filter(owner__email="paula@example.org").delete()
"""


@pytest.fixture(scope="module")
def petra(site: LiveSite) -> Iterator[StorageState]:
    state = sign_in(site, "perla@example.org")
    site.run(MAKE.format(email="perla@example.org", hostile=HOSTILE))
    return state


def begin(page: Page, path: str = "/chat/") -> ChatPage:
    page.goto(path)
    page.get_by_role("link", name="Tutor", exact=True).click()
    expect(page.locator(".welcome")).to_have_text("Tutor")
    return ChatPage(page)


@pytest.mark.quick
def test_a_persona_is_created_and_chosen_by_keyboard(
    open_page: Callable[..., Page], site: LiveSite
) -> None:
    page = open_page("/personas/new/", storage_state=sign_in(site, "pavel@example.org"))
    page.get_by_label("Name").focus()
    page.keyboard.type("Tutor")
    page.keyboard.press("Tab")
    page.keyboard.type("Teaches")
    page.get_by_label("Model", exact=True).select_option("GPT-OSS 20B")
    page.get_by_label("Name").press("Enter")
    page.get_by_role("link", name="New chat").press("Enter")
    chat = ChatPage(page)
    expect(page.locator(".welcome")).to_have_text("Tutor")
    expect(page.locator("#model")).to_have_value("@cf/openai/gpt-oss-20b")
    chat.ask("Hello")
    expect(page.locator("#persona")).to_have_text("Persona: Tutor")
    page.reload()
    expect(page.locator("#persona")).to_have_text("Persona: Tutor")
    page.keyboard.press("Control+k")
    page.keyboard.type("new chat with tutor")
    page.keyboard.press("Enter")
    page.wait_for_url("**/chat/?persona=*")


def test_typed_text_stays_when_a_persona_is_chosen(
    open_page: Callable[..., Page], petra: StorageState
) -> None:
    page = open_page("/chat/", storage_state=petra)
    ChatPage(page).composer.fill("Half a question")
    chat = begin(page)
    expect(chat.composer).to_have_value("Half a question")
    chat.composer.fill("")
    page.get_by_role("button", name="Why do rivers bend?").click()
    expect(chat.questions).to_have_count(1)
    chat.wait_for_end()


def test_a_temporary_chat_keeps_its_persona_after_a_reload(
    open_page: Callable[..., Page], petra: StorageState
) -> None:
    page = open_page("/chat/temporary/", storage_state=petra)
    chat = begin(page, "/chat/temporary/")
    with page.expect_request("**/chat/stream") as sent:
        chat.ask("Hello")
    needs_request_bodies(page)
    assert sent.value.post_data_json["persona"] in page.url
    page.goto("/chat/temporary/")
    chat = ChatPage(page)
    expect(page.locator("#persona")).to_have_text("Persona: Tutor")
    with page.expect_request("**/chat/stream") as sent:
        chat.ask("And now?")
    assert sent.value.post_data_json["persona"]
    page.get_by_role("button", name="Start over").click()
    expect(page.locator("#persona")).to_be_hidden()
    with page.expect_request("**/chat/stream") as sent:
        chat.ask("And without?")
    assert "persona" not in sent.value.post_data_json


def test_a_deleted_persona_gets_a_message(open_page: Callable[..., Page], site: LiveSite) -> None:
    state = sign_in(site, "paula@example.org")
    site.run(MAKE.format(email="paula@example.org", hostile="Other"))
    page = open_page("/chat/", storage_state=state)
    chat = begin(page)
    site.run(GO)
    chat.send("Hello")
    expect(chat.outcome).to_contain_text("This persona is no longer available.")


def test_a_hostile_name_is_shown_as_text(
    open_page: Callable[..., Page], petra: StorageState
) -> None:
    page = open_page("/chat/", storage_state=petra)
    page.get_by_role("link", name=HOSTILE).click()
    expect(page.locator(".welcome")).to_have_text(HOSTILE)
    ChatPage(page).ask("Hello")
    expect(page.locator("#persona bdi")).to_have_text(HOSTILE)
    page.keyboard.press("Control+k")
    page.keyboard.type("new chat with")
    expect(page.get_by_role("option", name=f"New chat with {HOSTILE}")).to_be_visible()
    page.goto("/personas/")
    expect(page.get_by_text(HOSTILE).first).to_be_visible()


@pytest.mark.parametrize("theme", ["dark", *later("light")])
def test_the_pages_are_accessible_and_fit_a_phone(
    open_page: Callable[..., Page], petra: StorageState, theme: str
) -> None:
    page = open_page("/personas/", storage_state=petra, color_scheme=theme, **NARROW, **BARE)
    for direction in ("ltr", "rtl"):
        for path in ("/personas/", "/personas/new/", "/chat/"):
            page.goto(path)
            page.evaluate("direction => (document.documentElement.dir = direction)", direction)
            if path == "/personas/new/":
                page.get_by_role("button", name="Save").click()
                page.locator("summary").click()
            if path == "/chat/":
                begin(page)
                page.evaluate("direction => (document.documentElement.dir = direction)", direction)
            assert overflow(page) <= 0, (path, direction)
            assert too_small(page) == [], (path, direction)
            if direction == "ltr":
                assert axe(page) == [], path
