"""Helpers for the tests of layout."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.chat_page import ChatPage

LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk" * 4


PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    pixels: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return pixels


APPEARED = """() => {
  const passing = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
  return Promise.allSettled(passing.map(({ finished }) => finished)).then(() => null);
}"""


def too_small(page: Page) -> list[str]:
    """Return the controls that are, with their surroundings, under 44 pixels high or wide.

    A press on the label of a box presses the box, too.
    """
    page.evaluate(APPEARED)  # wait for transitions, which change sizes
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("a, button, select, summary, textarea, input")]
          .filter((each) => each.checkVisibility() && !each.matches(".skip-link, [type=hidden]"))
          .filter((each) => {
            const isBox = each.matches("[type=checkbox], [type=radio]");
            const [{ width, height }] = [...(isBox ? each.labels : []), each].map((one) => one.getBoundingClientRect());
            const after = getComputedStyle(each, "::after");
            const grown = after.position === "absolute" ? parseFloat(after.height) : 0;
            return width < 44 || Math.max(height, grown) < 44;
          })
          .map((each) => each.outerHTML.slice(0, 80))"""
    )
    return found


def height(chat: ChatPage) -> float:
    box = chat.composer.bounding_box()
    assert box
    return box["height"]
