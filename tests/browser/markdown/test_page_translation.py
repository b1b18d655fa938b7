"""Page translation and extensions that change the text of a page lose no text of an answer."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.replies import reply
from tests.browser.review.enlisting import ENLIST
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage

SEED = random.randrange(10**6)
#: Renders a text in pieces while others change its nodes, and returns what is shown at the end.
#: `swaps` is how many text nodes are replaced or split after each piece.
RENDER = """async ([text, length, swaps, seed]) => {
  const { Markdown } = await import("markdown");
  const { default: remend } = await import("remend");
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const box = document.createElement("div");
  document.getElementById("thread").append(box);
  const texts = () => {
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) if (walker.currentNode.data.trim()) found.push(walker.currentNode);
    return found;
  };
  const replaced = (text) => {
    const outer = document.createElement("font"), inner = document.createElement("font");
    inner.textContent = text.data.toUpperCase();
    outer.append(inner);
    text.replaceWith(outer);
  };
  const wrapped = (text) => {
    const mark = document.createElement("mark");
    const word = text.splitText(Math.floor(random() * text.data.length));
    word.replaceWith(mark);
    mark.append(word);
  };
  const markdown = new Markdown(box, remend);
  for (let at = 0; at < text.length; at += length) {
    markdown.append(text.slice(at, at + length));
    for (let swap = 0; swap < swaps; swap++) {
      const found = texts().slice(-6), text = found[Math.floor(random() * found.length)];
      if (text) (random() < 0.7 ? replaced : wrapped)(text);
    }
  }
  markdown.end();
  const shown = box.textContent;
  box.remove();
  return shown.toLowerCase();
}"""
LATE_LINKS = (
    "A [link][x] and a note[^1] come **first**.\n\n" * 5 + "[x]: https://e.org/\n\n[^1]: Note.\n"
)


def shown(page: Page, text: str, length: int, swaps: int) -> str:
    found: str = page.evaluate(RENDER, [text, length, swaps, SEED + 1])
    return found


@pytest.mark.quick
@pytest.mark.parametrize("text", [reply(600, SEED), LATE_LINKS], ids=["reply", "late links"])
def test_replaced_and_split_text_nodes_lose_nothing(chat: ChatPage, text: str) -> None:
    print("SEED", SEED)
    for length in (3, 40):
        assert shown(chat.page, text, length, 2) == shown(chat.page, text, length, 0)


#: Does to the texts of a page what its translation does, ten times in a second.
TRANSLATE = """() => {
  setInterval(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    for (const text of found) {
      if (!text.data.trim() || text.parentElement.closest("font, script, template")) continue;
      const outer = document.createElement("font"), inner = document.createElement("font");
      inner.textContent = text.data.toUpperCase();
      outer.append(inner);
      text.replaceWith(outer);
    }
  }, 100);
}"""
QUESTION = "Why do rivers bend?"
LONG = "/slow about rivers"


def plain(text: str | None) -> str:
    return "".join((text or "").lower().split())


@pytest.mark.quick
def test_an_answer_on_a_translated_page_is_whole(chat: ChatPage) -> None:
    chat.page.evaluate(TRANSLATE)
    translated = chat.ask(QUESTION)
    assert "RIVERS" in translated.upper()
    chat.page.reload()
    expect(chat.last_text).to_contain_text("rivers")
    assert plain(translated) == plain(chat.last_text.text_content())


def test_reasoning_on_a_translated_page_is_whole(chat: ChatPage) -> None:
    chat.page.evaluate(TRANSLATE)
    chat.ask("/think 600")
    reasoning = chat.last_answer.locator("details.reasoning .message-text")
    translated = plain(reasoning.text_content())
    chat.page.reload()
    expect(chat.last_text).to_be_visible()
    assert translated == plain(reasoning.text_content())


def test_a_translated_widget_and_live_view_show_whole_answers(
    visit: Callable[..., WidgetPage], open_page: Callable[..., Page], site: LiveSite
) -> None:
    reviewer = sign_in(site, "rita-translates@example.org")
    site.run(ENLIST.format(email="rita-translates@example.org"))
    staff = open_page("/review/live/", storage_state=reviewer)
    if "/reason/" in staff.url:
        staff.get_by_label("Reason for access").fill("A report of today")
        staff.get_by_role("button", name="Continue").click()
    widget = visit()
    widget.open()
    widget.page.frames[1].evaluate(TRANSLATE)
    widget.send(LONG)
    staff.get_by_role("link", name=LONG).first.click()
    staff.locator(".answer").first.wait_for()
    staff.evaluate(TRANSLATE)
    expect(staff.locator(".answer .message-text").last).to_contain_text(re.compile("[A-Z]{3}"))
    many = "() => [...document.querySelectorAll('.answer .message-text')].at(-1).textContent.length > 100"
    staff.wait_for_function(many)  # translated in between, again and again
    widget.stop_button.click()
    seen = plain(widget.wait_for_end())
    watched = staff.locator(".answer .message-text").last
    expect(staff.locator(".answer[data-state=stopped]")).to_have_count(1)
    widget.page.reload()
    widget.wait_until_usable()
    expect(widget.last_text).to_contain_text(re.compile("[a-z]{3}"))
    stored = plain(widget.last_text.text_content())
    assert seen == stored
    assert plain(watched.text_content()) == stored
