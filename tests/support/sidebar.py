"""Helpers for the browser tests of the sidebar."""

from playwright.sync_api import Locator, Page


def entry(page: Page, title: str) -> Locator:
    link = page.get_by_role("link", name=title, exact=True)
    return page.get_by_role("navigation").get_by_role("listitem").filter(has=link)


def open_menu(page: Page, title: str) -> None:
    entry(page, title).hover()
    page.get_by_role("button", name=f"Options for {title}").click()


def press(page: Page, title: str, item: str) -> None:
    """Choose an item in the menu of a chat."""
    open_menu(page, title)
    menu = page.locator(".entry > .menu:popover-open")
    menu.get_by_text(item, exact=True).click()


def toast(page: Page) -> Locator:
    return page.get_by_role("region", name="Notice")
