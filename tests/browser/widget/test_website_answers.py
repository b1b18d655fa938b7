"""What a visitor asks in vain is answered by a person, then published by the owner, then known."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, sign_in
from tests.browser.host_site import HostSite, host_site
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage

OWNER, AGENT = "nora@example.org", "agnes@example.org"
QUESTION = "Do you repair bicycles?"
REPLY = "We repair bicycles on Fridays, at our workshop in Bern."
PAGE = """<!doctype html><html lang="en"><head><title>Canoes</title></head><body><main>
<h1>Canoes</h1><p>We rent canoes by the day. A day costs 30 euros, life jackets are free.</p></main>{tag}</body></html>"""
MAKE = """
from chat.accounts.models import User
from chat.widget_sites.models import AnswerMode, SiteMember, WidgetSite
owner, agent = (User.objects.get(email=each) for each in {people!r})
site = WidgetSite.objects.create(
    owner=owner, name="Canoes", origins=[{origin!r}], answer_mode=AnswerMode.ONLY, offers_person=True
)
SiteMember.objects.create(site=site, user=agent, role=SiteMember.Role.AGENT)
print(site.key)
"""


WAIT_FOR_INDEX = """
import time
from chat.knowledge.models import Document
while Document.objects.filter(address__startswith="answer:").exclude(state="ready").exists():
    time.sleep(0.1)
"""


@pytest.fixture
def canoes() -> Iterator[HostSite]:
    with host_site() as host:
        yield host


def test_an_unanswered_question_becomes_an_answer_in_two_clicks(
    site: LiveSite, canoes: HostSite, browser: Browser, open_page: Callable[..., Page]
) -> None:
    owner, agent = sign_in(site, OWNER), sign_in(site, AGENT)
    key = site.run(MAKE.format(people=[OWNER, AGENT], origin=canoes.origin))
    tag = f'<script async src="{site.url}/w.js" data-site="{key}" data-test-open-root></script>'
    canoes.body = PAGE.format(tag=tag)
    owners = open_page(f"/sites/{key}/sources/", storage_state=owner)
    _add_website(owners, canoes.origin)

    widget = _visit(browser, site, canoes)
    assert "30 euros" in widget.ask("What does a day with a canoe cost?")
    widget.ask(QUESTION)
    assert REPLY not in (widget.last_text.text_content() or "")
    _reply_as_a_person(open_page(f"/sites/{key}/inbox/", storage_state=agent))
    expect(widget.frame.get_by_text(REPLY, exact=True)).to_be_in_viewport()

    owners.goto(f"/sites/{key}/gaps/")
    owners.get_by_role("button", name="Write answer").click()
    expect(owners.get_by_label("Answer", exact=True)).to_have_value(REPLY)
    owners.get_by_role("button", name="Publish").click()
    expect(owners.get_by_text("Nothing is unanswered.")).to_be_visible()

    site.run(WAIT_FOR_INDEX)
    another = _visit(browser, site, canoes)
    assert REPLY in another.ask(QUESTION)


def _add_website(page: Page, origin: str) -> None:
    page.get_by_label("Address").fill(f"{origin}/")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Read these pages").click()
    expect(page.locator("#source-pages").get_by_text("Read", exact=True)).to_be_visible()


def _visit(browser: Browser, site: LiveSite, host: HostSite) -> WidgetPage:
    page = browser.new_context(viewport=DESKTOP).new_page()
    page.goto(host.origin)
    widget = WidgetPage(page)
    widget.open()
    return widget


def _reply_as_a_person(page: Page) -> None:
    page.locator("tbody a").click()
    page.get_by_role("button", name="Take over").click()
    page.get_by_label("You're answering in this chat.").fill(REPLY)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#thread")).to_contain_text(REPLY)
