"""Events of cases are sent to the site's webhook, signed and without text of a chat."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.errors import Conflict
from chat.outbox.models import Delivery
from chat.review.case_models import Case, Rule
from chat.review.cases import escalation, flags, workflow
from chat.review.staff_notices import case_events
from chat.review.staff_notices.case_events import CaseEvent
from chat.review.staff_notices.models import CaseWebhook, CaseWebhookAttempt
from chat.webhooks import attempts
from chat.webhooks.signed_post import SIGNATURE_HEADER, signature
from tests.review.conftest import SENTINEL, say, staff_context_of
from tests.support.browser.website import Website, website
from tests.support.outbox import deliver, make_due
from tests.support.review.cases import make_case

pytestmark = pytest.mark.usefixtures("no_network_jobs", "stop_server_process")


@pytest.fixture
async def server(settings: Settings, transactional_db: None) -> AsyncIterator[Website]:
    settings.CHECK_LOCAL_SITES = True
    settings.SITE_URL = "https://chat.example.org"
    async with website() as found:
        found.show("/hook")
        url = f"http://localhost:{found.port}/hook"
        await CaseWebhook.objects.acreate(url=url, secret="of the hook")
        yield found


async def sent(server: Website) -> list[dict[str, Any]]:
    """Return what the server gets now."""
    server.bodies.clear()
    await deliver(case_events.WEBHOOK)
    return [json.loads(each) for each in server.bodies]


async def test_a_case_is_told_of_when_it_is_opened_assigned_escalated_and_decided(
    alice: User, lead: User, server: Website, settings: Settings
) -> None:
    settings.ESCALATION_MINUTES = 10
    case = await sync_to_async(make_case)(alice, "personal")
    (opened,) = await sent(server)
    assert (opened["event"], opened["case"], opened["severity"]) == ("case.opened", case.pk, "high")
    assert (opened["sources"], opened["reasons"]) == (["report"], ["personal"])
    assert opened["url"] == f"https://chat.example.org/review/{case.conversation_id}/"
    assert opened["text"].startswith(f"Runnel: Case {case.pk} opened (severity high). https://")
    await Case.objects.aupdate(severe_since=timezone.now() - timedelta(minutes=11))
    await sync_to_async(escalation.escalate_due)()
    assert [each["event"] for each in await sent(server)] == ["case.escalated"]
    context = await sync_to_async(staff_context_of)(lead)
    await sync_to_async(workflow.claim)(context, case.pk)
    (assigned,) = await sent(server)
    assert (assigned["event"], assigned["assigned_to"]) == ("case.assigned", lead.pk)
    await sync_to_async(workflow.resolve)(context, case.pk, "confirmed", "It is so")
    (decided,) = await sent(server)
    assert (decided["event"], decided["outcome"], decided["state"]) == (
        "case.decided", "confirmed", "resolved",
    )  # fmt: skip


async def test_a_request_is_signed(alice: User, server: Website) -> None:
    await sync_to_async(make_case)(alice)
    await sent(server)
    (request,) = server.requests
    header = next(
        line.partition(": ")[2]
        for line in request.splitlines()
        if line.lower().startswith(SIGNATURE_HEADER.lower())
    )
    moment = int(header.removeprefix("t=").partition(",")[0])
    assert header == signature("of the hook", server.bodies[0], moment)


async def test_no_text_of_a_chat_or_comment_is_sent(
    alice: User, lead: User, server: Website
) -> None:
    chat = await sync_to_async(say)(alice, SENTINEL, SENTINEL)
    message = await chat.messages.alast()
    await sync_to_async(flags.report)(chat.pk, message, alice.pk, "other", SENTINEL)
    rule = await Rule.objects.acreate(
        name="Quartz", kind="verdict", category="harmful", severity=3, threshold=50
    )
    assert message
    await sync_to_async(flag_by_rule)(rule, chat.pk, message.pk)
    case = await Case.objects.aget()
    context = await sync_to_async(staff_context_of)(lead)
    await sync_to_async(workflow.resolve)(context, case.pk, "dismissed", f"{SENTINEL} is not bad")
    bodies = await sent(server)
    events = {each["event"] for each in bodies}  # they may come in any order
    assert (len(bodies), events) == (2, {"case.opened", "case.decided"})
    text = json.dumps(bodies) + "".join(server.requests)
    assert SENTINEL not in text
    assert alice.email not in text
    assert bodies[0]["rules"] == ["Quartz"]
    assert bodies[0]["categories"] == ["harmful"]


def flag_by_rule(rule: Rule, chat_id: Any, message_id: int) -> None:
    case = Case.objects.get(conversation=chat_id)
    case.flags.create(source=4, rule=rule, message=message_id, comment=rule.name)


async def test_later_flags_open_no_case(alice: User, server: Website) -> None:
    case = await sync_to_async(make_case)(alice)
    await sync_to_async(flags.report)(case.chat_id, None, alice.pk, "other", "")
    assert len(await sent(server)) == 1


async def test_a_refused_claim_is_no_event(
    alice: User, lead: User, administrator: User, server: Website
) -> None:
    case = await sync_to_async(make_case)(alice)
    await sync_to_async(workflow.claim)(await sync_to_async(staff_context_of)(lead), case.pk)
    before = await Delivery.objects.acount()
    other = await sync_to_async(staff_context_of)(administrator)
    with pytest.raises(Conflict):
        await sync_to_async(workflow.claim)(other, case.pk)
    assert await Delivery.objects.acount() == before


async def test_what_fails_is_tried_again_and_each_attempt_is_kept(
    alice: User, server: Website
) -> None:
    server.show("/hook", status="500 Broken")
    await sync_to_async(make_case)(alice)
    assert len(await sent(server)) == 1
    await make_due()
    server.show("/hook")
    assert len(await sent(server)) == 1
    rows = CaseWebhookAttempt.objects.order_by("pk").values_list("event", "number", "error")
    assert [row async for row in rows] == [
        ("case.opened", 1, "status 500"),
        ("case.opened", 2, ""),
    ]


async def test_private_addresses_get_nothing(
    alice: User, server: Website, settings: Settings
) -> None:
    settings.CHECK_LOCAL_SITES = False
    await sync_to_async(make_case)(alice)
    assert await sent(server) == []
    attempt = await CaseWebhookAttempt.objects.aget()
    assert attempt.error == "BadRequest"


async def test_without_a_webhook_or_without_review_nothing_is_sent(
    alice: User, server: Website, settings: Settings
) -> None:
    await sync_to_async(make_case)(alice)
    settings.REVIEW_PRIVACY = "off"
    assert await sent(server) == []
    settings.REVIEW_PRIVACY = "normal"
    await CaseWebhook.objects.all().adelete()
    await sync_to_async(make_case)(alice)
    assert await Delivery.objects.acount() == 0


async def test_a_test_event_names_no_case(server: Website) -> None:
    await sync_to_async(case_events.emit)(CaseEvent.TEST, None)
    (body,) = await sent(server)
    assert (body["event"], body["case"]) == ("case.test", None)


def test_old_attempts_go(transactional_db: None) -> None:
    for days in (1, 31):
        CaseWebhookAttempt.objects.create(
            event="case.test", number=1, created_at=timezone.now() - timedelta(days=days)
        )
    attempts.remove_old()
    assert CaseWebhookAttempt.objects.count() == 1
