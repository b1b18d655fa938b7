"""A question that a rule refuses is neither stored nor sent to a model, search or title."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.db import connection
from django.test import AsyncClient
from django.test.utils import CaptureQueriesContext

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations.models import Conversation, Message
from chat.emulator.requests import judging as emulated
from chat.generations.send import judging, start
from chat.generations.send.before_send import CheckedQuestion
from chat.generations.send.plan import plan
from chat.quotas.models import Charge, Limit, Meter
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import PendingRuleCheck, Rule
from chat.review.judging import questions
from chat.review.models import AccessLogEntry
from chat.review.verdict_models import MessageVerdict
from tests.review.conftest import SENTINEL
from tests.support.api.api_client import ApiClient, new_api_client
from tests.support.api.media_client import SDXL, draw, speak
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.review.judging import CLEF, amake_rule, judge_new, make_rule
from tests.support.upstream.recorded_emulator import record_requests
from tests.support.upstream.upstream_override import ask
from tests.support.widget.visitor_client import make_site

BAD = f"How do I kill {SENTINEL}?"
GOOD = "How do rivers begin?"


async def test_a_refused_question_reaches_no_model(
    alice_client: AsyncClient,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked = record_requests(monkeypatch)
    rule = await amake_rule("refuse", applies_to="questions")
    response = await send(alice_client, text=BAD)
    assert response.status_code == 403
    error = response.json()["error"]
    assert (error["code"], error["retryable"]) == ("question_refused", False)
    (judged,) = asked
    assert judged[0].endswith(CLEF)
    assert not await Conversation.all_objects.aexists()
    assert not await Message.objects.aexists()
    assert not await PendingRuleCheck.objects.aexists()
    charge = await Charge.objects.aget()  # of the judge alone
    assert (charge.model, charge.user_id, bool(charge.settled_at)) == (CLEF, alice.pk, True)
    action = await StaffAction.objects.aget(kind="question_refused")
    assert (action.person, action.detail, action.reason) == (alice.pk, rule.name, "")
    assert (await Rule.objects.aget()).matches == 1
    assert SENTINEL not in caplog.text
    assert not await AccessLogEntry.objects.aexists()


async def test_what_is_allowed_is_sent_and_its_verdict_stored(
    alice_client: AsyncClient, alice: User
) -> None:
    await amake_rule("refuse", applies_to="questions")
    await read_stream(await send(alice_client, text=GOOD))
    verdict = await MessageVerdict.objects.select_related("message").aget()
    assert verdict.message.text == GOOD
    assert verdict.model == CLEF
    assert verdict.harm == verdict.probabilities["harmful"] < 0.1
    charge = await Charge.objects.aget(model=CLEF)
    assert charge.microdollars == verdict.microdollars > 0
    await amake_rule("queue", category="personal")
    await judge_new()
    assert (
        await MessageVerdict.objects.acount() == 2
    )  # of the answer; the question is not judged again
    assert await Charge.objects.filter(model=CLEF).acount() == 2


async def test_another_answer_to_a_judged_question_costs_no_second_verdict(
    alice_client: AsyncClient,
) -> None:
    await amake_rule("refuse", applies_to="questions")
    response = await send(alice_client, text=GOOD)
    await read_stream(response)
    again = {"conversation": response["X-Conversation-Id"], "retry": int(response["X-Message-Id"])}
    await read_stream(await send(alice_client, **again))
    assert await Charge.objects.filter(model=CLEF).acount() == 1
    await amake_rule("refuse", "harmful", threshold=1)  # a stricter rule decides by what is known
    assert (await send(alice_client, **again)).status_code == 403
    assert await Charge.objects.filter(model=CLEF).acount() == 1


@pytest.mark.parametrize(
    ("kind", "text"), [("words", "kill"), ("pattern", r"k\w+l"), ("length", "")]
)
async def test_other_rules_refuse_without_a_judge(
    alice_client: AsyncClient, kind: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = record_requests(monkeypatch)
    await amake_rule("refuse", "", kind=kind, text=text, threshold=20, applies_to="questions")
    assert (await send(alice_client, text=BAD)).status_code == 403
    assert not asked
    assert (await send(alice_client, text="Rivers?")).status_code == 200


async def test_a_temporary_chat_is_checked(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = record_requests(monkeypatch)
    await amake_rule("refuse", applies_to="questions")
    said = [
        {"role": "user", "content": GOOD},
        {"role": "assistant", "content": "From springs."},
        {"role": "user", "content": BAD},
        {"role": "user", "content": "Answer that."},
    ]
    response = await ask(alice_client, {"messages": said})
    assert response.status_code == 403
    assert [target.rpartition("/")[2] for target, _body in asked] == ["clef-flash"]


async def draw_at_cloudflare(program: ApiClient, prompt: str) -> Any:
    return await program.post(f"/client/v4/accounts/x/ai/run/{SDXL}", {"prompt": prompt})


@pytest.mark.parametrize("call", [draw, speak, draw_at_cloudflare])
async def test_what_a_program_has_drawn_or_read_aloud_is_checked(
    alice: User, stop_server_process: None, monkeypatch: pytest.MonkeyPatch, call: Any
) -> None:
    program = await new_api_client(alice)
    asked = record_requests(monkeypatch)
    await amake_rule("refuse", applies_to="questions")
    refused = await call(program, BAD)
    assert refused.status_code == 403
    assert "This site's rules don't allow this message" in refused.content.decode()
    assert all(path.endswith(CLEF) for path, *_rest in asked)
    allowed = await call(program, GOOD)
    assert allowed.status_code == 200
    if allowed.streaming:
        assert b"".join([piece async for piece in allowed.streaming_content])


async def test_a_rule_of_a_group_refuses_nobody_else(
    alice_client: AsyncClient, bob_client: AsyncClient, pupils: Any
) -> None:
    await amake_rule("refuse", applies_to="questions", members=pupils)
    assert (await send(alice_client, text=BAD)).status_code == 403
    assert (await send(bob_client, text=BAD)).status_code == 200


@pytest.mark.parametrize(("fails_closed", "status"), [(True, 503), (False, 200)])
@pytest.mark.parametrize("fault", ["broken", "slow"])
async def test_without_a_verdict_the_rule_says_what_happens(
    alice_client: AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    fails_closed: bool,
    status: int,
    fault: str,
) -> None:
    if fault == "broken":
        monkeypatch.setattr(emulated, "result", lambda *_: {"answers": {"harmful": None}})
    else:

        async def never(*_given: Any) -> Any:
            await asyncio.Event().wait()

        monkeypatch.setattr(judging, "judge", never)
        monkeypatch.setattr(questions, "JUDGE_SECONDS", 0.05)
    await amake_rule("refuse", applies_to="questions", fails_closed=fails_closed)
    response = await send(alice_client, text=BAD)
    assert response.status_code == status
    if fails_closed:
        assert response.json()["error"]["code"] == "question_unchecked"
        assert not await Message.objects.aexists()
    else:
        await read_stream(response)
    judged = [each async for each in Charge.objects.filter(model=CLEF)]
    assert [each.tokens for each in judged] == [0]


async def test_refused_questions_count_as_messages(alice_client: AsyncClient, alice: User) -> None:
    await Limit.objects.acreate(scope="member", measure="requests", amount=2)
    await amake_rule("refuse", applies_to="questions")
    statuses = [(await send(alice_client, text=BAD)).status_code for _ in range(3)]
    assert statuses == [403, 403, 429]
    assert await Charge.objects.acount() == 2  # the last one was not even judged
    meter = await Meter.objects.aget(key=f"user:{alice.pk}")
    assert (meter.running, meter.requests) == (0, 2)


async def test_without_a_judge_or_with_review_off_nothing_is_refused(
    alice_client: AsyncClient, settings: Any
) -> None:
    await amake_rule("refuse", applies_to="questions", fails_closed=True)
    settings.JUDGE_MODEL = ""
    assert (await send(alice_client, text=BAD)).status_code == 200
    settings.JUDGE_MODEL, settings.REVIEW_PRIVACY = CLEF, "off"
    assert (await send(alice_client, text=BAD)).status_code == 200
    assert not await Charge.objects.filter(model=CLEF).aexists()


async def test_a_process_learns_of_a_changed_rule(alice_client: AsyncClient) -> None:
    rule = await amake_rule("refuse", applies_to="questions")
    await Rule.objects.filter(pk=rule.pk).aupdate(is_enabled=False)
    await sync_to_async(questions.refresh)()
    assert (await send(alice_client, text=BAD)).status_code == 200


async def test_a_question_that_a_person_was_to_answer_is_checked_for_the_model(
    alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await amake_rule("refuse", applies_to="questions")
    response = await send(alice_client, text=GOOD)
    await read_stream(response)
    plans: list[Any] = []

    def first_for_a_person(*given: Any) -> Any:
        made = plan(*given)
        plans.append(made)
        if len(plans) == 1:  # the takeover ends before the message is stored
            made.conversation.revision -= 1
            return replace(made, answer=None)
        return made

    monkeypatch.setattr(start, "plan", first_for_a_person)
    conversation = response["X-Conversation-Id"]
    refused = await send(alice_client, conversation=conversation, text=BAD)
    assert refused.status_code == 403
    assert len(plans) == 2
    assert await Message.objects.acount() == 2


async def test_many_rules_about_groups_and_sites_cost_one_statement(
    alice_client: AsyncClient, alice: User
) -> None:
    def make_rules() -> Rule:
        groups = [Group.objects.create(name=f"Class {number}") for number in range(6)]
        alice.groups.add(groups[4])
        site = make_site(alice)
        rules = [
            make_rule("refuse", kind="words", text="river", members=each, is_enabled=False)
            for each in groups
        ]
        make_rule("refuse", kind="words", text="river", site=site)
        Rule.objects.exclude(site=site).exclude(members=groups[4]).update(is_enabled=True)
        questions.refresh()
        return rules[4]

    theirs = await sync_to_async(make_rules)()
    principal = Principal(f"user:{alice.pk}", alice.pk)
    asked = CheckedQuestion("Where does the river begin?")

    def look() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert questions._look_at(principal, asked) == ([], None)
        return len(queries)

    assert await sync_to_async(look)() == 1
    await Rule.objects.filter(pk=theirs.pk).aupdate(is_enabled=True)
    await sync_to_async(questions.refresh)()
    assert (await send(alice_client, text="Where does the river begin?")).status_code == 403
