"""Analytics, administration and the Django admin, in a browser."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.payloads import HTML
from tests.browser.review.access_reason import REASON_ENDS
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.dialog_listener import LISTEN

MAKE = """
import json
from datetime import timedelta
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.utils import timezone
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.quotas.models import Charge
from chat.generations.models import Generation
from chat.widget_sites.models import WidgetSite
attacks = json.loads({attacks!r})
agda = User.objects.get(email="agda@example.org")
agda.user_permissions.add(Permission.objects.get(codename="administer_review"))
agda.is_staff = agda.is_superuser = True
agda.save()
mia = User.objects.create_user("mia@example.org", "x", name=attacks[0][:100])
group = Group.objects.create(name=attacks[1][:100])
EmailAddress.objects.create(user=mia, email=mia.email, verified=True, primary=True)
mia.groups.add(group)
site = WidgetSite.objects.create(owner=mia, name=attacks[2][:80])
for number, attack in enumerate(attacks):
    at = timezone.now() - timedelta(days=number)
    chat = Conversation.objects.create(owner=mia, title="x")
    answer = chat.messages.create(role="assistant", text="x")
    made = Generation.objects.create(
        owner=mia, message=answer, send_key=str(answer.pk), send_digest="x", state="failed",
        model=attack[:200], error_code=attack[:40], milliseconds=900, first_token_milliseconds=90,
        completion_tokens=9,
    )
    Charge.objects.create(
        id=made.pk, user=mia, keys=["everyone", "site:" + site.key] if number % 2 else ["everyone"],
        model=attack[:200], prompt_tokens=1, created_at=at, settled_at=at, tokens=9, millineurons=9,
        microdollars=9 * number,
    )
from chat.review.analytics.rollup import close_days
close_days(60)
from chat.api_keys.keys import ServiceKeyOptions, create_service_key
from chat.review.staff_notices.models import CaseWebhook, CaseWebhookAttempt, StaffNotice
for attack in attacks[:3]:
    options = ServiceKeyOptions(attack[:100], ["audit", "review"], None, [group.pk], [site.pk])
    create_service_key(agda, options)
    CaseWebhookAttempt.objects.create(event="case.opened", case=7, number=1, error=attack[:100])
CaseWebhook.objects.create(url="https://hooks.example.org/cases", secret="x")
StaffNotice.objects.create(person=agda, kind="due", due_on=timezone.localdate())
print(json.dumps([mia.pk, group.pk]))
"""
PAGES = (
    "/review/analytics/", "/review/people/", "/review/people/PERSON/account/", "/review/groups/",
    "/review/groups/GROUP/", "/review/quotas/group/GROUP/", "/review/invitations/",
    "/review/status/", "/review/find/?q=e", "/review/site/service-keys/",
    "/review/site/case-webhook/", "/review/notifications/",
)  # fmt: skip


@pytest.fixture(scope="module")
def agda(site: LiveSite) -> StorageState:
    return sign_in(site, "agda@example.org")


@pytest.fixture(scope="module")
def paths(site: LiveSite, agda: StorageState) -> list[str]:
    attacks = json.dumps([each for each in HTML if "\x00" not in each][:12])
    person, group = json.loads(site.run(MAKE.format(attacks=attacks)))
    return [each.replace("PERSON", str(person)).replace("GROUP", str(group)) for each in PAGES]


def test_hostile_text_is_shown_as_text_and_pages_fit(
    open_page: Callable[..., Page], agda: StorageState, paths: list[str], site: LiveSite
) -> None:
    page = open_page(paths[0], storage_state=agda, viewport={"width": 320, "height": 700})
    page.add_init_script(LISTEN)
    foreign: list[str] = []
    own = re.compile(re.escape(site.url) + r"/(review|settings|static)/")
    page.on("request", lambda request: own.match(request.url) or foreign.append(request.url))
    for path in paths:
        page.goto(path)
        assert page.locator("#main :is(script, iframe, img, [onclick], [onerror])").count() == 0
        assert page.evaluate("window.attacks") == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
    assert foreign == []


def test_analytics_and_administration_are_accessible(
    open_page: Callable[..., Page], agda: StorageState, paths: list[str]
) -> None:
    page = open_page(paths[0], storage_state=agda, color_scheme="dark", **BARE)
    for path in paths:
        page.goto(path)
        assert axe(page) == [], path
    page.goto(paths[0])
    page.emulate_media(color_scheme="light", forced_colors="active")
    assert axe(page) == []


def test_figures_of_a_chosen_period_are_downloaded(
    open_page: Callable[..., Page], agda: StorageState, paths: list[str], site: LiveSite
) -> None:
    site.run(REASON_ENDS)
    page = open_page("/review/analytics/", storage_state=agda)
    page.get_by_role("link", name="7 days").click()
    expect(page.get_by_role("link", name="7 days")).to_have_attribute("aria-current", "true")
    days = page.get_by_role("region", name="By day", exact=True).last
    expect(days.locator("tbody tr")).to_have_count(7)
    expect(page.get_by_role("group", name="Messages")).to_be_visible()
    with page.expect_download() as found:
        page.get_by_role("link", name="By day as CSV", exact=True).click()
        page.get_by_label("Reason for access").fill("Figures for May")
        page.get_by_role("button", name="Continue").click()
    assert found.value.suggested_filename.startswith("days-")
    assert found.value.suggested_filename.endswith(".csv")


def test_a_chart_is_read_and_followed_by_keyboard(
    open_page: Callable[..., Page], agda: StorageState, paths: list[str]
) -> None:
    page = open_page("/review/analytics/?days=7", storage_state=agda)
    chart = page.locator(".chart", has=page.get_by_role("group", name="Messages"))
    days, readout = chart.locator("svg a"), chart.locator("[data-readout]")
    expect(days).to_have_count(7)
    days.last.focus()
    expect(readout).to_contain_text(": ")
    newest = readout.text_content()
    page.keyboard.press("ArrowLeft")
    expect(readout).not_to_have_text(newest or "")
    expect(days.nth(5)).to_be_focused()
    page.keyboard.press("End")
    expect(readout).to_have_text(newest or "")
    chart.locator(".chart-day").nth(2).hover()
    expect(readout).not_to_have_text(newest or "")
    days.last.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/review/**show=answers**")


def test_all_people_are_downloaded_after_a_reason(
    open_page: Callable[..., Page], agda: StorageState, paths: list[str], site: LiveSite
) -> None:
    site.run(REASON_ENDS)
    page = open_page("/review/people/", storage_state=agda)
    with page.expect_download() as found:
        page.get_by_role("link", name="Export all as CSV").click()
        page.get_by_label("Reason for access").fill("List for the school")
        page.get_by_role("button", name="Continue").click()
    assert found.value.suggested_filename == "people.csv"


def test_a_group_is_created_filled_and_given_a_model(
    open_page: Callable[..., Page], agda: StorageState, paths: list[str]
) -> None:
    page = open_page("/review/groups/", storage_state=agda)
    page.get_by_label("New group name").fill("Class 7")
    page.get_by_label("Reason (recorded)").fill("A new class begins")
    page.get_by_role("button", name="Create group").click()
    members = page.get_by_role("region", name="Members")
    members.get_by_label("Email address").fill("mia@example.org")
    members.get_by_label("Reason (recorded)").fill("She joins the class")
    members.get_by_role("button", name="Add").click()
    expect(page.get_by_role("status").first).to_contain_text("Member added to the group.")
    page.locator("[name=models]").nth(1).check()
    access = page.locator("section", has=page.locator("[name=models]"))
    access.get_by_label("Reason (recorded)").fill("The class needs it")
    access.get_by_role("button", name="Save").click()
    expect(page.locator("[name=models]").nth(1)).to_be_checked()
    page.get_by_role("link", name="mia@example.org").click()
    expect(page.get_by_label("Class 7")).to_be_checked()


def test_every_admin_page_works_under_its_policy(
    open_page: Callable[..., Page], agda: StorageState, paths: list[str]
) -> None:
    """The watched page fails the test for any policy violation or script error."""
    page = open_page("/admin/", storage_state=agda)
    links = page.locator("#content-main table a, #content-main th a")
    lists = {link.get_attribute("href") or "" for link in links.all()}
    assert len(lists) > 8
    for path in sorted(lists):
        page.goto(path)
        expect(page.locator("#content")).to_be_visible()
        first = page.locator("#result_list tbody th a").first
        if first.count():
            first.click()
            expect(page.locator("#content")).to_be_visible()
