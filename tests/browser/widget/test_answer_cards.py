"""Buttons and cards in a website's answers: shown below the text, pressed once, and text where they are hostile."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import sign_in
from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.picture import picture
from tests.support.browser.widget_people import SOON, answer
from tests.support.variants import later

AGENT = "carla@example.org"
LABELS = ["Prices", "Opening hours", "Talk about something else"]
TURN_ON = "from chat.widget_sites.models import WidgetSite; WidgetSite.objects.update(has_cards={})"
REWRITE = """
from chat.conversations.models import Message
latest = Message.objects.filter(role="assistant", conversation__owner__is_visitor=True).latest("pk")
Message.objects.filter(pk=latest.pk).update(text={text!r})
"""
JOIN = """
from chat.accounts.models import User
from chat.widget_sites.models import SiteMember, WidgetSite
SiteMember.objects.create(
    site=WidgetSite.objects.get(key={key!r}), user=User.objects.get(email={email!r}), role="agent"
)
"""
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => shifts.push(...list.getEntries().filter((each) => !each.hadRecentInput)))
  .observe({ type: "layout-shift" });
"""
SMALL: dict[str, Any] = {"viewport": {"width": 320, "height": 480}}


@pytest.fixture(autouse=True)
def _cards(site: LiveSite, site_key: str) -> Iterator[None]:
    site.run(TURN_ON.format(True))
    yield
    site.run(TURN_ON.format(False))


def box(widget: WidgetPage) -> Locator:
    return widget.answers.last.locator("> .answer-cards")


@pytest.mark.quick
def test_a_visitor_presses_a_button_which_is_marked_afterwards(
    visit: Callable[..., WidgetPage], host: HostSite
) -> None:
    widget = visit()
    widget.open()
    widget.send("Hello")
    widget.wait_for_end()
    frame = widget.page.frames[1]
    frame.evaluate(SHIFTS)
    widget.ask(f"/cards {host.origin}/prices")
    choices = widget.answers.last.get_by_role("list", name="Choose a reply").get_by_role("button")
    expect(choices).to_have_text(LABELS)
    assert frame.evaluate("shifts.filter(({ value }) => value > 0.001).length") == 0
    cards = box(widget).get_by_role("list", name="Cards").get_by_role("listitem")
    expect(cards).to_have_count(2)
    link = cards.first.get_by_role("link")
    expect(link).to_have_accessible_name("Canoe for a day (opens in a new tab)")
    expect(link).to_have_attribute("href", f"{host.origin}/prices")
    expect(link).to_have_attribute("rel", "noopener noreferrer nofollow ugc")
    expect(cards.first).to_contain_text(host.origin.removeprefix("http://"))
    expect(cards.last.get_by_role("link")).to_have_count(0)
    expect(widget.answers.last.locator(".code-block:visible")).to_have_count(0)
    choices.last.scroll_into_view_if_needed()
    picture(widget.page, "cards-desktop")
    with widget.page.context.expect_page() as opened:
        link.click()
    assert opened.value.url == f"{host.origin}/prices"
    opened.value.close()

    choices.nth(1).focus()
    widget.page.keyboard.press("Enter")
    expect(widget.questions.last).to_have_text(LABELS[1])
    expect(widget.composer).to_be_focused()
    widget.wait_for_end()
    pressed = widget.answers.nth(1).get_by_role("button", name="Opening hours (chosen)")
    expect(pressed).to_be_disabled()
    expect(widget.answers.nth(1).locator(".starter:enabled")).to_have_count(0)
    pressed.scroll_into_view_if_needed()
    picture(widget.page, "cards-chosen")
    widget.page.reload()  # it opens by itself
    widget.wait_until_usable()
    widget.frame.locator(".exchange").nth(1).scroll_into_view_if_needed()
    expect(widget.frame.locator("[data-chosen]")).to_have_text("Opening hours (chosen)")
    expect(widget.frame.locator(".answer-cards-buttons .starter:enabled")).to_have_count(0)


@pytest.mark.quick
def test_a_person_writes_buttons_too(visit: Callable[..., WidgetPage], site: LiveSite) -> None:
    widget = visit()
    widget.open()
    widget.ask("Hello")
    answer(site, "Which day?\n\n```buttons\nMonday\nTuesday\n```")
    expect(box(widget).get_by_role("button")).to_have_text(["Monday", "Tuesday"], timeout=SOON)
    box(widget).get_by_role("button", name="Tuesday").click()
    expect(widget.questions.last).to_have_text("Tuesday")


def test_without_the_owners_choice_they_are_text(
    visit: Callable[..., WidgetPage], site: LiveSite
) -> None:
    site.run(TURN_ON.format(False))
    widget = visit()
    widget.open()
    widget.ask("/cards")
    expect(box(widget)).to_have_count(0)
    expect(widget.answers.last.locator(".code-block:visible")).to_have_count(2)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("```buttons\n" + "\n".join(map(str, range(10_000))) + "\n```", 0),
        ("```buttons\n<img src=x onerror=alert(1)>\n[a](javascript:b)\n```", 2),
        *later(
            ("```buttons\n" + "x" * 100_000 + "\n```", 0),
            ("```buttons\nPay \u202e0001\n```\n\n```buttons\nYes\n```", 1),
            ("````text\n```buttons\nYes\n```\n````", 0),
            ("> ```buttons\n> Yes\n> ```", 0),
            ("```buttons\nYes\n```\n\n```buttons\nNo\n```", 1),
            ("```cards\ntitle: Evil\nlink: javascript:alert(1)\n```", 0),
            (
                "```cards\ntitle: Evil\nlink: https://evil.example/\nimage: https://evil.example/x\n```",
                0,
            ),
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_hostile_blocks_stay_text_or_are_harmless(
    visit: Callable[..., WidgetPage], site: LiveSite, text: str, shown: int
) -> None:
    widget = visit()
    widget.open()
    widget.ask("Hello")
    site.run(REWRITE.format(text=f"Hostile\n\n{text}\n\nThe end"))
    widget.page.reload()
    widget.wait_until_usable()
    expect(widget.last_text).to_contain_text("The end")
    buttons = widget.answers.last.locator(".answer-cards button")
    expect(buttons).to_have_count(shown)
    expect(box(widget).locator("a, img")).to_have_count(0)
    for code in widget.answers.last.locator(".code-block:visible code").all_text_contents():
        assert code.strip()
    if shown:
        expect(buttons.first).to_be_enabled()


def test_half_a_block_of_an_answer_that_was_stopped_is_text(
    visit: Callable[..., WidgetPage], site: LiveSite
) -> None:
    widget = visit()
    widget.open()
    widget.ask("/cut 8")
    site.run(REWRITE.format(text="Choose:\n\n```buttons\nPri"))
    widget.page.reload()
    widget.wait_until_usable()
    expect(widget.answers.last.locator(".code-block:visible code")).to_have_text("Pri")
    expect(box(widget)).to_have_count(0)


@pytest.mark.parametrize(
    ("scheme", "language", "colors"),
    [("light", "ar", "none"), *later(("dark", "ar", "none"), ("dark", "en", "active"))],
)
def test_they_are_accessible_on_a_small_screen(
    visit: Callable[..., WidgetPage], host: HostSite, scheme: Any, language: str, colors: Any
) -> None:
    options = {**BARE, **SMALL, "color_scheme": scheme, "locale": language, "forced_colors": colors}
    widget = visit(**options)
    widget.launcher.click()
    composer = widget.frame.locator("#message[enterkeyhint]")
    composer.fill(f"/cards {host.origin}/{'x' * 80}")
    composer.press("Enter")
    buttons = widget.frame.locator(".answer-cards button")
    expect(buttons).to_have_count(3, timeout=SOON)
    frame = widget.page.frames[1]
    expect(widget.frame.locator(".answer[data-state=complete]")).to_have_count(1, timeout=SOON)
    buttons.last.scroll_into_view_if_needed()
    picture(widget.page, f"cards-small-{scheme}-{language}-{colors}")
    assert axe(frame) == []
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
    sizes = buttons.evaluate_all("all => all.map((each) => each.getBoundingClientRect().height)")
    assert min(sizes) >= 36
    buttons.first.click()
    expect(widget.frame.locator("[data-chosen]")).to_have_count(1, timeout=SOON)
    assert axe(frame) == []


def test_the_team_sees_them_but_presses_none(
    visit: Callable[..., WidgetPage],
    site: LiveSite,
    site_key: str,
    host: HostSite,
    open_page: Callable[..., Page],
) -> None:
    agent = sign_in(site, AGENT)
    site.run(JOIN.format(key=site_key, email=AGENT))
    widget = visit()
    widget.open()
    widget.ask(f"/cards {host.origin}/prices")
    box(widget).get_by_role("button", name="Prices").click()
    widget.wait_for_end()
    page = open_page(f"/sites/{site_key}/inbox/", storage_state=agent, bypass_csp=True)
    page.locator("tbody a").first.click()
    choices = page.get_by_role("list", name="Choose a reply").get_by_role("button")
    expect(choices).to_have_text(["Prices (chosen)", *LABELS[1:]])
    expect(page.locator(".answer-cards button:enabled")).to_have_count(0)
    expect(page.get_by_role("link", name="Canoe for a day")).to_have_count(1)
    picture(page, "cards-inbox")
    assert axe(page) == []
