"""Stored questions and answers are judged once, and rules act on the verdict."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message, RedactedText
from chat.emulator.requests import judging as emulated
from chat.errors import NotFound
from chat.inbox.models import SiteNotice
from chat.outbox.models import Delivery
from chat.quotas.models import Charge
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case, Flag, Rule, Severity
from chat.review.cases import rule_runner, rules, withdrawal
from chat.review.cases.dry_run import dry_run
from chat.review.moderation import content
from chat.review.staff_notices.models import NoticeChoices
from chat.review.verdict_models import MessageVerdict
from chat.widget_sites import visitors
from tests.review.conftest import SENTINEL, add_answer, only_message, say, staff_context_of
from tests.support.outbox import deliver, make_due, waiting
from tests.support.review.judging import CLEF, amake_rule, judge_new
from tests.support.widget.visitor_client import make_site

BAD, GOOD = "I will kill you", "Rivers begin in hills."

asay = sync_to_async(say)
acontext = sync_to_async(staff_context_of)


async def flagged() -> list[str]:
    ids = [each async for each in Flag.objects.values_list("message", flat=True)]
    texts = Message.objects.filter(pk__in=ids).values_list("text", flat=True)
    return sorted([each async for each in texts])


async def test_a_verdict_puts_the_worst_in_the_queue(
    alice: User, stop_server_process: None
) -> None:
    await amake_rule(severity=3)
    chat = await asay(alice, "judge:violence=0.79", BAD)
    await judge_new()
    assert await flagged() == [BAD]
    case = await Case.objects.aget()
    assert (case.conversation_id, case.severity) == (chat.pk, Severity.HIGH)
    harms = [
        each
        async for each in MessageVerdict.objects.order_by("harm").values_list("harm", flat=True)
    ]
    assert harms == [0.79, emulated.SURE]
    charges = [each async for each in Charge.objects.all()]
    assert [(each.model, each.user_id) for each in charges] == [(CLEF, alice.pk)] * 2
    spent = [each async for each in MessageVerdict.objects.values_list("microdollars", flat=True)]
    assert sorted(each.microdollars for each in charges) == sorted(spent)
    await judge_new()
    assert await Charge.objects.acount() == 2
    assert not await Delivery.objects.filter(kind="verdict").aexists()


async def test_nothing_is_judged_that_no_rule_needs(
    alice: User, bob: User, pupils: Group, stop_server_process: None, settings: Any
) -> None:
    await amake_rule(applies_to="answers", members=pupils)
    await asay(alice, "Hers?", "Hers")
    await asay(bob, "His?", "His")
    await judge_new()
    judged = [each async for each in MessageVerdict.objects.values_list("message__text", flat=True)]
    assert judged == ["Hers"]
    settings.JUDGE_MODEL = ""
    await asay(alice, "Later?", "Later")
    await judge_new()
    assert await MessageVerdict.objects.acount() == 1


async def test_a_share_of_the_messages_is_judged(alice: User, stop_server_process: None) -> None:
    await amake_rule("mark", share=20)
    chat = await asay(alice, "Question")
    for number in range(60):
        await sync_to_async(add_answer)(await sync_to_async(only_message)(chat), f"No. {number}")
    for _ in range(4):
        await judge_new()
    assert 2 <= await MessageVerdict.objects.acount() <= 30
    assert not await Flag.objects.aexists()  # staff only see it


async def test_a_covered_answer_is_hidden_from_its_owner_once(
    alice: User, lead: User, stop_server_process: None
) -> None:
    rule = await amake_rule("cover", applies_to="answers", severity=3)
    chat = await asay(alice, "Hello?", BAD)
    await judge_new()
    answer = await chat.messages.aget(role="assistant")
    assert (answer.text, answer.hidden_at is None) == ("", False)
    assert (await RedactedText.objects.aget(message=answer)).text == BAD  # staff can still read it
    action = await StaffAction.objects.aget(kind="hidden")
    assert (action.actor, action.person, action.message) == (0, alice.pk, answer.pk)
    assert action.detail == rule.name
    assert (await Case.objects.aget()).severity == Severity.HIGH
    await sync_to_async(content.show)(await acontext(lead), chat.pk, answer.pk)
    await sync_to_async(rules.start_backfill)(rule)
    while await sync_to_async(rule_runner.run_backfill)():
        pass
    await answer.arefresh_from_db()
    assert answer.text == BAD  # staff have decided


@pytest.mark.parametrize("fails_closed", [True, False])
async def test_an_answer_that_cannot_be_judged(
    alice: User,
    fails_closed: bool,
    stop_server_process: None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    real = emulated.result
    monkeypatch.setattr(emulated, "result", lambda *_: {"answers": "garbage"})
    await amake_rule("cover", applies_to="answers", fails_closed=fails_closed)
    chat = await asay(alice, "Hello?", GOOD)
    await judge_new()
    answer = await chat.messages.aget(role="assistant")
    assert (answer.hidden_at is not None) == await Case.objects.aexists() == fails_closed
    assert (await waiting())["verdict"] == 1
    assert GOOD not in caplog.text
    monkeypatch.setattr(emulated, "result", real)
    await make_due()
    await judge_new()
    assert await MessageVerdict.objects.acount() == (
        0 if fails_closed else 1
    )  # hidden ones are skipped
    assert not (await waiting())["verdict"]


async def test_a_visitor_who_wants_a_person_gets_one(
    alice: User, stop_server_process: None
) -> None:
    await amake_rule("person", "person", applies_to="questions")
    site = await sync_to_async(make_site)(alice, offers_person=True, notifies_by_mail=True)
    visitor = await sync_to_async(visitors.make)(site)
    chat = await asay(visitor.user, "Let me talk to a human", "I'm an AI.")
    await judge_new()
    await chat.arefresh_from_db()
    assert chat.person_requested_at
    assert (await SiteNotice.objects.aget()).kind == SiteNotice.Kind.PERSON_REQUESTED
    assert (await Flag.objects.select_related("case").aget()).case.conversation_id == chat.pk
    assert (await Charge.objects.afirst()).user_id is None  # the website pays
    other = await asay(alice, "Let me talk to a human")  # members have no team
    await judge_new()
    await other.arefresh_from_db()
    assert other.person_requested_at is None
    assert await Flag.objects.acount() == 2


async def test_a_continued_answer_is_judged_again(alice: User, stop_server_process: None) -> None:
    await amake_rule()
    chat = await asay(alice, "Hello?", GOOD)
    await judge_new()
    answer = await chat.messages.aget(role="assistant")
    await Message.objects.filter(pk=answer.pk).aupdate(text=f"{GOOD} {BAD}")
    await answer.generations.aupdate(state="running")
    await answer.generations.aupdate(state="complete")
    await judge_new()
    assert await flagged() == [f"{GOOD} {BAD}"]
    assert (await MessageVerdict.objects.aget(message=answer)).characters == len(GOOD) + 1 + len(
        BAD
    )


async def test_a_verdict_goes_with_its_message(alice: User, stop_server_process: None) -> None:
    await amake_rule("mark")
    chat = await asay(alice, "Hello?", GOOD)
    await judge_new()
    await asay(alice, "Gone before it is judged")
    await sync_to_async(rule_runner.check_new)()
    await Conversation.objects.exclude(pk=chat.pk).adelete()
    await judge_new()
    assert await MessageVerdict.objects.acount() == 2
    await Conversation.all_objects.all().adelete()
    assert not await MessageVerdict.objects.aexists()


async def test_thresholds_are_tried_on_past_verdicts(
    alice: User, bob: User, reviewer: User, lead: User, stop_server_process: None
) -> None:
    await amake_rule("mark")
    for sure in (0.3, 0.6, 0.9):
        await asay(alice, f"judge:hate={sure}")
    await asay(bob, "judge:hate=0.9")
    await judge_new()
    await Rule.objects.all().adelete()
    await asay(alice, "Never judged: judge:hate=1")
    everybody = await acontext(lead)
    counts = []
    for threshold in (20, 50, 80, 95):
        rule = Rule(kind="verdict", category="hate", threshold=threshold)
        trial = await sync_to_async(dry_run)(everybody.reviewer, rule)
        counts.append((trial.matches, trial.checked))
    assert counts == [(4, 4), (3, 4), (2, 4), (0, 4)]
    hers = await acontext(reviewer)
    trial = await sync_to_async(dry_run)(hers.reviewer, Rule(kind="verdict", category="hate"))
    assert trial.matches == 3  # bob is beyond rita's scope


async def test_withdrawing_a_rule_keeps_verdicts(
    alice: User, lead: User, stop_server_process: None
) -> None:
    rule = await amake_rule()
    await asay(alice, BAD)
    await judge_new()

    def withdraw() -> None:
        withdrawal.start(staff_context_of(lead), rule.pk)
        while withdrawal.run_withdrawal():
            pass

    await sync_to_async(withdraw)()
    assert not await Case.objects.aexists()
    assert await MessageVerdict.objects.acount() == 1


async def test_with_review_off_nothing_is_judged(
    alice: User, stop_server_process: None, settings: Any
) -> None:
    await amake_rule()
    await asay(alice, BAD)
    await sync_to_async(rule_runner.check_new)()
    settings.REVIEW_PRIVACY = "off"
    await judge_new()
    assert not await MessageVerdict.objects.aexists()
    assert not await Charge.objects.aexists()


async def test_staff_beyond_the_scope_see_nothing(
    alice: User, bob: User, reviewer: User, stop_server_process: None
) -> None:
    await amake_rule("cover")
    chat = await asay(bob, BAD)
    await judge_new()
    with pytest.raises(NotFound):
        await sync_to_async(content.show)(
            await acontext(reviewer), chat.pk, (await chat.messages.aget()).pk
        )


async def test_what_is_covered_is_in_no_export(
    alice: User, alice_client: AsyncClient, stop_server_process: None
) -> None:
    await amake_rule("cover")
    chat = await asay(alice, "Hello?", BAD)
    await judge_new()
    for kind in ("json", "md"):
        response = await alice_client.get(f"/chat/{chat.pk}/export.{kind}")
        text = b"".join([each async for each in response.streaming_content]).decode()
        assert "Hello?" in text
        assert BAD not in text
        assert "harmful" not in text
        assert "violence" not in text


async def test_what_is_delivered_about_a_verdict_has_no_text(
    alice: User,
    administrator: User,
    stop_server_process: None,
    caplog: pytest.LogCaptureFixture,
    mailoutbox: list[Any],
) -> None:
    choices = await sync_to_async(NoticeChoices.objects.create)(
        person=administrator, is_on_duty=True, by_mail=True
    )
    assert choices.is_on_duty
    await amake_rule("cover", severity=3)
    await asay(alice, f"Hello {SENTINEL}?", f"{BAD}, {SENTINEL}")
    while await sync_to_async(rule_runner.check_new)():
        pass
    stored = [str(each.content) async for each in Delivery.objects.all()]
    assert stored
    assert not any(SENTINEL in each for each in stored)
    await judge_new()
    await deliver()
    assert mailoutbox
    texts = [f"{each.subject} {each.body}" for each in mailoutbox]
    kept = [each async for each in Delivery.objects.values_list("content", "last_error")]
    verdicts = [str(each.probabilities) async for each in MessageVerdict.objects.all()]
    assert SENTINEL not in " ".join([*texts, str(kept), *verdicts, caplog.text])
