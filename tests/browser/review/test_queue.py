"""A report reaches the queue, and a staff member claims and resolves its case."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite
from tests.browser.widget_page import WidgetPage
from tests.support.browser.accessibility import BARE, axe

START = "/chat/"
LEAD = """
from django.contrib.auth.models import Permission
from chat.accounts.models import User
from chat.review.models import ReviewScope
user = User.objects.get(email="quirin@example.org")
user.user_permissions.add(Permission.objects.get(codename="lead_review"))
ReviewScope.objects.create(reviewer=user)
"""


def test_a_reported_answer_is_resolved_in_the_queue(
    open_chat: Callable[..., ChatPage], open_page: Callable[..., Page], site: LiveSite
) -> None:
    chat = open_chat(storage_state=sign_in(site, "quentin@example.org"), **BARE)
    chat.ask("Why do lakes turn over?")
    button = chat.page.get_by_role("button", name="More options")
    report = chat.page.locator("#turn-menu").get_by_role("button", name="Report answer")
    button.press("Enter")
    report.press("Enter")
    dialog = chat.page.get_by_role("dialog", name="Report")
    first = dialog.get_by_role("radio", name="Harmful or dangerous")
    expect(first).to_be_focused()
    chat.page.keyboard.press("Space")
    assert axe(chat.page) == []
    words = dialog.get_by_role("textbox", name="Add details (optional)")
    words.fill("It wants me to swim.")
    chat.page.keyboard.press("Escape")
    expect(button).to_be_focused()
    chat.page.context.set_offline(True)
    button.press("Enter")
    report.press("Enter")
    expect(words).to_have_value("It wants me to swim.")  # nothing is lost
    words.press("Tab")
    dialog.get_by_role("button", name="Report").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    chat.page.context.set_offline(False)
    dialog.get_by_role("button", name="Report").click()
    expect(dialog).to_be_hidden()
    expect(chat.hint).to_have_text("Thanks for your report. We'll review it.")

    quirin = sign_in(site, "quirin@example.org")
    site.run(LEAD)
    page = open_page("/review/queue/", storage_state=quirin)
    page.get_by_label("Reason for access").fill("Work through the queue")
    page.get_by_role("button", name="Continue").click()
    row = page.get_by_role("row", name="Why do lakes turn over?")
    expect(row).to_contain_text("Harmful or dangerous")
    title = row.get_by_role("rowheader").get_by_role("link")
    while not title.evaluate("link => link === document.activeElement"):
        page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("[data-count]")).to_have_text("1 selected")
    page.get_by_role("button", name="Claim", exact=True).click()
    expect(page.locator(".messages")).to_have_text("1 case claimed.")
    title.click()
    expect(page.locator(".flag")).to_contain_text("It wants me to swim.")
    starts = page.locator(
        ".answer > .message-text, .answer > .turn-tools > .turn-foot"
    ).evaluate_all("parts => parts.map(part => part.getBoundingClientRect().left)")
    assert starts[0] == starts[1]  # the date is inside the mark of the flagged answer
    page.locator(".case-decision").get_by_label("Reason (recorded)").fill("It does not")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.locator(".messages")).to_contain_text("There are no more cases in this list.")
    expect(page).to_have_url(re.compile("/review/queue/"))
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row).to_contain_text("Assigned to me")  # who had it
    title.click()
    page.locator(".case-decision").get_by_label("Reason (recorded)").fill("It does not")
    page.get_by_label("Then open the next case").uncheck()
    page.get_by_role("button", name="Dismiss").click()
    expect(page.locator(".case h2")).to_contain_text("Dismissed case")
    page.keyboard.press("u")
    expect(page).to_have_url(re.compile("/review/queue/"))
    expect(row).to_have_count(0)


def test_a_visitor_reports_an_answer_in_the_widget(visit: Callable[..., WidgetPage]) -> None:
    widget = visit()
    widget.open()
    widget.ask("Where does the river bend?")
    button = widget.frame.get_by_role("button", name="Report answer")
    button.click()
    dialog = widget.frame.get_by_role("dialog", name="Report")
    expect(dialog).to_be_visible()
    widget.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(widget.iframe).to_be_visible()  # only the dialog was closed
    button.click()
    dialog.get_by_label("Inaccurate").check()
    dialog.get_by_label("The whole chat").check()
    dialog.get_by_role("button", name="Report").click()
    expect(widget.hint).to_have_text("Thanks for your report. We'll review it.")
