"""The pages: choosing a judge, rules by verdict, verdicts beside messages, and the filter."""

from html import unescape
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.review.case_models import Rule
from chat.review.models import AccessLogEntry
from chat.site_settings import effective, stored_settings
from tests.review.conftest import say
from tests.support.review.judging import CLEF, amake_rule, judge_new
from tests.support.review.reason_for_access import begin

RULE = {
    "name": "Harm", "kind": "verdict", "text": "", "threshold": "80", "category": "harmful",
    "share": "100", "action": "cover", "applies_to": "answers", "severity": "3",
    "is_enabled": "on", "sample": "", "reason": "A report of harm",
}  # fmt: skip
REFUSING = {"action": "refuse", "applies_to": "questions"}


async def test_an_administrator_chooses_the_judge(
    administrator_client: AsyncClient, administrator: User, settings: Any
) -> None:
    settings.JUDGE_MODEL = ""
    settings.SET_IN_ENVIRONMENT = settings.SET_IN_ENVIRONMENT - {"JUDGE_MODEL"}
    path = "/review/site/judge/"
    assert "Clef Flash" in (await administrator_client.get(path)).content.decode()
    posted = {"judge_model": CLEF, "reason": "It was agreed"}
    assert (await administrator_client.post(path, posted)).status_code == 302
    await sync_to_async(stored_settings.refresh)()
    assert effective.judge_model() == CLEF
    await administrator_client.post(path, posted | {"judge_model": ""})
    await sync_to_async(stored_settings.refresh)()
    assert effective.judge_model() == ""


@pytest.mark.parametrize(
    "changed", [{}, REFUSING, {"action": "mark", "share": "5"}, {"while_writing": "on"}]
)
async def test_a_lead_makes_a_rule_by_verdict(
    lead_client: AsyncClient, lead: User, changed: dict[str, str]
) -> None:
    values = RULE | changed
    assert (await lead_client.post("/review/rules/new/", values)).status_code == 302
    rule = await Rule.objects.aget()
    assert (rule.kind, rule.category, rule.threshold) == ("verdict", "harmful", 80)
    assert (rule.action, str(rule.share)) == (values["action"], values["share"])
    assert rule.while_writing == ("while_writing" in changed)
    assert rule.get_action_display() in unescape(
        (await lead_client.get("/review/rules/")).content.decode()
    )


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"category": ""}, "Choose a category."),
        ({"while_writing": "on", "action": "queue"}, "Only rules that hide messages can do this."),
        ({"while_writing": "on", "applies_to": "questions"}, "This rule checks questions only."),
        (
            {"while_writing": "on", "category": "unanswered"},
            "This isn't known before an answer is complete.",
        ),
        (
            {"while_writing": "on", "kind": "length"},
            "This isn't known before an answer is complete.",
        ),
        ({"threshold": ""}, "Enter a number."),
        ({"threshold": "101"}, "Enter a percentage."),
        ({"share": "0"}, "Enter a"),
        ({"action": "refuse"}, "Only questions can be refused."),
        (REFUSING | {"share": "50"}, "Questions are refused only if all are judged."),
        (REFUSING | {"kind": "answer_cost"}, "This isn't known before a question is sent."),
        ({"kind": "words", "text": "ice", "action": "mark"}, "Only a verdict or personal data"),
        ({"kind": "chat_cost"}, "The cost of a chat can only put it in the queue."),
        ({"try": "1", "sample": "Hello"}, "To try a verdict, use"),
    ],
)
async def test_an_impossible_rule_is_refused_with_the_reason(
    lead_client: AsyncClient, lead: User, changed: dict[str, str], said: str
) -> None:
    response = await lead_client.post("/review/rules/new/", RULE | changed)
    assert response.status_code == 422
    shown = unescape(response.content.decode())
    assert said in shown
    assert not await Rule.objects.aexists()


async def test_a_judge_is_asked_only_what_it_knows(
    lead_client: AsyncClient, lead: User, settings: Any
) -> None:
    settings.JUDGE_MODEL = "@cf/meta/llama-guard-3-8b"
    values = RULE | {"category": "unanswered"}
    response = await lead_client.post("/review/rules/new/", values)
    assert "The judge of this site doesn" in response.content.decode()
    settings.JUDGE_MODEL = ""
    response = await lead_client.post("/review/rules/new/", RULE)
    assert "No judge is set up." in response.content.decode()


async def test_staff_see_verdicts_beside_messages_and_filter_by_them(
    reviewer_client: AsyncClient, reviewer: User, alice: User, bob: User, stop_server_process: None
) -> None:
    await amake_rule("mark")
    chat = await sync_to_async(say)(alice, "Hers?", "I will kill you")
    others = await sync_to_async(say)(bob, "His?", "I will kill you")
    calm = await sync_to_async(say)(alice, "Calm?", "Rivers bend.")
    await judge_new()
    client = await begin(reviewer_client)
    page = (await client.get(f"/review/{chat.pk}/")).content.decode()
    assert "Verdict: harmful in any way 96%, violence 96%" in page
    entries = AccessLogEntry.objects.filter(conversation=chat.pk, kind="read")
    assert await entries.acount() == 1
    assert (await client.get(f"/review/{others.pk}/")).status_code == 404
    for show in ("", "answers"):
        found = await client.get("/review/", {"harm": "90", "show": show})
        listed = found.content.decode()
        assert f"/review/{chat.pk}/" in listed
        assert str(others.pk) not in listed
        assert str(calm.pk) not in listed
    assert "at least" in (await client.get("/review/", {"harm": "101"})).content.decode()
