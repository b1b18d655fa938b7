"""Use the sidebar in a browser."""

import re

from playwright.sync_api import Locator, Page


def entry(page: Page, title: str) -> Locator:
    """Return the chat's row, also with tags and while its answer is marked as new."""
    escaped = re.escape(title).replace("/", r"\/")  # Playwright writes it between slashes
    name = re.compile(rf"^{escaped}( Tags: .+?)?( \(new answer\))?$")
    link = page.get_by_role("link", name=name)
    return page.get_by_role("navigation").get_by_role("listitem").filter(has=link)


def open_menu(page: Page, title: str) -> None:
    entry(page, title).hover()
    entry(page, title).get_by_role("button", name=f"Options for {title}").click()


def press(page: Page, title: str, item: str) -> None:
    """Choose an item from a chat's menu."""
    open_menu(page, title)
    page.locator("#chat-menu:popover-open").get_by_text(item, exact=True).click()


def open_options(page: Page, title: str) -> None:
    """Open the page with the same options, for browsers without scripts."""
    entry(page, title).get_by_role("link").click()
    page.get_by_role("link", name=f"Options for {title}").click()
    page.wait_for_url("**/options/")
