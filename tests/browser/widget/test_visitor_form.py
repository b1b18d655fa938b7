"""A visitor answers the owner's questions before the first message, by keyboard, on each screen."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.picture import picture

SOON = 60_000
ASK = """
from chat.inbox.models import VisitorForm
from chat.widget_sites.models import WidgetSite
WidgetSite.objects.update(mails_transcripts=True)
for site in WidgetSite.objects.all():
    VisitorForm.objects.create(
        site=site, asks_name=True, asks_email=True, question="What is it about?",
        choices=["An order", "Something else"], is_required={required},
    )
"""
FORGET = """
from chat.inbox.models import VisitorForm
from chat.widget_sites.models import WidgetSite
VisitorForm.objects.all().delete()
WidgetSite.objects.update(mails_transcripts=False)
"""


@pytest.fixture(params=[True, False], ids=["required", "optional"])
def form(request: pytest.FixtureRequest, site: LiveSite, site_key: str) -> Iterator[bool]:
    """Let the websites ask; return whether visitors must answer."""
    site.run(ASK.format(required=request.param))
    yield request.param
    site.run(FORGET)


@pytest.mark.quick
@pytest.mark.every_variant
def test_a_visitor_answers_or_skips_the_questions_and_writes(
    visit: Callable[..., WidgetPage], form: bool
) -> None:
    widget = visit()
    widget.launcher.click()
    box = widget.frame.locator("#visitor-form")
    expect(box).to_be_visible(timeout=SOON)
    expect(widget.frame.locator("#composer")).to_be_hidden()
    picture(widget.page, f"visitor-form-{form}")
    if form:
        expect(box.get_by_role("button", name="Skip")).to_have_count(0)
        name = box.get_by_label("Your name")
        name.focus()
        name.press_sequentially("Vera")
        name.press("Enter")  # incomplete
        expect(box).to_be_visible()
        box.get_by_label("Your email address").fill("vera@example.org")
        box.get_by_label("What is it about?").select_option("An order")
        box.get_by_role("button", name="Continue").press("Enter")
        expect(box).to_be_hidden()
        expect(widget.frame.locator("#transcript-address")).to_have_value("vera@example.org")
    else:
        box.get_by_role("button", name="Skip").press("Enter")
    expect(box).to_be_hidden()
    expect(widget.frame.locator("#message")).to_be_focused()
    widget.ask("Where is my order?")
    if form:
        widget.page.reload()  # it opens by itself
        widget.wait_until_usable()
        expect(box).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("form", [True], indirect=True)
def test_the_questions_are_accessible_on_a_small_screen_from_right_to_left(
    visit: Callable[..., WidgetPage], form: bool, scheme: str
) -> None:
    widget = visit(**BARE, color_scheme=scheme, locale="ar", viewport={"width": 320, "height": 480})
    widget.launcher.click()
    box = widget.frame.locator("#visitor-form")
    expect(box).to_be_visible(timeout=SOON)
    frame = widget.page.frames[1]
    assert axe(frame) == []
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
    button = box.get_by_role("button").first
    button.scroll_into_view_if_needed()
    expect(button).to_be_in_viewport()
    picture(widget.page, f"visitor-form-{scheme}-ar")
