"""What tests of the list of conversations share."""

from playwright.sync_api import Locator, Page


def toast(page: Page) -> Locator:
    return page.get_by_role("region", name="Notice")
