"""The pages of the queue: find, read and resolve cases."""

from html import unescape
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.generations.deletion.soft_delete import delete_account
from chat.review.case_models import Case, Flag
from chat.review.cases import workflow
from chat.review.models import AccessLogEntry
from tests.review.conftest import say, staff_context_of
from tests.support.review.queue import reported
from tests.support.review.reason_for_access import begin, page
from tests.support.web.access_paths import body_of


async def test_the_queue_shows_and_logs_cases_in_scope(
    reviewer_client: AsyncClient, reviewer: User, alice: User, bob: User
) -> None:
    await reported(alice, "Of rivers")
    await reported(bob, "Of lakes")
    shown = await page(await begin(reviewer_client), "/review/queue/")
    assert "Of rivers" in shown
    assert "User report: Inaccurate" in shown
    assert "lakes" not in shown
    row = await AccessLogEntry.objects.aget()
    assert (row.kind, row.owner, row.reader) == ("listed", alice.pk, reviewer.pk)


async def test_the_queue_can_be_filtered(lead_client: AsyncClient, alice: User, lead: User) -> None:
    first = await reported(alice, "Of rivers")
    await reported(alice, "Of lakes", reason="harmful")
    client = await begin(lead_client)
    await client.post(f"/review/cases/{first.pk}/claim/")
    for query, found in (
        ({"assigned_to": "me"}, "rivers"),
        ({"assigned_to": "unassigned"}, "lakes"),
        ({"state": "open"}, "lakes"),
        ({"state": "in_work"}, "rivers"),
        ({"state": "resolved"}, ""),
        ({"source": Flag.Source.RULE}, ""),
    ):
        shown = await page(client, "/review/queue/", **query)
        titles = {each for each in ("rivers", "lakes") if f"Of {each}" in shown}
        assert titles == ({found} if found else set()), query
    both = await page(client, "/review/queue/", source=Flag.Source.REPORT)
    assert both.index("Of lakes") < both.index("Of rivers")  # the more severe one first
    both = await page(client, "/review/queue/", order="oldest")
    assert both.index("Of rivers") < both.index("Of lakes")
    refused = await client.get("/review/queue/", {"state": "nonsense"})
    assert refused.status_code == 422


@sync_to_async
def resolve(case: Case, user: User, outcome: str) -> None:
    workflow.resolve(staff_context_of(user), case.pk, outcome)


async def test_the_list_of_chats_can_be_filtered_by_flag(
    lead_client: AsyncClient, alice: User, lead: User
) -> None:
    case = await reported(alice, "Of rivers")
    await sync_to_async(say)(alice, "Of lakes")
    client = await begin(lead_client)
    for flag in ("unresolved", "open", "report"):
        shown = await page(client, "/review/", flag=flag)
        assert "Of rivers" in shown
        assert "Of lakes" not in shown
    for flag in ("in_work", "resolved", "rule", "staff", "thumb"):
        assert "Of rivers" not in await page(client, "/review/", flag=flag)
    await resolve(case, lead, "dismissed")
    assert "Of rivers" in await page(client, "/review/", flag="resolved")
    assert "Of rivers" not in await page(client, "/review/", flag="unresolved")


async def test_a_case_is_shown_and_resolved_beside_its_chat(
    reviewer_client: AsyncClient, alice: User, reviewer: User
) -> None:
    case = await reported(alice, words="This is <b>not</b> so")
    client = await begin(reviewer_client)
    path = f"/review/{case.conversation_id}/"
    shown = await page(client, path)
    assert "This is &lt;b&gt;not&lt;/b&gt; so" in shown
    assert "Open case" in shown
    done = await client.post(f"/review/cases/{case.pk}/claim/")
    assert done["Location"].startswith(path + "?at=")
    assert "Case in progress" in await page(client, path)
    words = {"resolve-reason": "Seen, and not so bad", "outcome": "dismissed"}
    await client.post(f"/review/cases/{case.pk}/resolution/", words)
    shown = await page(client, path)
    assert "Dismissed case" in shown
    assert "Seen, and not so bad" in shown
    await client.post(f"/review/{case.conversation_id}/flags/", {"flag-note": "Refresh"})
    assert "Refresh" in await page(client, path)
    assert await Case.objects.acount() == 2


async def test_a_flag_links_to_its_message_while_that_exists(
    reviewer_client: AsyncClient, alice: User
) -> None:
    case = await reported(alice)
    client, path = await begin(reviewer_client), f"/review/{case.conversation_id}/"
    link = f"{path}?at={(await case.flags.aget()).message}#m"
    assert link in await page(client, path)
    await Message.objects.filter(role="assistant").aupdate(deleted_at="2026-01-01T00:00Z")
    shown = await page(client, path)
    assert "User report" in shown
    assert link not in shown


async def test_text_that_is_too_long_stays_in_its_field(
    reviewer_client: AsyncClient, alice: User
) -> None:
    case = await reported(alice)
    client = await begin(reviewer_client)
    long = "so long " * 200
    sent = {"resolve-reason": long, "outcome": "dismissed"}
    refused = await client.post(f"/review/cases/{case.pk}/resolution/", sent)
    assert refused.status_code == 422
    assert long.strip() in refused.content.decode()
    sent = {"flag-note": long}
    refused = await client.post(f"/review/{case.conversation_id}/flags/", sent)
    assert refused.status_code == 422
    assert long.strip() in refused.content.decode()


async def test_a_case_claimed_by_somebody_else_names_them(
    reviewer_client: AsyncClient, lead_client: AsyncClient, alice: User
) -> None:
    case = await reported(alice)
    await begin(lead_client)
    await lead_client.post(f"/review/cases/{case.pk}/claim/")
    client = await begin(reviewer_client)
    await client.post(f"/review/cases/{case.pk}/claim/")
    assert "Lena is working on this case." in await page(client, f"/review/{case.conversation_id}/")


async def test_the_next_unassigned_case_is_taken(
    reviewer_client: AsyncClient, alice: User, reviewer: User
) -> None:
    first, second = await reported(alice), await reported(alice, reason="harmful")
    client = await begin(reviewer_client)
    for path, case in (("", second), ("?order=oldest", first)):
        done = await client.post(f"/review/queue/next/{path}")
        assert done["Location"].startswith(f"/review/{case.conversation_id}/?at=")
        await case.arefresh_from_db()
        assert case.assignee_id == reviewer.pk
    done = await client.post("/review/queue/next/")
    assert done["Location"].startswith("/review/queue/")
    assert "There are no unassigned cases." in await page(client, "/review/queue/")


async def test_a_bulk_action_reports_what_did_not_change(
    reviewer_client: AsyncClient, lead_client: AsyncClient, alice: User, reviewer: User, lead: User
) -> None:
    made = [await reported(alice) for _each in range(3)]
    await begin(lead_client)
    await lead_client.post(f"/review/cases/{made[0].pk}/claim/")
    client = await begin(reviewer_client)

    async def change(who: AsyncClient, action: str, **more: Any) -> str:
        sent = {"case": [each.pk for each in made], "action": action, "sure": "yes", **more}
        done = await who.post("/review/queue/selection/?state=all", sent)
        assert done["Location"] == "/review/queue/?state=all"
        return await page(who, "/review/queue/", state="all")

    shown = await change(client, "claim")
    assert "2 cases claimed. 1 case unchanged: Lena is working on this case." in shown
    shown = await change(lead_client, "assign", assignee=reviewer.pk)
    assert "3 cases assigned." in shown
    assert "3 cases unassigned." in await change(client, "release")
    shown = await change(client, "dismissed", **{"resolve-reason": "All the same"})
    assert "3 cases dismissed." in shown
    assert {each.resolution_note async for each in Case.objects.all()} == {"All the same"}
    assert "Undo" in shown
    assert "3 cases reopened." in await change(client, "reopen")
    assert "Undo" not in await page(client, "/review/queue/", state="all")
    await change(client, "dismissed", **{"resolve-reason": "All the same"})
    assert "3 cases unchanged: rita@example.org has already resolved this case." in await change(
        client, "confirmed", **{"resolve-reason": "True all the same"}
    )
    refused = await client.post("/review/queue/selection/", {"case": made[0].pk, "action": "x"})
    assert refused.status_code == 422
    assert (
        await client.post("/review/queue/selection/", {"case": made[0].pk, "action": "assign"})
    ).status_code == 404
    many = {"case": range(201), "action": "claim"}
    refused = await client.post("/review/queue/selection/", many)
    assert "Select at most 200 at once" in refused.content.decode()


async def test_deleted_accounts_are_shown_without_a_name(
    lead_client: AsyncClient, alice: User, reviewer: User
) -> None:
    case = await reported(alice)
    await Case.objects.aupdate(assignee=reviewer, state=Case.State.IN_WORK)
    for each in (alice, reviewer):
        await sync_to_async(delete_account)(each)
    await Conversation.all_objects.aupdate(purge_after=None)  # as in the moment before
    client = await begin(lead_client)
    for path in ("queue/", "queue/export.csv", f"{case.conversation_id}/", ""):
        shown = await body_of(await client.get(f"/review/{path}"))
        assert "Deleted user" in shown, path
        assert "deleted.invalid" not in shown, path


async def test_ones_own_case_is_shown_without_actions(
    lead_client: AsyncClient, lead: User, alice: User
) -> None:
    own, other = await reported(lead), await reported(alice)
    client = await begin(lead_client)
    for case, is_there in ((own, False), (other, True)):
        shown = await page(client, f"/review/{case.conversation_id}/")
        for act in (f"cases/{case.pk}/claim/", f"cases/{case.pk}/resolution/", "/legal-hold/"):
            assert (act in shown) == is_there, act
    assert (await client.post(f"/review/cases/{own.pk}/claim/")).status_code == 403
    sent = {"case": [own.pk, other.pk], "action": "dismissed", "resolve-reason": "Seen by two"}
    await client.post("/review/queue/selection/", sent | {"sure": "yes"})
    said = "1 case dismissed. 1 case unchanged: You can't moderate yourself"
    assert said in unescape(await page(client, "/review/queue/"))
