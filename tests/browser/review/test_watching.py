"""Rita watches vera's chat on a website live, and takes it over."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.payloads import HTML
from tests.browser.review.enlisting import ENLIST
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.dialog_listener import LISTEN

LEAVE = """
from chat.conversations.handoff import takeover
from chat.conversations.models import Takeover
last = Takeover.objects.latest("pk")
last.last_seen_at -= 2 * takeover.AWAY
last.save()
last.conversation.messages.update(created_at=last.last_seen_at)
"""
SOON = 120_000
A_PERSON = "You're now chatting with a person."


@pytest.fixture(scope="module")
def rita(site: LiveSite) -> StorageState:
    state = sign_in(site, "rita-watches@example.org")
    site.run(ENLIST.format(email="rita-watches@example.org"))
    return state


@pytest.fixture
def open_live(open_page: Callable[..., Page], rita: StorageState) -> Callable[..., Page]:
    def open_live(**options: object) -> Page:
        page = open_page("/review/live/", storage_state=rita, **options)
        if "/reason/" in page.url:
            page.get_by_label("Reason for access").fill("A report of today")
            page.get_by_role("button", name="Continue").click()
        expect(page.get_by_role("heading", name="Live")).to_be_visible()
        return page

    return open_live


def take_over(staff: Page) -> None:
    staff.locator("#live").get_by_label("Reason (recorded)").fill("They need a person")
    staff.get_by_role("button", name="Take over").click()


def test_a_staff_member_takes_over_writes_and_hands_back(
    visit: Callable[..., WidgetPage], open_live: Callable[..., Page]
) -> None:
    staff = open_live()
    widget = visit()
    widget.open()
    widget.send("/slow about canoes")
    found = staff.get_by_role("link", name="/slow about canoes")
    found.click(timeout=SOON)
    running = staff.locator(".answer[data-state=streaming] .message-text").last
    expect(running).to_contain_text(re.compile("[a-z]{3}"), timeout=SOON)
    said = running.text_content() or ""
    expect(running).not_to_have_text(said, timeout=SOON)
    take_over(staff)

    notice = widget.frame.locator("#person")
    expect(notice).to_have_text(A_PERSON, timeout=SOON)
    expect(widget.frame.locator(".outcome").last).to_contain_text("A person has taken over")
    expect(widget.frame.locator(".outcome button:visible")).to_have_count(0)
    field = staff.get_by_label("You're answering in this chat.")
    expect(field).to_be_focused()
    field.fill("Hello, I am **Rita**.")
    field.press("Enter")
    person = widget.frame.locator(".answer:has(.person-label:visible)")
    expect(person).to_have_count(1, timeout=SOON)
    expect(person.locator("strong")).to_have_text("Rita")
    expect(person.locator(".person-label")).to_have_text("A person")
    expect(person.get_by_role("button", name="Good answer")).to_have_count(0)
    expect(widget.announcement).to_contain_text("Message from a person: Hello, I am Rita.")
    expect(field).to_have_value("")

    widget.send("How much for two?")
    expect(widget.stop_button).to_have_count(0)
    expect(staff.locator(".question .message-text").last).to_have_text(
        "How much for two?", timeout=SOON
    )
    widget.page.reload()
    widget.wait_until_usable()
    expect(notice).to_have_text(A_PERSON)
    expect(widget.questions.last).to_have_text("How much for two?")
    expect(widget.frame.locator(".outcome:visible")).to_have_count(1)
    staff.reload()
    field.fill("Ninety")
    staff.get_by_role("button", name="Send", exact=True).click()
    expect(person).to_have_count(2, timeout=SOON)
    expect(staff.locator(".person-label:visible")).to_have_count(2)

    staff.get_by_role("button", name="Hand back to the AI").click()
    expect(staff.get_by_text("The AI is answering again.")).to_be_visible()
    expect(notice).to_have_text("The person handed the chat back to the AI.", timeout=SOON)
    assert widget.ask("/echo Thank you")
    expect(widget.answers.last.locator(".person-label")).to_be_hidden()
    expect(notice).to_have_text("", timeout=SOON)
    expect(staff.locator(".answer .message-text").last).to_contain_text("Thank you", timeout=SOON)


def test_a_staff_member_who_leaves_hands_the_chat_back_to_the_model(
    visit: Callable[..., WidgetPage], open_live: Callable[..., Page], site: LiveSite
) -> None:
    widget = visit()
    widget.open()
    widget.ask("/echo Good morning")
    staff = open_live()
    staff.goto("/review/")
    staff.get_by_role("link", name="/echo Good morning").click()
    take_over(staff)
    field = staff.get_by_label("You're answering in this chat.")
    field.fill("Half a thought")
    expect(widget.frame.locator("#person")).to_have_text(A_PERSON, timeout=SOON)
    site.run(LEAVE)
    expect(staff.locator("#live > [role=status]")).to_contain_text(
        "no longer handling this chat", timeout=SOON
    )
    expect(field).to_have_value("Half a thought")
    gone = "The person has left. The AI is answering again."
    expect(widget.frame.locator("#person")).to_have_text(gone, timeout=SOON)


def test_the_live_list_keeps_the_focus_and_shows_attacks_as_text(
    visit: Callable[..., WidgetPage], open_live: Callable[..., Page]
) -> None:
    attack = next(each for each in HTML if "onerror" in each)
    staff = open_live(**BARE)
    staff.add_init_script(LISTEN)
    staff.reload()
    assert axe(staff) == []
    widget = visit(watched=False, bypass_csp=True)
    widget.open()
    widget.send(f"/slow {attack}")
    link = staff.locator("#running tbody a").last
    link.focus(timeout=SOON)
    expect(link).to_contain_text(attack[:20])
    assert axe(staff) == []
    widget.stop_button.click()
    row = staff.locator("#running tbody tr[data-ended]")
    expect(row).to_have_count(1, timeout=SOON)
    expect(link).to_be_focused()
    assert staff.locator("#running img, #running script").count() == 0
    link.press("Enter")
    expect(staff.get_by_role("button", name="Take over")).to_be_visible()
    assert axe(staff) == []
    take_over(staff)
    field = staff.get_by_label("You're answering in this chat.")
    field.fill(attack)
    field.press("Control+Enter")
    person = widget.frame.locator(".answer:has(.person-label:visible)")
    expect(person.locator("> .message-text")).to_contain_text(attack[:20], timeout=SOON)
    expect(staff.locator(".person-label:visible")).to_have_count(1, timeout=SOON)
    assert axe(staff) == []
    assert axe(widget.page.frames[1]) == []
    assert staff.locator("#thread img, #thread script").count() == 0
    assert staff.evaluate("window.attacks") == []


def test_a_staff_member_stops_an_answer(
    visit: Callable[..., WidgetPage], open_live: Callable[..., Page]
) -> None:
    widget = visit()
    widget.open()
    widget.send("/slow of the sea")
    staff = open_live()
    staff.get_by_role("link", name="/slow of the sea").click()
    staff.get_by_role("button", name="Stop the answer").click()
    words = "Staff stopped this answer."
    expect(widget.frame.locator(".outcome").last).to_contain_text(words)
    expect(staff.locator(".outcome").last).to_contain_text(words, timeout=SOON)
    widget.page.reload()
    widget.wait_until_usable()
    expect(widget.frame.locator(".outcome").last).to_contain_text(words)
