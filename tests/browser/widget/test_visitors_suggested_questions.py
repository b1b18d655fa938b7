"""Questions that are suggested to a visitor after an answer: asked by a click, gone with a person."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from chat.emulator.scripts.follow_ups import QUESTIONS
from tests.browser.conftest import DESKTOP
from tests.browser.host_site import HostSite, host_site
from tests.browser.server import LiveSite, live_site
from tests.browser.widget_page import WidgetPage, make_site
from tests.support.browser.accessibility import axe
from tests.support.browser.picture import picture
from tests.support.browser.widget_people import SOON, answer
from tests.support.variants import later

TITLE_MODEL = "@cf/ibm-granite/granite-4.0-h-micro"
HOSTILE = """
from chat.conversations.models import Message
text = "<img src=x onerror=alert(1)> " + "\\u05d0" * 60 + "?"
Message.objects.exclude(follow_ups=None).update(follow_ups=[text, "**Bold** or [a](javascript:b)?"])
"""
TAKE_OVER = """
from chat.conversations.models import Conversation
from chat.generations.task import cancellation
chat = Conversation.objects.filter(owner__is_visitor=True).latest("updated_at")
cancellation.take_over(chat.pk, chat.owner_id)
"""
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => shifts.push(...list.getEntries().filter((each) => !each.hadRecentInput)))
  .observe({ type: "layout-shift" });
"""
SMALL: dict[str, Any] = {"viewport": {"width": 320, "height": 480}, "locale": "ar"}


@pytest.fixture(scope="module")
def suggesting_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    folder = tmp_path_factory.mktemp("suggesting")
    with live_site(folder, stored={"SUGGESTED_QUESTIONS": True}, TITLE_MODEL=TITLE_MODEL) as site:
        yield site


@pytest.fixture(scope="module")
def canoes(suggesting_site: LiveSite) -> Iterator[HostSite]:
    with host_site() as host:
        host.carry(suggesting_site.url, make_site(suggesting_site, host, suggests_questions=True))
        yield host


@pytest.fixture
def opened(canoes: HostSite, browser: Browser) -> Iterator[Callable[..., WidgetPage]]:
    contexts = []

    def open_widget(**options: Any) -> WidgetPage:
        context = browser.new_context(**{"viewport": DESKTOP} | options)
        contexts.append(context)
        page = context.new_page()
        page.goto(canoes.origin)
        widget = WidgetPage(page)
        widget.launcher.click()
        widget.frame.locator("#message[enterkeyhint]").wait_for()
        return widget

    yield open_widget
    for context in contexts:
        context.close()


def suggested(widget: WidgetPage) -> Locator:
    return widget.frame.locator(".answer > .starters").get_by_role("button")


@pytest.mark.quick
def test_they_appear_after_the_answer_and_the_keyboard_asks_one(
    opened: Callable[..., WidgetPage],
) -> None:
    widget = opened()
    frame = widget.page.frames[1]
    widget.ask("Why do rivers bend?")
    frame.evaluate(SHIFTS)
    expect(suggested(widget)).to_have_text(list(QUESTIONS), timeout=SOON)
    assert frame.evaluate("shifts.map(({ value }) => value)") == []
    expect(widget.announcement).to_contain_text("Suggested questions")
    picture(widget.page, "suggested-desktop")
    widget.page.reload()  # it opens by itself
    widget.wait_until_usable()
    expect(suggested(widget)).to_have_text(list(QUESTIONS))
    widget.composer.fill("Half a thought")
    suggested(widget).nth(1).focus()
    widget.page.keyboard.press("Enter")
    expect(widget.questions.last).to_have_text(QUESTIONS[1])
    expect(widget.composer).to_be_focused()
    expect(widget.composer).to_have_value("Half a thought")
    widget.wait_for_end()
    visible = suggested(widget).filter(visible=True)
    expect(visible).to_have_text([QUESTIONS[0], QUESTIONS[2]], timeout=SOON)
    widget.ask("/error-after")
    expect(visible).to_have_count(0)


@pytest.mark.quick
def test_they_go_once_a_person_answers(
    opened: Callable[..., WidgetPage], suggesting_site: LiveSite
) -> None:
    widget = opened()
    widget.ask("Why do rivers bend?")
    expect(suggested(widget)).to_have_count(len(QUESTIONS), timeout=SOON)
    suggesting_site.run(TAKE_OVER)
    expect(suggested(widget)).to_have_count(0, timeout=SOON)
    answer(suggesting_site, "They are lazy.")
    expect(widget.last_text).to_have_text("They are lazy.", timeout=SOON)
    expect(suggested(widget)).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", *later("dark")])
def test_hostile_ones_are_text_and_accessible_on_a_small_screen(
    opened: Callable[..., WidgetPage], suggesting_site: LiveSite, scheme: Any
) -> None:
    widget = opened(bypass_csp=True, **SMALL, color_scheme=scheme)
    widget.frame.locator("#message").fill("Why do rivers bend?")
    widget.frame.locator("#message").press("Enter")
    expect(suggested(widget)).to_have_count(len(QUESTIONS), timeout=SOON)
    suggesting_site.run(HOSTILE)
    expect(suggested(widget)).to_have_count(2, timeout=SOON)
    expect(suggested(widget).first).to_contain_text("<img src=x onerror=alert(1)>")
    expect(suggested(widget).last).to_have_text("**Bold** or [a](javascript:b)?")
    expect(widget.frame.locator(".answer .starters").locator("img, a, strong")).to_have_count(0)
    assert suggested(widget).first.evaluate("each => each.scrollWidth <= each.clientWidth")
    suggested(widget).last.scroll_into_view_if_needed()
    picture(widget.page, f"suggested-small-{scheme}")
    frame = widget.page.frames[1]
    assert axe(frame) == []
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
