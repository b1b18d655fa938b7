"""Staff search and read chats by keyboard; hostile text stays text."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import sign_in
from tests.browser.payloads import HTML, MARKDOWN
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE, axe
from tests.support.browser.allowed_tags import HARMLESS
from tests.support.browser.dialog_listener import LISTEN

MAKE = """
import json
from django.contrib.auth.models import Group, Permission
from chat.accounts.models import User
from chat.conversations.models import Conversation, Message, Rating
from chat.generations.models import Generation
from chat.review.cases import flags
from chat.review.case_models import Flag, Rule
from chat.review.models import ReviewScope, SavedSearch, StaffNote
attacks = json.loads({attacks!r})
lena = User.objects.get(email={email!r})
lena.user_permissions.add(Permission.objects.get(codename="lead_review"))
scope = ReviewScope.objects.create(reviewer=lena)
person = User.objects.create_user("mallory@example.org", "x", name=attacks[0][:100])
rule = Rule.objects.create(
    name=attacks[2][:60], kind="words", text=attacks[3], members=Group.objects.create(name=attacks[4])
)
made = []
for number in range(0, len(attacks), 20):
    some = (attacks[number:] + attacks)[:20]
    chat = Conversation.objects.create(owner=person, title=some[0][:120])
    question = chat.messages.create(role="user", text="glacier " + " ".join(some))
    answer = chat.messages.create(
        parent=question, role="assistant", text="\\n\\n".join(some) + "\\n\\nThe end of it.",
        reasoning=some[-1],
    )
    Generation.objects.create(
        owner=person, message=answer, send_key=str(answer.pk), send_digest="x", state="stopped",
        model=some[0][:200], error_code="x", error_message=some[1][:300], milliseconds=1200,
        first_token_milliseconds=90, prompt_tokens=3, completion_tokens=5, total_tokens=8,
    )
    Rating.objects.create(message=answer, user=person, value=-1, reason="wrong", comment=some[2])
    StaffNote.objects.create(conversation=chat, author=lena, text=some[3])
    flag = flags.report(chat.pk, answer, person.pk, "harmful", some[4])
    Flag.objects.create(case=flag.case, source=8, person=lena, comment=some[5])
    Flag.objects.create(case=flag.case, source=4, rule=rule, comment=rule.name, message=question.pk)
    made.append(str(chat.pk))
SavedSearch.objects.create(owner=lena, name=attacks[1][:60], query='state=stopped"><script>')
print(json.dumps(made))
"""
LISTS = ["/review/", "/review/?q=glacier", "/review/queue/", "/review/rules/", "/review/audit/"]


@pytest.fixture(scope="module")
def lena(site: LiveSite) -> StorageState:
    return sign_in(site, "lotte@example.org")


@pytest.fixture(scope="module")
def chats(site: LiveSite, lena: StorageState) -> list[str]:
    attacks = json.dumps([each for each in (*HTML, *MARKDOWN) if "\x00" not in each])
    made: list[str] = json.loads(site.run(MAKE.format(attacks=attacks, email="lotte@example.org")))
    return made


@pytest.fixture
def open_review(
    open_page: Callable[..., Page], lena: StorageState, chats: list[str]
) -> Callable[..., Page]:
    """Open a staff page after giving a reason."""

    def open_review(path: str, **options: object) -> Page:
        page = open_page(path, storage_state=lena, **options)
        if "/reason/" in page.url:
            page.get_by_label("Reason for access").fill("A report of today")
            page.get_by_role("button", name="Continue").click()
        expect(page).to_have_url(re.compile(re.escape(path.partition("#")[0]) + "(#.*)?$"))
        return page

    return open_review


@pytest.mark.quick
def test_hostile_text_is_shown_as_text_on_every_staff_page(
    open_review: Callable[..., Page], chats: list[str], site: LiveSite
) -> None:
    page = open_review("/review/?q=glacier")
    page.add_init_script(LISTEN)
    own = re.compile(re.escape(site.url) + r"/(review|settings|static)/")
    foreign: list[str] = []
    page.on("request", lambda request: own.match(request.url) or foreign.append(request.url))
    paths = [f"/review/{each}/" for each in chats]
    for path in (*LISTS, *paths):
        page.goto(path)
        title = page.title()
        if path in paths:
            expect(page.locator(".answer .message-text.formatted").last).to_contain_text(
                "The end of it."
            )
            names = page.locator(".answer .formatted *").evaluate_all(
                "all => all.filter((e) => e instanceof HTMLElement).map((e) => e.localName)"
            )
            assert set(names) <= HARMLESS
        active = page.locator("#main script, #main iframe, #main img, [onclick], [onerror]")
        assert active.evaluate_all("all => all.map((e) => e.outerHTML)") == []
        assert page.evaluate("window.attacks") == []
        assert page.title() == title
    assert foreign == []


def test_keys_navigate_the_list_and_a_chat(
    open_review: Callable[..., Page], chats: list[str]
) -> None:
    page = open_review("/review/")
    page.keyboard.press("j")
    first = page.locator("[data-step]").first
    expect(first).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("ArrowUp")
    expect(first).to_be_focused()
    page.keyboard.press("/")
    field = page.get_by_label("Search all chats")
    expect(field).to_be_focused()
    page.keyboard.type("jk glacier")
    expect(field).to_have_value("jk glacier")
    field.fill("glacier")
    page.keyboard.press("Enter")
    expect(page.locator(".search-hits")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    found = page.locator("[data-found]")
    expect(found).to_be_in_viewport()
    expect(found).to_contain_text("glacier")
    expect(found).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator(".answer").first).to_be_focused()
    page.keyboard.press("u")
    expect(page).to_have_url(re.compile(r"/review/\?q=glacier$"))


def test_a_note_is_added_to_a_chat(open_review: Callable[..., Page], chats: list[str]) -> None:
    page = open_review(f"/review/{chats[-1]}/")
    page.get_by_label("Note", exact=True).fill("Seen, and harmless")
    page.get_by_role("button", name="Add note").click()
    expect(page.locator(".note").last).to_contain_text("Seen, and harmless")


@pytest.mark.parametrize(
    "path",
    [
        "/review/", "/review/?state=stopped&q=glacier", "/review/audit/", "CHAT",
        "/review/queue/", "/review/rules/", "/review/rules/new/",
    ],
)  # fmt: skip
def test_staff_pages_are_accessible(
    open_review: Callable[..., Page], chats: list[str], path: str
) -> None:
    page = open_review(path.replace("CHAT", f"/review/{chats[-1]}/"), color_scheme="dark", **BARE)
    for details in page.locator("summary").all():
        if details.is_visible():
            details.click()
    assert axe(page) == []
    page.emulate_media(color_scheme="light", forced_colors="active")
    assert axe(page) == []


@pytest.mark.parametrize("path", ["/settings/access-history/", "/accounts/2fa/", "/review/reason/"])
def test_the_pages_before_review_are_accessible(
    open_page: Callable[..., Page], lena: StorageState, path: str, chats: list[str]
) -> None:
    assert axe(open_page(path, storage_state=lena, **BARE)) == []


@pytest.mark.parametrize("width", [320, 768])
def test_staff_pages_fit_the_window(
    open_review: Callable[..., Page], chats: list[str], width: int
) -> None:
    for path in (*LISTS, "/review/rules/new/", f"/review/{chats[-1]}/"):
        page = open_review(path, viewport={"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_states_and_labels_of_filters_are_not_broken(
    open_review: Callable[..., Page], chats: list[str]
) -> None:
    page = open_review("/review/", viewport={"width": 1200, "height": 760})
    page.goto("/review/?show=answers")
    state = page.locator(".signals > .state").first
    assert state.evaluate("element => element.getClientRects().length") == 1
    labels = page.locator(".facet-fields > .field:not(.choice) > label")
    tops = {round(each.bounding_box()["y"]) for each in labels.all()[:5]}  # type: ignore[index]
    assert len(tops) == 1


def test_a_rule_asks_only_for_what_its_kind_uses(
    open_review: Callable[..., Page], chats: list[str]
) -> None:
    page = open_review("/review/rules/new/")
    kind, action = page.get_by_label("Match a"), page.get_by_label("What happens")
    of_words, of_data, of_judge, amount = (
        page.get_by_label("Words,"),
        page.get_by_role("group", name="Kinds of personal data"),
        page.get_by_label("What the judge is asked"),
        page.get_by_label("Threshold"),
    )
    optional = (of_words, of_data, of_judge, amount)
    for value, shown in (
        ("words", {of_words}),
        ("pattern", {of_words}),
        ("tool", {of_words}),
        ("personal", {of_data}),
        ("language", {of_words}),
        ("verdict", {of_judge, amount}),
        ("length", {amount}),
        ("chat_cost", {amount}),
    ):
        kind.select_option(value)
        for each in optional:
            expect(each).to_be_visible(visible=each in shown)
    early = page.get_by_label("Check answers while they are written")
    expect(early).to_be_hidden()
    action.select_option("cover")
    expect(early).to_be_visible()
