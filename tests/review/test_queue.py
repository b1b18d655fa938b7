"""The pages of the queue and of rules, and reports as people send them."""

import csv
import io
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.errors import BadRequest, NotFound
from chat.generations.deletion.soft_delete import delete_account
from chat.review.case_models import Case, Flag, Rule
from chat.review.cases import flags, rules, workflow
from chat.review.models import AccessLogEntry
from chat.web.http.downloads import DownloadBroken
from chat.widget_sites import visitors
from tests.conftest import browser_of
from tests.review.conftest import give, look_of, say
from tests.support.access import body_of
from tests.support.pages import begin, page
from tests.support.sending import send
from tests.support.streams import read_stream, read_text
from tests.support.visiting import make_site

FORMULA = '=HYPERLINK("https://attacker.invalid")'


@pytest.fixture
def ritas_review(reviewer: User, life_ends: None) -> AsyncClient:
    return browser_of(reviewer)


@pytest.fixture
def lenas(lead: User, life_ends: None) -> AsyncClient:
    return browser_of(lead)


@sync_to_async
def reported(owner: User, title: str = "Rivers", words: str = "No", reason: str = "wrong") -> Any:
    chat = say(owner, title, f"About {title}")
    answer = chat.messages.get(role=Message.Role.ASSISTANT)
    return flags.report(chat.pk, answer, owner.pk, reason, words).case


async def report(client: AsyncClient, path: str, body: Any) -> Any:
    return await client.post(path, body, content_type="application/json")


async def test_somebody_reports_an_answer_or_a_chat(alices: AsyncClient, alice: User) -> None:
    response = await send(alices, text="Where do rivers begin?")
    await read_stream(response)
    chat, answer = response["X-Conversation-Id"], response["X-Message-Id"]
    path = f"/chat/{chat}/messages/{answer}/report"
    done = await report(alices, path, {"reason": "harmful", "words": " It is. "})
    assert (done.status_code, done.json()) == (201, {"reported": True})
    done = await report(alices, f"/chat/{chat}/report", {"reason": "other"})
    assert done.status_code == 201
    rows = [
        each async for each in Flag.objects.values_list("message", "reason", "comment", "person")
    ]
    assert rows == [(int(answer), "harmful", "It is.", alice.pk), (None, "other", "", alice.pk)]


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"reason": "nonsense"}, 400, "reason"),
        ({}, 400, "reason"),
        ({"reason": "wrong", "words": "x" * 1001}, 400, "1,001 characters. The limit is 1,000"),
    ],
)
async def test_a_report_that_cannot_be_used_is_refused_in_words(
    alices: AsyncClient, body: Any, status: int, said: str
) -> None:
    response = await send(alices, text="Hello")
    await read_stream(response)
    refused = await report(alices, f"/chat/{response['X-Conversation-Id']}/report", body)
    assert refused.status_code == status
    assert said in refused.json()["error"]["message"]
    assert not await Case.objects.aexists()


async def test_questions_and_what_is_a_strangers_cannot_be_reported(
    alices: AsyncClient, bobs: AsyncClient
) -> None:
    response = await send(alices, text="Hello")
    await read_stream(response)
    path = f"/chat/{response['X-Conversation-Id']}/messages/{response['X-Question-Id']}/report"
    assert (await report(alices, path, {"reason": "wrong"})).status_code == 400
    assert (await report(bobs, path, {"reason": "wrong"})).status_code == 404


async def test_who_reports_by_the_dozen_is_slowed_down(alices: AsyncClient) -> None:
    response = await send(alices, text="Hello")
    await read_stream(response)
    path = f"/chat/{response['X-Conversation-Id']}/report"
    taken = 0
    while (status := (await report(alices, path, {"reason": "wrong"})).status_code) == 201:
        taken += 1
    assert status == 429
    assert 10 <= taken < 20  # a minute may end in between


async def test_a_thumb_down_comes_into_the_queue(alices: AsyncClient) -> None:
    response = await send(alices, text="Hello")
    await read_stream(response)
    path = f"/chat/{response['X-Conversation-Id']}/messages/{response['X-Message-Id']}/rating"
    body = {"value": -1, "reason": "harmful", "comment": "Ouch"}
    await report(alices, path, body)
    flag = await Flag.objects.select_related("case").aget()
    assert (flag.source, flag.comment, flag.case.severity) == (Flag.Source.THUMB, "Ouch", 2)
    await report(alices, path, {"value": 0})
    assert not await Case.objects.aexists()


async def test_the_queue_shows_cases_in_scope_on_record(
    ritas_review: AsyncClient, reviewer: User, alice: User, bob: User
) -> None:
    await reported(alice, "Of rivers")
    await reported(bob, "Of lakes")
    shown = await page(await begin(ritas_review), "/review/queue/")
    assert "Of rivers" in shown
    assert "User report: Inaccurate" in shown
    assert "lakes" not in shown
    row = await AccessLogEntry.objects.aget()
    assert (row.kind, row.owner, row.reader) == ("listed", alice.pk, reviewer.pk)


async def test_the_queue_is_narrowed_down(lenas: AsyncClient, alice: User, lead: User) -> None:
    first = await reported(alice, "Of rivers")
    await reported(alice, "Of lakes", reason="harmful")
    client = await begin(lenas)
    await client.post(f"/review/cases/{first.pk}/claim/")
    for query, found in (
        ({"whose": "mine"}, "rivers"),
        ({"whose": "nobodys"}, "lakes"),
        ({"state": "open"}, "lakes"),
        ({"state": "in_work"}, "rivers"),
        ({"state": "settled"}, ""),
        ({"source": Flag.Source.RULE}, ""),
    ):
        shown = await page(client, "/review/queue/", **query)
        titles = {each for each in ("rivers", "lakes") if f"Of {each}" in shown}
        assert titles == ({found} if found else set()), query
    both = await page(client, "/review/queue/", source=Flag.Source.REPORT, order="worst")
    assert both.index("Of lakes") < both.index("Of rivers")
    refused = await client.get("/review/queue/", {"state": "nonsense"})
    assert refused.status_code == 422


@sync_to_async
def settle(case: Case, user: User, outcome: str) -> None:
    workflow.settle(look_of(user), case.pk, outcome)


async def test_the_list_of_chats_has_flags_as_a_facet(
    lenas: AsyncClient, alice: User, lead: User
) -> None:
    case = await reported(alice, "Of rivers")
    await sync_to_async(say)(alice, "Of lakes")
    client = await begin(lenas)
    for flag in ("unsettled", "open", "report"):
        shown = await page(client, "/review/", flag=flag)
        assert "Of rivers" in shown
        assert "Of lakes" not in shown
    for flag in ("in_work", "settled", "rule", "staff", "thumb"):
        assert "Of rivers" not in await page(client, "/review/", flag=flag)
    await settle(case, lead, "dismissed")
    assert "Of rivers" in await page(client, "/review/", flag="settled")
    assert "Of rivers" not in await page(client, "/review/", flag="unsettled")


async def test_a_case_stands_beside_its_chat_and_is_settled_there(
    ritas_review: AsyncClient, alice: User, reviewer: User
) -> None:
    case = await reported(alice, words="This is <b>not</b> so")
    client = await begin(ritas_review)
    path = f"/review/{case.conversation_id}/"
    shown = await page(client, path)
    assert "This is &lt;b&gt;not&lt;/b&gt; so" in shown
    assert "Case, open" in shown
    done = await client.post(f"/review/cases/{case.pk}/claim/")
    assert done["Location"] == path
    assert "Case, in progress" in await page(client, path)
    words = {"settle-words": "Seen, and not so bad", "outcome": "dismissed"}
    await client.post(f"/review/cases/{case.pk}/settlement/", words)
    shown = await page(client, path)
    assert "Case, dismissed" in shown
    assert "Seen, and not so bad" in shown
    await client.post(f"/review/{case.conversation_id}/flags/", {"flag-words": "Refresh"})
    assert "Refresh" in await page(client, path)
    assert await Case.objects.acount() == 2


async def test_a_flag_leads_to_its_message_as_long_as_that_is_there(
    ritas_review: AsyncClient, alice: User
) -> None:
    case = await reported(alice)
    client, path = await begin(ritas_review), f"/review/{case.conversation_id}/"
    link = f"{path}?at={(await case.flags.aget()).message}#m"
    assert link in await page(client, path)
    await Message.objects.filter(role="assistant").aupdate(deleted_at="2026-01-01T00:00Z")
    shown = await page(client, path)
    assert "User report" in shown
    assert link not in shown


async def test_words_that_are_too_long_stay_in_their_field(
    ritas_review: AsyncClient, alice: User
) -> None:
    case = await reported(alice)
    client = await begin(ritas_review)
    long = "so long " * 200
    sent = {"settle-words": long, "outcome": "dismissed"}
    refused = await client.post(f"/review/cases/{case.pk}/settlement/", sent)
    assert refused.status_code == 422
    assert long.strip() in refused.content.decode()
    sent = {"flag-words": long}
    refused = await client.post(f"/review/{case.conversation_id}/flags/", sent)
    assert refused.status_code == 422
    assert long.strip() in refused.content.decode()


async def test_who_comes_second_is_told_by_whom(
    ritas_review: AsyncClient, lenas: AsyncClient, alice: User
) -> None:
    case = await reported(alice)
    await begin(lenas)
    await lenas.post(f"/review/cases/{case.pk}/claim/")
    client = await begin(ritas_review)
    await client.post(f"/review/cases/{case.pk}/claim/")
    assert "Lena is working on this case." in await page(client, f"/review/{case.conversation_id}/")


async def test_the_next_one_that_nobody_has_is_taken(
    ritas_review: AsyncClient, alice: User, reviewer: User
) -> None:
    first, second = await reported(alice), await reported(alice, reason="harmful")
    client = await begin(ritas_review)
    for path, case in (("?order=worst", second), ("", first)):
        done = await client.post(f"/review/queue/next/{path}")
        assert done["Location"] == f"/review/{case.conversation_id}/"
        await case.arefresh_from_db()
        assert case.assignee_id == reviewer.pk
    done = await client.post("/review/queue/next/")
    assert done["Location"].startswith("/review/queue/")
    assert "There are no unassigned cases." in await page(client, "/review/queue/")


async def test_several_are_changed_at_once_and_the_rest_is_told(
    ritas_review: AsyncClient, lenas: AsyncClient, alice: User, reviewer: User, lead: User
) -> None:
    made = [await reported(alice) for _each in range(3)]
    await begin(lenas)
    await lenas.post(f"/review/cases/{made[0].pk}/claim/")
    client = await begin(ritas_review)

    async def change(who: AsyncClient, action: str, **more: Any) -> str:
        sent = {"case": [each.pk for each in made], "action": action, **more}
        done = await who.post("/review/queue/selection/?state=all", sent)
        assert done["Location"] == "/review/queue/?state=all"
        return await page(who, "/review/queue/", state="all")

    shown = await change(client, "claim")
    assert "2 claimed. 1 unchanged: Lena is working on this case." in shown
    shown = await change(lenas, "assign", assignee=reviewer.pk)
    assert "3 assigned." in shown
    assert "3 unassigned." in await change(client, "release")
    shown = await change(client, "dismissed", **{"settle-words": "All the same"})
    assert "3 dismissed." in shown
    assert {each.resolution_note async for each in Case.objects.all()} == {"All the same"}
    assert "3 unchanged: rita@example.org has already resolved this case." in await change(
        client, "confirmed", **{"settle-words": "True all the same"}
    )
    refused = await client.post("/review/queue/selection/", {"case": made[0].pk, "action": "x"})
    assert refused.status_code == 422
    assert (
        await client.post("/review/queue/selection/", {"case": made[0].pk, "action": "assign"})
    ).status_code == 404
    many = {"case": range(201), "action": "claim"}
    refused = await client.post("/review/queue/selection/", many)
    assert "At most 200 cases at once" in refused.content.decode()


async def test_cases_are_exported_without_text_and_with_it(
    lenas: AsyncClient, alice: User, administrator: User
) -> None:
    await sync_to_async(User.objects.filter(pk=alice.pk).update)(name="@Alice")
    case = await reported(alice, FORMULA, "\t-words")
    client = await begin(lenas)
    response = await client.get("/review/queue/export.csv")
    assert response["Content-Disposition"].startswith("attachment")
    (row,) = csv.DictReader(io.StringIO(await read_text(response)))
    assert row["person"] == "'@Alice"
    assert (row["case"], row["flags"], row["sources"]) == (str(case.pk), "1", "report")
    assert "title" not in row
    export = (
        await AccessLogEntry.objects.aget()
    )  # names are in it: that is on record, without a chat
    assert (export.kind, export.owner, export.detail) == ("exported", None, "cases.csv")

    response = await client.get("/review/queue/export.csv", {"text": "1"})
    (row,) = csv.DictReader(io.StringIO(await read_text(response)))
    assert row["title"] == f"'{FORMULA}"
    assert row["flagged_because"] == "'\t'-words"
    assert row["said"] == f"user: {FORMULA}\n\nassistant: About {FORMULA}"
    read = await AccessLogEntry.objects.exclude(owner=None).aget()
    assert (read.kind, read.owner, read.conversation) == (
        "exported", alice.pk, case.conversation_id,
    )  # fmt: skip

    response = await client.get("/review/queue/export.jsonl", {"text": "1"})
    (line,) = (await read_text(response)).splitlines()
    told = json.loads(line)
    assert told["title"] == FORMULA
    assert [each["role"] for each in told["said"]] == ["user", "assistant"]


async def test_an_export_has_all_pages_of_what_is_listed(
    lenas: AsyncClient, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.review.cases.queue.CASES_PER_PAGE", 2)
    made = [await reported(alice, reason=each) for each in ("wrong", "harmful", "hateful") * 2]
    client = await begin(lenas)
    response = await client.get("/review/queue/export.jsonl", {"order": "worst"})
    told = [json.loads(line) for line in (await read_text(response)).splitlines()]
    assert [each["severity"] for each in told] == [3, 3, 2, 2, 1, 1]
    assert {each["case"] for each in told} == {each.pk for each in made}
    assert (await client.get("/review/queue/export.xls")).status_code == 404


async def test_an_export_breaks_off_with_the_right_to_it(
    lenas: AsyncClient, lead: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.review.cases.queue.CASES_PER_PAGE", 1)
    for each in ("wrong", "harmful"):
        await reported(alice, reason=each)
    client = await begin(lenas)
    response: Any = await client.get("/review/queue/export.jsonl", {"text": "1"})
    pieces = aiter(response.streaming_content)
    await anext(pieces)
    await lead.user_permissions.aclear()
    with pytest.raises(DownloadBroken):
        await anext(pieces)
    assert await AccessLogEntry.objects.exclude(owner=None).acount() == 1


RULE = {
    "name": "Ice", "kind": "words", "text": "glacier", "threshold": "", "applies_to": "both",
    "severity": "2", "is_enabled": "on", "sample": "A Glacier, there", "reason": "A report of ice",
}  # fmt: skip


async def test_a_rule_is_tried_then_kept_changed_and_removed(
    lenas: AsyncClient, lead: User
) -> None:
    shown = (await lenas.post("/review/rules/new/", RULE | {"try": "1", "name": ""})).content
    assert "A <mark>Glacier</mark>, there" in shown.decode()
    assert not await Rule.objects.aexists()
    await lenas.post("/review/rules/new/", RULE)
    rule = await Rule.objects.aget()
    assert (rule.name, rule.text, rule.created_by_id) == ("Ice", "glacier", lead.pk)
    path = f"/review/rules/{rule.pk}/"
    assert "Ice" in (await lenas.get("/review/rules/")).content.decode()
    await lenas.post(path, RULE | {"kind": "length", "threshold": "9000", "is_enabled": ""})
    await rule.arefresh_from_db()
    assert (rule.kind, rule.threshold, rule.is_enabled) == ("length", 9000, False)
    await lenas.post(f"{path}past/")
    await rule.arefresh_from_db()
    assert rule.backfill_before
    assert "deletion/" not in (await lenas.get("/review/rules/")).content.decode()
    asked = (await lenas.get(path)).content.decode()  # one opens it, and reads what stays
    assert f'action="{path}deletion/"' in asked.partition("Cases it opened stay")[2]
    await lenas.post(f"{path}deletion/", {"reason": "The ice is gone"})
    assert not await Rule.objects.aexists()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kind": "pattern", "text": "(a"}, "Unclosed “(”."),
        ({"kind": "pattern", "text": "(?<=<i>x)"}, "lookahead and lookbehind"),
        ({"text": ""}, "Enter one or more words"),
        ({"kind": "length", "threshold": ""}, "Enter a number."),
        ({"kind": "length", "threshold": "many"}, "Enter a number from"),
        ({"name": "x" * 61}, "Shorten it"),
        ({"text": "x" * 2001}, "Shorten it"),
    ],
)
async def test_a_rule_that_cannot_be_is_refused_in_words(
    lenas: AsyncClient, lead: User, changed: dict[str, str], said: str
) -> None:
    response = await lenas.post("/review/rules/new/", RULE | changed)
    assert response.status_code == 422
    shown = response.content.decode()
    assert said in shown
    assert "<i>" not in shown
    assert not await Rule.objects.aexists()


async def test_a_lead_makes_rules_within_scope(
    ritas_review: AsyncClient, reviewer: User, pupils: Any, lead: User
) -> None:
    await sync_to_async(give)(reviewer, "lead_review")
    others = await Rule.objects.acreate(name="Everybody's", kind="words", text="x")
    assert (await ritas_review.get(f"/review/rules/{others.pk}/")).status_code == 404
    refused = await ritas_review.post("/review/rules/new/", RULE)
    assert "Choose whose chats this rule checks." in refused.content.decode()
    await ritas_review.post("/review/rules/new/", RULE | {"members": str(pupils.pk)})
    assert (await Rule.objects.aget(name="Ice")).members_id == pupils.pk
    assert "Everyone" not in (await ritas_review.get("/review/rules/")).content.decode()


async def test_a_lead_without_a_scope_makes_no_rule(
    lenas: AsyncClient, lead: User, pupils: Any
) -> None:
    await lead.review_scopes.all().adelete()
    refused = await lenas.post("/review/rules/new/", RULE)
    assert refused.status_code == 422
    assert "Choose whose chats this rule checks." in refused.content.decode()
    for about in ({}, {"members": pupils}):
        with pytest.raises(BadRequest):
            await sync_to_async(keep)(lead, Rule(name="Ice", kind="words", text="x", **about))
    assert not await Rule.objects.aexists()


def keep(user: User, rule: Rule) -> None:
    rules.keep(look_of(user), rule)


def test_what_a_rule_counts_meanwhile_goes_on(lead: User) -> None:
    rule = Rule.objects.create(name="Ice", kind="length", threshold=5)
    Rule.objects.update(matches=7, backfill_before=100)
    rule.name = "Snow"
    keep(lead, rule)
    rule.refresh_from_db()
    assert (rule.name, rule.matches, rule.backfill_before) == ("Snow", 7, 100)
    Rule.objects.all().delete()
    with pytest.raises(NotFound):
        keep(lead, rule)
    assert not Rule.objects.exists()


async def test_who_left_is_named_nowhere(lenas: AsyncClient, alice: User, reviewer: User) -> None:
    case = await reported(alice)
    await Case.objects.aupdate(assignee=reviewer, state=Case.State.IN_WORK)
    for each in (alice, reviewer):
        await sync_to_async(delete_account)(each)
    await Conversation.all_objects.aupdate(purge_after=None)  # as in the moment before
    client = await begin(lenas)
    for path in ("queue/", "queue/export.csv", f"{case.conversation_id}/", ""):
        shown = await body_of(await client.get(f"/review/{path}"))
        assert "Deleted user" in shown, path
        assert "deleted.invalid" not in shown, path


async def test_ones_own_case_is_shown_without_a_way_to_judge_it(
    lenas: AsyncClient, lead: User, alice: User
) -> None:
    own, other = await reported(lead), await reported(alice)
    client = await begin(lenas)
    for case, is_there in ((own, False), (other, True)):
        shown = await page(client, f"/review/{case.conversation_id}/")
        for act in (f"cases/{case.pk}/claim/", f"cases/{case.pk}/settlement/", "/holding/"):
            assert (act in shown) == is_there, act
    assert (await client.post(f"/review/cases/{own.pk}/claim/")).status_code == 403
    sent = {"case": [own.pk, other.pk], "action": "dismissed", "settle-words": "Seen by two"}
    await client.post("/review/queue/selection/", sent)
    said = "1 dismissed. 1 unchanged: Nobody acts on themselves"
    assert said in await page(client, "/review/queue/")


async def test_a_visitor_of_a_website_reports(alice: User, lead: User, lenas: AsyncClient) -> None:
    site = await sync_to_async(make_site)(alice)
    vera = (await sync_to_async(visitors.make)(site, subject="v", name="Vera")).user
    await reported(vera, "Of parcels")
    shown = await page(await begin(lenas), "/review/queue/", site=site.pk)
    assert "Of parcels" in shown
    assert "Vera" in shown
