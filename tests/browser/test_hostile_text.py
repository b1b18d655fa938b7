"""Attacks in every field that users can fill are shown as text on every staff page.

What is asked of the pages is complete by itself: they are the routes of the review that can be
opened, and a route with a parameter that `Written` does not name fails the test.
"""

import json
import re
from collections.abc import Callable, Iterator
from itertools import compress

import pytest
from playwright.sync_api import Page, StorageState, expect

from chat.web.review import urls
from tests.browser.conftest import sign_in
from tests.browser.payloads import PAYLOADS, dompurify_fixtures
from tests.browser.server import LiveSite
from tests.support.browser.accessibility import BARE
from tests.support.browser.allowed_tags import HARMLESS
from tests.support.browser.dialog_listener import LISTEN

ROUTES = urls.urlpatterns
MODEL = "@cf/openai/gpt-oss-120b"
#: They serve images that were re-encoded, files and archives to save.
NO_PAGES = frozenset({
    "review_image", "review_file", "review_erasure_certificate", "review_dataset_file",
    "review_evaluation_file", "review_comparison",
})  # fmt: skip

WRITE = """
import json
from datetime import timedelta
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.utils import timezone
from chat.accounts.models import User
from chat.conversations.models import Conversation, Rating
from chat.personas.models import Persona
from chat.quotas.models import Charge
from chat.generations.models import Generation
from chat.review.access_log import staff_actions
from chat.review.cases import flags
from chat.review.staff import roles
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Flag, Rule
from chat.review.analytics.rollup import close_days
from chat.review.models import AccessLogEntry, SavedSearch, StaffNote
from chat.review.moderation.warnings import ModerationWarning
from chat.review import rating_models as rated
from chat.data_requests.models import DataRequest
from chat.evaluation.models import DatasetItem, EvaluationDataset, EvaluationRun, RunAnswer
from chat.tools.mcp.models import McpServer
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
attacks = json.loads({attacks!r})
zara = User.objects.get(email="zara@example.org")
zara.user_permissions.add(Permission.objects.get(codename="administer_review"))
zara.is_staff = zara.is_superuser = True
zara.name = attacks[0][:100]
zara.save()
zara = User.objects.get(pk=zara.pk)
staff_context = lambda reason: StaffContext(roles.reviewer_of(zara), reason)
made = []
for number, attack in enumerate(attacks):
    member = User.objects.create(email=f"mallory-{{number}}@example.org", name=attack[:100])
    group = Group.objects.create(name=(f"{{number}} " + attack)[:150])
    member.groups.add(group)
    site = WidgetSite.objects.create(
        owner=member, name=attack[:80], origins=["https://x.example"], welcome=attack,
        consent=attack, starters=[attack[:100]],
    )
    visitor = visitors.make(site, subject=f"{{number}}", name=attack[:100]).user
    Persona.objects.create(owner=member, name=attack[:60], description=attack[:200])
    rule = Rule.objects.create(
        name=attack[:60], kind="words", text=attack, members=group, site=site, is_enabled=False,
    )
    warning = ModerationWarning.objects.create(person=member, text=attack)
    view = SavedSearch.objects.create(
        owner=zara, name=f"{{number}} {{attack}}"[:60], query=attack[:300]
    )
    owner = visitor if number % 2 else member
    chat = Conversation.objects.create(owner=owner, title=attack[:120])
    question = chat.messages.create(role="user", text=attack)
    answer = chat.messages.create(
        parent=question, role="assistant", text=attack + "\\n\\nThe end of it.",
        reasoning=attack,
    )
    person = chat.messages.create(
        parent=answer, role="assistant", text=attack, author=zara.pk
    )
    generation = Generation.objects.create(
        owner=owner, message=answer, send_key=str(answer.pk), send_digest="x", state="failed",
        model=attack[:200], error_code=attack[:40], error_message=attack[:300],
        finish_reason=attack[:20], milliseconds=1200, first_token_milliseconds=90,
        completion_tokens=5, ended_at=timezone.now(),
    )
    Charge.objects.create(
        id=generation.pk, user=member, keys=["everyone", "site:" + site.key],
        model=attack[:200], prompt_tokens=1, created_at=timezone.now(),
        settled_at=timezone.now(), tokens=9, millineurons=9, microdollars=9,
    )
    Rating.objects.create(
        message=answer, user=owner, value=-1, reason="wrong", comment=attack[:500]
    )
    note = StaffNote.objects.create(conversation=chat, author=zara, text=attack)
    StaffNote.objects.create(conversation=chat, author=zara, text=attack, thread=note.pk)
    StaffNote.objects.filter(pk=note.pk).update(resolved_at=timezone.now(), resolved_by=zara)
    form = rated.RatingForm.objects.create(name=attack[:60], members=group.pk, site=site.pk)
    rated.RatingForm.objects.create(name=attack[:60], model=attack[:200])
    score, label, words = (
        rated.RatingQuestion.objects.create(
            form=form, position=position, text=attack[:200], kind=kind,
            least_label=attack[:60], most_label=attack[:60], labels=[attack[:60]],
        )
        for position, kind in enumerate(("five", "labels", "text"))
    )
    rating = rated.StaffRating.objects.create(
        form=form, rater=zara.pk, conversation=chat.pk, owner=owner.pk, site=site.pk,
        model=attack[:200], answers={{score.pk: 3, label.pk: [0]}},
    )
    rated.StaffRatingText.objects.create(
        conversation=chat, rating=rating.pk, question=words.pk, text=attack
    )
    sample = rated.RatingSample.objects.create(form=form, count=1, search_name=attack[:60])
    case = flags.report(chat.pk, answer, owner.pk, "harmful", attack[:500]).case
    Flag.objects.create(case=case, source=8, person=zara, comment=attack[:500])
    Flag.objects.create(
        case=case, source=4, rule=rule, comment=rule.name, message=question.pk
    )
    AccessLogEntry.objects.create(
        reader=zara.pk, owner=owner.pk, conversation=chat.pk, kind="read", reason=attack[:300]
    )
    with transaction.atomic():
        staff_actions.record_action(
            staff_context(attack[:300]), "hidden", person=owner.pk, conversation=chat.pk,
            detail=attack[:100],
        )
    server = McpServer.objects.create(
        name=attack[:60], slug=f"server{{number}}", address="http://127.0.0.1:9/mcp"
    )
    request = DataRequest.objects.create(
        person=member.pk, kind="copy", state="declined", reason=attack[:200],
        received_on=timezone.localdate(), due_on=timezone.localdate(), ended_at=timezone.now(),
    )
    dataset = EvaluationDataset.objects.create(name=attack[:80])
    item = DatasetItem.objects.create(
        dataset=dataset, answer=attack, expected=attack, answered_by=attack[:200],
        messages=[dict(role="system", content=attack), dict(role="user", content=attack)],
    )
    one, other = [
        EvaluationRun.objects.create(
            dataset=dataset, name=attack[:80], model=attack[:200], system_prompt=attack,
            max_tokens=9, state="done",
        )
        for _ in range(2)
    ]
    for number, run in enumerate((one, other)):
        RunAnswer.objects.create(run=run, item=item, text=f"{{number}} {{attack}}")
    made.append({{
        "dataset_id": dataset.pk, "item_id": item.pk, "run_id": one.pk, "one": one.pk,
        "other": other.pk,
        "server_id": server.pk, "request_id": request.pk,
        "conversation_id": str(chat.pk), "generation_id": str(generation.pk),
        "user_id": member.pk, "group_id": group.pk, "rule_id": rule.pk,
        "case_id": case.pk, "note_id": note.pk, "warning_id": warning.pk,
        "form_id": form.pk, "sample_id": sample.pk,
        "message_id": question.pk, "view_id": view.pk, "invitation_id": 1, "name": "people",
        "kind": "csv", "person": owner.pk, "site": site.key,
    }})
close_days(60)
print(json.dumps(made))
"""
SEEN = """() => {
  const all = [...document.querySelectorAll("#main *")];
  const isFormula = (each) => each.closest("math[class^=tml-]");  // ours, with a style of its own
  const wrong = all.filter((each) => [...each.attributes].some(({ name, value }) =>
    /^(on|srcdoc$|background$|(data-)?hx-on)/.test(name) || (name === "style" && !isFormula(each)) ||
    (/^(href|src|action|formaction|xlink:href)$/.test(name) && /^\\s*(?!https?:|mailto:|tel:)\\w+:/.test(value))
  ));
  return {
    attacks: window.attacks,
    names: all.filter((each) => !isFormula(each)).map((each) => each.localName),
    wrong: wrong.map((each) => each.outerHTML),
  };
}"""
FOREIGN = {
    "audio", "base", "embed", "iframe", "img", "link", "marquee", "math", "meta", "object", "picture",
    "script", "source", "style", "video", "x",
}  # fmt: skip
Written = dict[str, str | int]


@pytest.fixture(scope="module")
def zara(site: LiveSite) -> StorageState:
    return sign_in(site, "zara@example.org")


@pytest.fixture(scope="module")
def written(site: LiveSite, zara: StorageState) -> list[Written]:
    """Create a chat for each attack, alternately by members and visitors."""
    attacks = [each.replace("\x00", "") for each in ("a word", *PAYLOADS, *dompurify_fixtures())]
    made: list[Written] = json.loads(site.run(WRITE.format(attacks=json.dumps(attacks))))
    assert len(made) > 250
    return made


def paths_about(one: Written) -> Iterator[str]:
    """Return the paths of all staff pages about these objects."""
    for pattern in ROUTES:
        route = str(pattern.pattern)
        if pattern.name in NO_PAGES:
            continue
        if pattern.name == "review_quotas":
            ways = {"person": one["user_id"], "group": one["group_id"], "website": one["site"]}
            chosen = [one | {"kind": kind, "key": key} for kind, key in ways.items()]
        elif "<slug:key>" in route:
            chosen = [one | {"key": one["site" if route.startswith("sites/") else "person"]}]
        else:
            chosen = [one]
        if "<" in route:
            yield from (_filled(route, each) for each in chosen)


def _filled(route: str, one: Written) -> str:
    known = {**one, "model_id": MODEL, "api_key_id": 1}  # keys are only posted to
    return "/review/" + re.sub(r"<\w+:(\w+)>", lambda found: str(known[found[1]]), route)


@pytest.fixture
def open_as_zara(
    open_page: Callable[..., Page], zara: StorageState, written: list[Written]
) -> Callable[..., Page]:
    """Open staff pages after giving a reason, and report scripts that ran."""

    def open_as_zara(**options: object) -> Page:
        page = open_page("/review/", storage_state=zara, **options)
        page.context.add_init_script(LISTEN)
        page.goto(f"/review/{written[0]['conversation_id']}/")
        if "/reason/" in page.url:
            page.get_by_label("Reason for access").fill("<img src=x onerror=alert(1)>")
            page.get_by_role("button", name="Continue").click()
        expect(page.get_by_label("Note", exact=True)).to_be_visible()
        return page

    return open_as_zara


def is_page(page: Page, path: str) -> bool:
    """Return False for routes that only accept POST or do not return HTML."""
    answer = page.request.get(path)
    kind = answer.headers["content-type"]
    assert answer.status in {200, 405}, (path, answer.status)
    assert answer.headers["x-content-type-options"] == "nosniff"
    return answer.status == 200 and kind.startswith("text/html")


def look_at(page: Page, path: str) -> set[str]:
    """Return the names of all elements in the page's main part."""
    page.goto(path)
    if page.locator(".answer").count():
        expect(page.locator(".answer .message-text.formatted").first).to_contain_text(
            "The end of it."
        )
    seen = page.evaluate(SEEN)
    assert (seen["attacks"], seen["wrong"]) == ([], []), path
    return set(seen["names"])


POLICIES = {"with the policy": 10, "without any policy": 1}  # test every n-th attack


@pytest.mark.timeout(900)
@pytest.mark.parametrize("policy", POLICIES)
def test_hostile_text_is_shown_as_text_on_detail_pages(
    open_as_zara: Callable[..., Page], written: list[Written], policy: str, site: LiveSite
) -> None:
    page = open_as_zara(**BARE if policy == "without any policy" else {})
    foreign: list[str] = []
    page.context.on("request", lambda one: one.url.startswith(site.url) or foreign.append(one.url))
    harmless, *others = written
    chosen = [is_page(page, path) for path in paths_about(harmless)]
    assert sum(chosen) >= 9
    usual = [look_at(page, path) for path in compress(paths_about(harmless), chosen)]
    for one in others[:: POLICIES[policy]]:
        tab = page.context.new_page()  # one that saw thousands of pages is slow
        for path, names in zip(compress(paths_about(one), chosen), usual, strict=True):
            assert look_at(tab, path) <= names | HARMLESS, path
        tab.close()
    assert foreign == []


def test_hostile_text_is_shown_as_text_in_lists(
    open_as_zara: Callable[..., Page], written: list[Written], site: LiveSite
) -> None:
    page = open_as_zara(**BARE)
    foreign: list[str] = []
    page.context.on("request", lambda one: one.url.startswith(site.url) or foreign.append(one.url))
    routes = [f"/review/{each.pattern}" for each in ROUTES if "<" not in str(each.pattern)]
    lists = [each for each in routes if is_page(page, each)]
    assert len(lists) >= 10
    for path in lists:
        names, further = look_at(page, path), True
        while further:
            assert not names & FOREIGN, page.url
            following = page.locator("a[rel=next]")
            further = following.count() > 0
            if further:
                names = look_at(page, following.first.get_attribute("href") or "")
    assert foreign == []


def test_a_hostile_user_agent_is_nowhere_in_the_list_of_devices(
    open_page: Callable[..., Page], zara: StorageState
) -> None:
    page = open_page("/chat/", storage_state=zara, user_agent="Carried-Nowhere <script>alert(1)")
    page.goto("/settings/devices/")
    main = page.get_by_role("main")
    expect(main).to_contain_text("This device")
    assert "Carried-Nowhere" not in main.inner_html()
