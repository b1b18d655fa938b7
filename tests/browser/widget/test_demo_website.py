"""`make run` also serves a website that shows the chat."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.demo_website import MAKE_STAFF, demo_website
from tests.browser.server import LiveSite

#: Other tests have made staff, too.
DEMOTE_STAFF = """
from chat.accounts.models import User
for user in User.objects.filter(is_staff=True):
    user.is_staff = False
    user.save()
    print(user.pk)
"""
RESTORE_STAFF = """
from chat.accounts.models import User
for user in User.objects.filter(pk__in={ids!r}):
    user.is_staff = True
    user.save()
"""


@pytest.fixture
def site_without_staff(site: LiveSite) -> Iterator[LiveSite]:
    ids = site.run(DEMOTE_STAFF).split()
    yield site
    site.run(RESTORE_STAFF.format(ids=ids))


def test_the_demo_website_shows_the_chat_of_the_first_staff_account(
    site_without_staff: LiveSite, open_page: Callable[..., Page]
) -> None:
    with demo_website(site_without_staff) as origin:
        assert origin.startswith("http://localhost:")
        page = open_page(origin, watched=False)
        expect(page.locator(".note")).to_contain_text("Create the first administrator account")
        site_without_staff.run(MAKE_STAFF)
        page.reload()
        with page.expect_event("frameattached"):
            page.evaluate("Runnel.open()")
        page.frames[1].locator("#message[enterkeyhint]").wait_for()
        expect(page.frames[1].locator("h1")).to_have_text("Riverside Canoes")
        message = page.frames[1].locator("#message")
        message.fill("/cards")
        message.press("Enter")
        expect(page.frames[1].locator(".answer-cards button")).to_have_count(3)
