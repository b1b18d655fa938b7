"""Text typed by staff is kept when the reason or the session expires, or the form is refused."""

import html
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession
from chat.conversations.handoff import takeover
from chat.conversations.models import Conversation
from chat.generations.deletion import soft_delete
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case, Flag
from chat.review.cases import flags, workflow
from chat.review.live import interventions
from chat.review.models import AccessLogEntry, StaffNote
from chat.review.moderation import content, user_moderation
from chat.widget_sites import visitors
from tests.review.conftest import recorded_actions, say, staff_context_of
from tests.support.review.reason_for_access import begin
from tests.support.web.signed_in import signed_in_client
from tests.support.widget.visitor_client import make_site

HOSTILE = '"><script>alert(1)</script>\n  second line & more'
HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')
SCRIPT = {"Accept": "application/json"}
LONG = "wherefore" * 30


@pytest.fixture
def rita_client(reviewer: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(reviewer)


@pytest.fixture
def chat(alice: User) -> Conversation:
    return say(alice, "Where do rivers begin?", "In hills.")


@pytest.fixture
def lead_context(lead: User) -> StaffContext:
    return staff_context_of(lead, "The visitor asked")


def case_of(chat: Conversation) -> Case:
    return flags.report(chat.pk, None, chat.owner_id, "harmful", "").case


def carried(response: Any) -> dict[str, list[str]]:
    """Return the hidden fields of a page whose only form posts to the same URL."""
    page = response.content.decode()
    assert f'<form method="post" action="{html.escape(response.request["path"])}' in page
    found: dict[str, list[str]] = {}
    for name, value in HIDDEN.findall(page):
        found.setdefault(name, []).append(html.unescape(value))
    assert found.pop("csrfmiddlewaretoken", [""])
    return found


async def test_a_note_is_kept_when_the_reason_expires(
    rita_client: AsyncClient, chat: Conversation
) -> None:
    path = f"/review/{chat.pk}/notes/"
    asked = await rita_client.post(path, {"text": HOSTILE, "csrfmiddlewaretoken": "old"})
    assert asked.status_code == 422
    assert "<script>alert" not in asked.content.decode()
    kept = carried(asked)
    assert kept == {"text": [HOSTILE]}
    again = await rita_client.post(path, kept | {"look-reason": " "})  # no reason is none
    assert again.status_code == 422
    assert "This field is required." in again.content.decode()
    assert carried(again) == kept
    assert not await AccessLogEntry.objects.aexists()
    done = await rita_client.post(path, kept | {"look-reason": "Report 7 of May"})
    assert done["Location"] == f"/review/{chat.pk}/"
    assert (await StaffNote.objects.aget()).text == HOSTILE
    assert (
        await rita_client.get(done["Location"])
    ).status_code == 200  # the reason holds from now on
    assert {each.reason async for each in AccessLogEntry.objects.all()} == {"Report 7 of May"}


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/review/{chat}/closure/", {"reason": ["Spam, it is"]}),
        ("/review/{chat}/flags/", {"flag-note": ["Look here"]}),
        ("/review/{chat}/turns/", {"text": ["Hello"], "key": ["k" * 32]}),
        ("/review/{chat}/takeover/", {"reason": ["They ask for a person"]}),
        (
            "/review/cases/{case}/resolution/",
            {"resolve-reason": ["Seen and true"], "outcome": ["confirmed"]},
        ),
        ("/review/queue/selection/?state=open", {"case": ["1", "2"], "action": ["claim"]}),
        (
            "/review/people/{alice}/warning/",
            {"warning-text": ["Mind"], "warning-reason": ["As the rules say"]},
        ),
    ],
)
async def test_every_post_continues_after_the_reason(
    lead_client: AsyncClient, chat: Conversation, alice: User, path: str, sent: dict[str, Any]
) -> None:
    case = await sync_to_async(case_of)(chat)
    path = path.format(chat=chat.pk, case=case.pk, alice=alice.pk)
    asked = await lead_client.post(path, sent)
    assert asked.status_code == 422
    assert carried(asked) == sent
    assert not await recorded_actions().aexists()
    done = await lead_client.post(path, sent | {"look-reason": "Report 7 of May"})
    assert done.status_code in {302, 400, 409}, path  # 400, 409: the chat is no visitor's
    assert {each.reason async for each in recorded_actions().all()} <= {
        "Report 7 of May",
        "As the rules say",
        "Spam, it is",
        "Seen and true",
    }


async def test_a_post_is_kept_when_the_session_expires(
    rita_client: AsyncClient, reviewer: User, chat: Conversation
) -> None:
    await begin(rita_client)
    await UserSession.objects.all().adelete()
    path = f"/review/{chat.pk}/notes/"
    refused = await rita_client.post(path, {"text": HOSTILE})
    assert refused.status_code == 401
    assert carried(refused) == {"text": [HOSTILE]}
    back = await sync_to_async(signed_in_client)(reviewer)
    done = await back.post(path, carried(refused) | {"look-reason": "Report 7 of May"})
    assert done.status_code == 302
    assert (await StaffNote.objects.aget()).text == HOSTILE


async def test_scripts_get_an_error_for_a_missing_reason_or_session(
    rita_client: AsyncClient, chat: Conversation
) -> None:
    for ask, path in ((rita_client.post, "turns/"), (rita_client.get, "updates/")):
        told = await ask(f"/review/{chat.pk}/{path}", headers=SCRIPT)
        assert told.status_code == 403
        assert told.json()["error"]["code"] == "reason_required"
        assert told.json()["error"]["message"] == (
            "Enter the reason for access again. Your draft is saved."
        )
    await UserSession.objects.all().adelete()
    told = await rita_client.post(f"/review/{chat.pk}/turns/", headers=SCRIPT)
    assert (told.status_code, told.json()["error"]["code"]) == (401, "not_authenticated")


async def test_a_cross_site_post_is_refused_before_its_fields_are_carried(
    reviewer: User, chat: Conversation
) -> None:
    client = AsyncClient(enforce_csrf_checks=True)
    client.cookies = (await sync_to_async(signed_in_client)(reviewer)).cookies
    refused = await client.post(f"/review/{chat.pk}/notes/", {"text": HOSTILE})
    assert refused.status_code == 403
    assert "second line" not in refused.content.decode()


async def test_the_reason_of_a_takeover_is_valid_in_its_chat_until_it_ends(
    lead_client: AsyncClient, lead_context: StaffContext, alice: User, settings: Any
) -> None:
    def visited() -> Conversation:
        visitor = visitors.make(make_site(alice), subject="v", name="Vera").user
        return say(visitor, "Is somebody there?")

    talk = await sync_to_async(visited)()
    other = await sync_to_async(say)(alice, "Of lakes")
    await sync_to_async(interventions.take_over)(lead_context, talk.pk)
    path = f"/review/{talk.pk}/"
    for _each in range(2):
        told = await lead_client.get(f"{path}updates/", headers=SCRIPT)
        assert told.json()["holder"] == "own"
    said = {"text": "Yes, I am", "key": "k" * 32}
    assert (await lead_client.post(f"{path}turns/", said, headers=SCRIPT)).status_code == 204
    assert {each.reason async for each in AccessLogEntry.objects.all()} == {"The visitor asked"}
    assert (await lead_client.get(f"/review/{other.pk}/")).status_code == 302  # nowhere else
    await sync_to_async(takeover.hand_back)(talk.pk, lead_context.reviewer.user_id)
    assert (await lead_client.get(f"{path}updates/", headers=SCRIPT)).status_code == 403


@pytest.mark.parametrize("act", ["closure", "legal-hold", "redaction"])
async def test_a_refused_reason_stays_in_its_field(
    lead_client: AsyncClient, chat: Conversation, act: str
) -> None:
    await begin(lead_client)
    message = await chat.messages.afirst()
    place = f"messages/{message.pk}/" if act == "redaction" and message else ""
    refused = await lead_client.post(f"/review/{chat.pk}/{place}{act}/", {"reason": LONG})
    page = refused.content.decode()
    assert refused.status_code == 422
    assert page.count(f'name="reason" value="{LONG}"') == 1
    assert "This has 270 characters. The limit is 200." in page
    assert 'class="staff-action" open' in page
    assert ">Change</a>" not in page  # it would lead to where only a POST is taken


@pytest.mark.parametrize("act", ["closure", "messages/1/redaction"])
async def test_out_of_scope_even_an_invalid_form_answers_404(
    rita_client: AsyncClient, bob: User, act: str
) -> None:
    await begin(rita_client)
    his = await sync_to_async(say)(bob, "Of lakes")
    for reason in ("A report of today", LONG):
        assert (
            await rita_client.post(f"/review/{his.pk}/{act}/", {"reason": reason})
        ).status_code == 404


async def test_a_refused_reinstatement_shows_the_problem(
    lead_client: AsyncClient, lead_context: StaffContext, alice: User
) -> None:
    await begin(lead_client)
    await sync_to_async(user_moderation.suspend)(lead_context, alice, None)
    path = f"/review/people/{alice.pk}/suspension/"
    refused = await lead_client.post(path, {"undo": "yes", "reason": LONG})
    assert refused.status_code == 422
    assert f'value="{LONG}"' in refused.content.decode()
    assert "This has 270 characters" in refused.content.decode()


async def test_text_for_a_bulk_action_is_kept_with_the_selection(
    rita_client: AsyncClient, chat: Conversation
) -> None:
    await begin(rita_client)
    case = await sync_to_async(case_of)(chat)
    path = "/review/queue/selection/?state=open"
    sent = {"case": case.pk, "action": "dismissed", "resolve-reason": "so long " * 200}
    refused = await rita_client.post(path, sent)
    page = refused.content.decode()
    assert refused.status_code == 422
    assert f'value="{sent["resolve-reason"]}"' in page
    assert f'value="{case.pk}" checked' in page
    assert "This has 1,599 characters" in page
    refused = await rita_client.post(path, {"action": "dismissed", "resolve-reason": "Seen"})
    assert refused.status_code == 422
    assert "Select cases first." in refused.content.decode()
    assert 'value="Seen"' in refused.content.decode()


async def test_text_is_kept_if_another_staff_member_was_faster(
    rita_client: AsyncClient, lead_context: StaffContext, chat: Conversation
) -> None:
    await begin(rita_client)
    case = await sync_to_async(case_of)(chat)
    await sync_to_async(workflow.claim)(lead_context, case.pk)
    sent = {"outcome": "dismissed", "resolve-reason": "What I found"}
    refused = await rita_client.post(f"/review/cases/{case.pk}/resolution/", sent)
    assert refused.status_code == 409
    assert "Lena is working on this case." in refused.content.decode()
    assert "What I found</textarea>" in refused.content.decode()


async def test_a_case_is_resolved_only_with_a_reason(
    rita_client: AsyncClient, chat: Conversation
) -> None:
    case = await sync_to_async(case_of)(chat)
    path = f"/review/cases/{case.pk}/resolution/"
    assert (await rita_client.post(path, {"outcome": "dismissed"})).status_code == 422
    await begin(rita_client)
    for text in ("", "Seen", "... - ..."):
        sent = {"outcome": "dismissed", "resolve-reason": text}
        assert (await rita_client.post(path, sent)).status_code == 422
    assert not await recorded_actions().aexists()
    assert await Flag.objects.acount() == 1


@pytest.mark.parametrize("last", ["case", "hold"])
async def test_releasing_a_deleted_chat_keeps_it_on_screen(
    lead_client: AsyncClient, lead_context: StaffContext, chat: Conversation, last: str
) -> None:
    await begin(lead_client)
    if last == "case":
        case = await sync_to_async(case_of)(chat)
        path = f"/review/cases/{case.pk}/resolution/"
        sent = {"outcome": "dismissed", "resolve-reason": "Seen by two"}
    else:
        await sync_to_async(content.hold)(lead_context, chat.pk)
        path, sent = f"/review/{chat.pk}/legal-hold/", {"undo": "yes", "reason": "The case is over"}
    await sync_to_async(soft_delete.delete)(chat)
    done = await lead_client.post(path, sent)
    assert done["Location"] == f"/review/{chat.pk}/"  # it is there for some more days
    page = (await lead_client.get(done["Location"])).content.decode()
    assert ("Case resolved." if last == "case" else "Legal hold lifted.") in page
