"""What staff do every day takes at most three clicks from /review/. Writing is free."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.browser.everyday_tasks.walk import Walk
from tests.browser.server import LiveSite

MOST_CLICKS = 3
DATA = """
from datetime import timedelta
from django.contrib.auth.models import Permission
from django.utils import timezone
from chat.accounts.models import User
from chat.conversations.models import Conversation, Rating
from chat.generations.models import Generation
from chat.review.cases import flags, rule_runner
from chat.review.models import ReviewScope
lead = User.objects.get(email="winifred@example.org")
other = User.objects.create_user("colleague@example.org", "tide table", name="Cora van Dyk")
for each in (lead, other):
    each.user_permissions.add(Permission.objects.get(codename="lead_review"))
    ReviewScope.objects.create(reviewer=each)
member = User.objects.create_user("walked@example.org", "tide table", name="Wim")
chat = Conversation.objects.create(owner=member, title="Tides of the Wadden Sea")
question = chat.messages.create(role="user", text="Why do tides turn? Call 0171 2345678")
answer = chat.messages.create(role="assistant", text="A quoted sentence, of the moon.", parent=question)
at = timezone.now() - timedelta(days=1)
Generation.objects.create(owner=member, message=answer, send_key="w", send_digest="w",
                          state="complete", model="x", started_at=at, ended_at=at)
Rating.objects.create(message=answer, user=member, value=-1)
flags.report(chat.pk, answer, member.pk, "harmful", "Look")
while rule_runner.check_new():
    pass
"""
TITLE = "Tides of the Wadden Sea"
MODEL = "@cf/qwen/qwq-32b"
DATA_OF_ADMINISTRATOR = """
from django.contrib.auth.models import Group, Permission
from chat.accounts.models import User
administrator = User.objects.get(email="wilhelmina@example.org")
administrator.user_permissions.add(Permission.objects.get(codename="administer_review"))
Group.objects.create(name="Mudflat walkers")
User.objects.create_user("mudflat@example.org", "tide table", name="Wubbo of the mudflat")
"""
#: Whether the model is off; then it is switched on again, since others share the site.
SWITCH_ON = f"""
from chat.upstream.catalogue.models import ModelOverlay
row = ModelOverlay.objects.get(pk="{MODEL}")
print(row.is_offered)
row.is_offered = None
row.save()
"""


def worst_answers_of_yesterday(walk: Walk) -> None:
    walk.click(walk.link("Yesterday’s bad answers"))
    expect(walk.page.get_by_role("table")).to_contain_text("A quoted sentence")


def chats_with_a_phone_number(walk: Walk) -> None:
    walk.click(walk.link("Phone numbers"))
    expect(walk.page.get_by_role("table").get_by_role("link", name=TITLE)).to_be_visible()


def a_quoted_sentence(walk: Walk) -> None:
    walk.page.get_by_role("searchbox", name="Search all chats").fill('"a quoted sentence"')
    walk.press("Enter")
    walk.click(walk.page.get_by_role("main").get_by_role("link", name=TITLE))
    expect(walk.page.locator("[data-found]")).to_contain_text("A quoted sentence")


def tell_a_colleague(walk: Walk) -> None:
    walk.click(walk.page.get_by_role("table").get_by_role("link", name=TITLE))
    note = walk.page.get_by_label("Note", exact=True)
    note.press_sequentially("Please look, @co")
    expect(walk.page.locator(".mention-list [role=option]")).to_have_text("Cora van Dyk")
    walk.press("Tab")
    expect(note).to_have_value("Please look, @Cora van Dyk ")
    walk.click(walk.button("Add note"))
    expect(walk.page.locator(".messages")).to_contain_text("Notified: Cora van Dyk.")


def read_and_decide(walk: Walk) -> None:
    walk.click(walk.link("High severity, unassigned"))
    walk.click(walk.page.get_by_role("table").get_by_role("link", name=TITLE))
    walk.page.locator(".case-decision").get_by_label("Reason (recorded)").fill("It was a joke")
    walk.click(walk.button("Dismiss"))
    expect(walk.page.locator(".messages")).to_contain_text("Case resolved.")


def find(walk: Walk, text: str) -> None:
    walk.page.get_by_role("searchbox", name=re.compile("^Find a person")).fill(text)
    walk.press("Enter")


def open_the_page_of(walk: Walk, email: str, name: str) -> None:
    find(walk, email)
    walk.page.wait_for_url(re.compile(r"/review/people/\d+/"))
    expect(walk.page.get_by_role("main")).to_contain_text(name)
    assert walk.clicks == 1


def a_persons_page(walk: Walk) -> None:
    open_the_page_of(walk, "walked@example.org", "Wim")


def an_account(walk: Walk) -> None:
    open_the_page_of(walk, "mudflat@example.org", "Wubbo of the mudflat")


def raise_the_limit_of_a_group(walk: Walk) -> None:
    find(walk, "mudflat walkers")
    walk.click(walk.link("Limits of this group"))
    together = walk.page.get_by_role("group", name="All members combined")
    together.get_by_label("US dollars per month").fill("40")
    walk.page.get_by_label("Reason (recorded)").fill("The summer course begins")
    walk.click(walk.button("Save"))
    expect(walk.page.locator(".messages")).to_contain_text("Saved.")
    expect(together.get_by_label("US dollars per month")).to_have_value("40")


def switch_a_model_off(walk: Walk) -> None:
    find(walk, MODEL)
    walk.click(walk.page.get_by_role("checkbox", name="On"))
    walk.page.get_by_label("Reason (recorded)").fill("It answers in riddles")
    walk.click(walk.button("Save"))
    expect(walk.page.locator(".messages")).to_contain_text("Saved.")
    expect(walk.page.locator(f'[name=offered][value="{MODEL}"]')).not_to_be_checked()


def a_persons_whole_record(walk: Walk) -> None:
    find(walk, "mudflat@example.org")
    walk.click(walk.link("Data requests").last)
    copy = walk.page.get_by_role("region", name="Copy of the data")
    copy.get_by_label("Reason (recorded)").fill("She asked by letter")
    with walk.page.expect_download() as download:
        walk.click(copy.get_by_role("button", name="Download the record"))
    with ZipFile(download.value.path()) as archive:
        assert {"account.json", "manifest.sig"} < set(archive.namelist())


def erase_a_person(walk: Walk) -> None:
    find(walk, "mudflat@example.org")
    walk.click(walk.link("Data requests").last)
    erasure = walk.page.get_by_role("region", name="Erasure")
    erasure.get_by_label("Reason (recorded)").fill("She asked by letter")
    walk.click(erasure.get_by_role("button", name="Erase this person"))
    expect(walk.page.locator(".messages")).to_contain_text("The account is closed.")
    expect(walk.page.get_by_role("main")).to_contain_text("Being erased")


def cost_of_last_month(walk: Walk) -> None:
    walk.click(
        walk.page.get_by_role("navigation", name="Review").get_by_role("link", name="Analytics")
    )
    walk.click(walk.link("Last month"))
    expect(walk.page.get_by_role("heading", name="By person")).to_be_visible()


TASKS = (
    worst_answers_of_yesterday,
    chats_with_a_phone_number,
    a_quoted_sentence,
    tell_a_colleague,
    read_and_decide,
    cost_of_last_month,
    a_persons_page,
)
TASKS_OF_ADMINISTRATOR = (
    an_account,
    raise_the_limit_of_a_group,
    switch_a_model_off,
    a_persons_whole_record,
    erase_a_person,
)


@pytest.mark.quick
def test_each_task_takes_at_most_three_clicks(
    open_page: Callable[..., Page], site: LiveSite, tmp_path: Path
) -> None:
    winifred = sign_in(site, "winifred@example.org")
    site.run(DATA)
    page = open_page("/review/", storage_state=winifred)
    do_all(page, TASKS, tmp_path)


@pytest.mark.quick
def test_each_task_of_an_administrator_takes_at_most_three_clicks(
    open_page: Callable[..., Page], site: LiveSite, tmp_path: Path
) -> None:
    wilhelmina = sign_in(site, "wilhelmina@example.org")
    site.run(DATA_OF_ADMINISTRATOR)
    page = open_page("/review/", storage_state=wilhelmina)
    do_all(page, TASKS_OF_ADMINISTRATOR, tmp_path)
    assert site.run(SWITCH_ON) == "False"


def do_all(page: Page, tasks: Iterable[Callable[[Walk], None]], files: Path) -> None:
    page.get_by_label("Reason for access").fill("The daily round of review")
    page.get_by_role("button", name="Continue").click()
    for task in tasks:
        page.goto("/review/")
        walk = Walk(page, is_phone=False, files=files)
        task(walk)
        assert walk.clicks <= MOST_CLICKS, task.__name__
