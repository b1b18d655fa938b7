"""A permission that is asked for at a desk is given on a phone a day later, after a restart."""

import os
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.screenshots import PHONE
from tests.browser.server import LiveSite, live_site
from tests.clock import faketime_library
from tests.support.missing_programs import require

pytestmark = pytest.mark.long

DAY_LATER = timedelta(days=1, hours=1)
FACT = "I am a vegetarian"


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    library = faketime_library()
    require(library, "libfaketime")
    database = {"DATABASE_URL": os.environ["DATABASE_URL"]} if "DATABASE_URL" in os.environ else {}
    with live_site(tmp_path_factory.mktemp("day"), **database) as site:
        yield site


def restart_later(site: LiveSite, by: timedelta) -> None:
    site.end()
    site.start(
        LD_PRELOAD=str(faketime_library()),
        FAKETIME=f"+{by.total_seconds():.0f}",
        FAKETIME_DONT_FAKE_MONOTONIC="1",
        NO_FAKE_STAT="1",
    )


def test_it_is_given_on_a_phone(site: LiveSite, browser: Browser) -> None:
    state = sign_in(site, "dora@example.org")
    page = opened(browser.new_context(base_url=site.url, storage_state=state))
    page.goto("/chat/")
    desk = ChatPage(page)
    desk.page.get_by_role("button", name="Tools").click()
    desk.page.get_by_label("Remember things for later chats").check()
    desk.page.keyboard.press("Escape")
    desk.send(f"Please remember that {FACT}")
    expect(desk.last_answer.get_by_role("button", name="Allow")).to_be_visible()
    address = desk.page.url
    state = desk.page.context.storage_state()
    desk.page.context.close()

    restart_later(site, DAY_LATER)
    phone = opened(browser.new_context(base_url=site.url, storage_state=state, **PHONE))
    phone.goto(address)
    form = phone.locator(".tool-call-decision")
    expect(form.get_by_label("What to remember")).to_have_value(FACT)
    form.get_by_role("button", name="Allow").click()
    expect(phone.locator(".answer").last).to_contain_text("Kept for later chats")
    expect(form).to_have_count(0)
    phone.goto("/settings/personalization/")
    expect(phone.get_by_label("What models remember about you")).to_have_value(FACT)
    days = site.run(
        "from chat.conversations.tool_calls.models import StoredToolCall\n"
        "call = StoredToolCall.objects.get()\n"
        "print((call.decided_at - call.proposed_at).days)"
    )
    assert days == "1"
    phone.context.close()


def opened(context: BrowserContext) -> Page:
    context.set_default_timeout(120_000)
    return context.new_page()
