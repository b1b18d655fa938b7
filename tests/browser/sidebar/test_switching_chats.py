"""Another chat is shown without loading a page: the sidebar keeps its place."""

from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, Locator, Page, Route, StorageState, expect

from tests.browser.chat_page import UNTIL_STOPPED, ChatPage
from tests.browser.chromium import devtools
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.support.browser.live_regions import listen, said

START = "/chat/"
COUNT = 90
#: Chats with one question and answer each; the newest is the first.
MAKE = """
from datetime import timedelta
from django.utils import timezone
from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.models import Conversation
owner, now = User.objects.get(email="swana@example.org"), timezone.now()
for n in range({count}):
    chat = turns.start_conversation(owner.pk)
    answer = turns.add_answer(turns.post_question(chat, f"Question {{n}}", None))
    answer.text = f"**Answer** {{n}}"
    answer.save()
    title, updated_at = f"River {{n:02}}", now - timedelta(hours=n)
    Conversation.objects.filter(pk=chat.pk).update(title=title, updated_at=updated_at)
"""
IS_SAME_PAGE = "window.isSame === true"


@pytest.fixture(scope="module")
def swana(site: LiveSite) -> StorageState:
    state = sign_in(site, "swana@example.org")
    site.run(MAKE.format(count=COUNT))
    return state


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage], swana: StorageState) -> ChatPage:
    chat = open_chat(storage_state=swana)
    chat.page.evaluate("window.isSame = true")
    return chat


def row(page: Page, number: int) -> Locator:
    return page.locator("#conversations").get_by_role("link", name=f"River {number:02}")


def texts(page: Page, kind: str) -> Locator:
    return page.locator(f"#thread .{kind} > .message-text")


def switch(page: Page, number: int) -> None:
    row(page, number).click()
    expect_chat(page, number)


def expect_chat(page: Page, number: int) -> None:
    expect(texts(page, "question").first).to_have_text(f"Question {number}")
    expect(texts(page, "answer").first).to_have_text(f"Answer {number}")
    expect(page).to_have_title(f"River {number:02} – Runnel")
    expect(page.locator("[aria-current=page]")).to_have_text(f"River {number:02}")
    assert page.evaluate(IS_SAME_PAGE)


@pytest.mark.quick
def test_the_sidebar_keeps_its_place_and_its_pages(chat: ChatPage) -> None:
    page = chat.page
    page.locator("#older").scroll_into_view_if_needed()
    expect(page.locator("#conversations .entry")).to_have_count(COUNT)
    row(page, 70).scroll_into_view_if_needed()
    history = page.locator(".sidebar-history")
    top = history.evaluate("element => element.scrollTop")
    listen(chat)
    switch(page, 70)
    expect(chat.composer).to_be_focused()
    assert said(chat)[:1] == ["River 70"]
    assert history.evaluate("element => element.scrollTop") == top
    expect(page.locator("#conversations .entry")).to_have_count(COUNT)
    switch(page, 71)
    page.go_back()
    expect_chat(page, 70)
    page.go_back()
    expect(page.locator("#main")).to_have_attribute("data-empty", "")
    expect(page.get_by_role("link", name="New chat").first).to_have_attribute(
        "aria-current", "page"
    )
    page.go_forward()
    expect_chat(page, 70)
    page.reload()
    expect(page.locator("[aria-current=page]")).to_have_count(0)  # it is not on the first page
    row(page, 45).click()
    expect(page).to_have_title("River 45 – Runnel")
    page.reload()
    expect(row(page, 45)).to_be_in_viewport()


def test_each_chat_keeps_its_draft_and_gets_its_messages(chat: ChatPage) -> None:
    page = chat.page
    switch(page, 1)
    chat.composer.fill("Not sent yet")
    switch(page, 2)
    expect(chat.composer).to_have_value("")
    chat.ask("Something more.")
    expect(texts(page, "question")).to_have_text(["Question 2", "Something more."])
    address = page.url
    switch(page, 1)
    expect(chat.composer).to_have_value("Not sent yet")
    expect(chat.send_button).to_have_attribute("aria-disabled", "false")
    page.goto(address)
    expect(texts(page, "question")).to_have_text(["Question 2", "Something more."])


def test_an_answer_goes_on_without_the_page_and_is_followed_again(chat: ChatPage) -> None:
    page = chat.page
    switch(page, 3)
    chat.send(UNTIL_STOPPED)
    chat.wait_for_text(3)
    switch(page, 4)
    expect(chat.stop_button).to_have_count(0)
    mark = page.locator("#conversations .entry-mark[data-running]")
    expect(mark).to_have_count(1)
    row(page, 3).click()
    chat.wait_for_text(10)
    chat.press_stop()
    expect(chat.outcome).to_contain_text("Stopped.")
    expect(chat.questions).to_have_count(2)


def test_commands_and_the_menu_are_for_the_shown_chat(chat: ChatPage) -> None:
    page = chat.page
    switch(page, 5)
    switch(page, 6)
    page.keyboard.press("Control+K")
    page.get_by_role("combobox").fill("River 07")
    page.get_by_role("option", name="River 07").click()
    expect_chat(page, 7)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Chat options").click()
    page.locator("#chat-menu").get_by_role("link", name="Rename").click()
    page.get_by_role("textbox", name="Title of this chat").fill("Brook 07")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Brook 07")).to_have_attribute("aria-current", "page")
    chat.choose_model("Qwen3 30B")
    switch(page, 8)
    expect(page.locator("#open-models")).not_to_contain_text("Qwen3 30B")
    page.keyboard.press("Control+Shift+O")
    expect(page.locator("#main")).to_have_attribute("data-empty", "")
    assert page.evaluate(IS_SAME_PAGE)


def gone(route: Route) -> None:
    route.fulfill(status=404, content_type="text/html", body="<title>Gone</title>")


def signed_out(route: Route) -> None:
    route.fulfill(status=302, headers={"Location": "/accounts/login/"})


def away(route: Route) -> None:
    route.abort()


@pytest.mark.parametrize("answer", [gone, signed_out, away])
def test_what_is_unusual_is_left_to_a_page_load(
    open_chat: Callable[..., ChatPage], swana: StorageState, answer: Callable[[Route], None]
) -> None:
    page = open_chat(storage_state=swana, watched=False).page
    page.evaluate("window.isSame = true")
    page.route(row(page, 9).evaluate("link => link.href"), answer)
    row(page, 9).click()
    page.wait_for_function("() => !window.isSame")


def test_a_click_with_a_key_opens_a_tab(chat: ChatPage) -> None:
    with chat.page.context.expect_page() as opened:
        row(chat.page, 10).click(modifiers=["Control"])
    expect(opened.value).to_have_title("River 10 – Runnel")
    assert chat.page.url.endswith(START)


def test_nothing_remains_of_the_chats_that_were_left(chat: ChatPage) -> None:
    session = devtools(chat.page)

    def counts(rounds: int) -> dict[str, int]:
        for _ in range(rounds):
            for number in (11, 12, 13):
                switch(chat.page, number)
        return count(session)

    before, after = counts(2), counts(5)
    assert after["jsEventListeners"] <= before["jsEventListeners"] + 20
    assert after["nodes"] <= before["nodes"] * 1.2


def count(session: CDPSession) -> dict[str, int]:
    session.send("HeapProfiler.collectGarbage")
    counted: dict[str, int] = session.send("Memory.getDOMCounters")
    return counted


def test_the_menu_of_tools_is_that_of_the_chat(chat: ChatPage) -> None:
    page = chat.page
    tools = page.get_by_role("button", name="Tools")
    for number in (3, 4):
        switch(page, number)
        tools.click()
        calculate = page.get_by_label("Calculate")
        expect(calculate).not_to_be_checked()  # what is ticked stays in its chat
        calculate.check()
        page.keyboard.press("Escape")
    assert page.evaluate(IS_SAME_PAGE)
