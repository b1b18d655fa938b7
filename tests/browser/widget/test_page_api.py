"""What a website's code can do with the chat, and where the chat appears on its page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.widget_page import EVENTS, WidgetPage, make_site
from tests.support.browser.hostile_styles import HOSTILE_CSS, is_on_top

LAST_QUESTION = """
from chat.conversations.models import Message
print(Message.objects.filter(role="user").order_by("id").last().page_context)
"""
BLOCKED = """
for (const name of ["sessionStorage", "localStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError") } });
"""


def test_a_page_sends_a_question_with_what_it_knows(
    visit: Callable[..., WidgetPage], site: LiveSite
) -> None:
    widget = visit()
    widget.page.evaluate(EVENTS)
    widget.page.evaluate(
        """() => {
          Runnel.setContext({ page: { product: "Canoe", cart: [1], note: "x".repeat(900) }, user: { plan: "gold" } });
          Runnel.send("Is it in stock?");
        }"""
    )
    expect(widget.questions).to_have_text(["Is it in stock?"])
    assert widget.wait_for_end()
    stored = site.run(LAST_QUESTION)
    assert stored.startswith('{"page":{"product":"Canoe","note":"xxx')
    assert '"user":{"plan":"gold"}' in stored
    assert len(stored) < 700
    too_long = """new Promise((tell) => {
      const values = Array.from({ length: 30 }, (_, number) => [number, "x".repeat(500)]);
      Runnel.on("error", tell);
      Runnel.setContext({ page: Object.fromEntries(values) });
    })"""
    assert widget.page.evaluate(too_long) == {"code": "invalid_context"}
    assert widget.ask("Still there?")


def test_a_prefilled_text_replaces_nothing_that_was_written(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.page.evaluate("Runnel.prefill('I would like to book')")
    widget.wait_until_usable()
    expect(widget.composer).to_have_value("I would like to book")
    widget.composer.fill("Something else")
    widget.page.evaluate("Runnel.prefill('I would like to book')")
    widget.page.evaluate("Runnel.send('')")
    widget.composer.press("End")
    widget.composer.press_sequentially(".")
    expect(widget.composer).to_have_value("Something else.")


def test_a_page_cannot_send_before_the_visitor_has_agreed(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite
) -> None:
    host.carry(site.url, make_site(site, host, consent="It goes to a model."))
    widget = visit()
    widget.page.evaluate("Runnel.send('Hello')")
    widget.frame.get_by_role("button", name="I agree").click()
    expect(widget.composer).to_have_value("Hello")
    expect(widget.questions).to_have_count(0)


def test_the_language_changes_without_losing_the_chat_or_the_draft(
    visit: Callable[..., WidgetPage],
) -> None:
    widget = visit()
    widget.open()
    widget.ask("Where does the river bend?")
    widget.composer.fill("half a tho")
    depth = widget.page.evaluate("history.length")
    widget.page.evaluate("Runnel.setLanguage('de')")
    message = widget.frame.get_by_role("textbox", name="Nachricht")
    expect(message).to_have_value("half a tho")
    expect(widget.questions).to_have_text(["Where does the river bend?"])
    assert widget.page.evaluate("history.length") == depth
    expect(widget.frame.locator("html")).to_have_attribute("lang", "de")


def test_the_chat_can_be_part_of_the_page(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite, site_key: str
) -> None:
    host.carry(site.url, site_key, 'data-test-open-root data-inline="#here"')
    host.body = host.body.replace("</main>", '<div id="here"></div></main>')
    widget = visit()
    widget.wait_until_usable()
    expect(widget.launcher).to_be_hidden()
    expect(widget.frame.get_by_role("button", name="Close")).to_be_hidden()
    inside, around = widget.iframe.bounding_box(), widget.page.locator("#here").bounding_box()
    assert inside
    assert around
    assert inside["width"] == around["width"]
    assert inside["height"] == 640
    expect(widget.composer).not_to_be_focused()  # nobody has asked for it yet
    assert widget.ask("Where does the river bend?")
    widget.composer.press("Escape")
    widget.page.evaluate("Runnel.close()")
    expect(widget.iframe).to_be_visible()


@pytest.mark.parametrize("height_px", [300, 900])
def test_the_chat_fills_an_element_that_has_a_height(
    visit: Callable[..., WidgetPage], site: LiveSite, host: HostSite, site_key: str, height_px: int
) -> None:
    host.carry(site.url, site_key, 'data-test-open-root data-inline="#here"')
    element = f'<div id="here" style="block-size:{height_px}px"></div></main>'
    host.body = host.body.replace("</main>", element)
    host.headers["Content-Security-Policy"] += "; style-src 'unsafe-inline'"
    widget = visit()
    widget.wait_until_usable()
    inside = widget.iframe.bounding_box()
    assert inside
    assert inside["height"] == height_px


def test_a_hostile_style_sheet_neither_hides_nor_moves_the_button(
    visit: Callable[..., WidgetPage], host: HostSite
) -> None:
    host.body = host.body.replace("</head>", f"<style>{HOSTILE_CSS}</style></head>")
    host.headers["Content-Security-Policy"] += "; style-src 'unsafe-inline'"
    widget = visit(viewport={"width": 900, "height": 700})
    expect(widget.launcher).to_be_visible()
    box = widget.launcher.bounding_box()
    assert box
    assert (box["x"] + box["width"], box["y"] + box["height"]) == (880, 680)
    assert is_on_top(widget.page)
    widget.open()
    assert widget.ask("Where does the river bend?")


@pytest.mark.parametrize("is_open", [False, True])
def test_the_chat_is_above_everything_but_a_modal_dialog(
    visit: Callable[..., WidgetPage], is_open: bool
) -> None:
    widget = visit()
    expect(widget.launcher).to_be_visible()
    if is_open:
        widget.open()
    assert is_on_top(widget.page)
    widget.page.evaluate(
        "() => document.body.appendChild(document.createElement('dialog')).showModal()"
    )
    assert not is_on_top(widget.page)


def test_blocked_storage_keeps_the_draft_and_a_new_chat(visit: Callable[..., WidgetPage]) -> None:
    widget = visit(watched=False)
    widget.page.add_init_script(BLOCKED)
    widget.page.reload()
    widget.open()
    widget.ask("Where does the river bend?")
    widget.composer.fill("half a tho")
    widget.frame.get_by_role("button", name="New chat").click()
    expect(widget.questions).to_have_count(0)
    widget.launcher.click()
    widget.launcher.click()
    expect(widget.questions).to_have_count(0)
    widget.frame.get_by_role("button", name="Earlier chats").click()
    widget.frame.locator("#history li button").first.click()
    expect(widget.composer).to_have_value("half a tho")
