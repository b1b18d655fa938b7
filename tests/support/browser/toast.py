"""Helpers for the browser tests of the sidebar."""

from playwright.sync_api import Locator, Page


def toast(page: Page) -> Locator:
    return page.get_by_role("region", name="Notice")
