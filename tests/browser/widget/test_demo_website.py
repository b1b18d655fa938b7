"""`make run` also serves a website that shows the chat."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.demo_website import MAKE_STAFF, demo_website
from tests.browser.server import LiveSite


@pytest.mark.quick
def test_the_demo_website_shows_the_chat_of_the_first_staff_account(
    site: LiveSite, open_page: Callable[..., Page]
) -> None:
    with demo_website(site) as origin:
        assert origin.startswith("http://localhost:")
        page = open_page(origin, watched=False)
        expect(page.locator(".note")).to_contain_text("Create the first administrator account")
        site.run(MAKE_STAFF)
        page.reload()
        with page.expect_event("frameattached"):
            page.evaluate("Runnel.open()")
        page.frames[1].locator("#message[enterkeyhint]").wait_for()
        expect(page.frames[1].locator("h1")).to_have_text("Riverside Canoes")
