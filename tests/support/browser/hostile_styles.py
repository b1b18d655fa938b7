"""Styles of a website that hide its widget, and whether it shows nevertheless."""

from playwright.sync_api import Page

#: What hides or moves elements of other widgets.
HOSTILE_CSS = """
*, *::before { all: unset !important }
html { transform: translateY(300px) !important }
body *, runnel-chat { display: none !important }
body { position: fixed !important; inset: 0 !important; z-index: 2147483647 !important }
"""


def is_on_top(page: Page) -> bool:
    """Return whether a click in the middle of the button would reach it."""
    return bool(
        page.evaluate(
            """() => {
              const host = document.querySelector("runnel-chat");
              const { x, y, width, height } = host.shadowRoot.querySelector("button").getBoundingClientRect();
              return document.elementFromPoint(x + width / 2, y + height / 2) === host;
            }"""
        )
    )
