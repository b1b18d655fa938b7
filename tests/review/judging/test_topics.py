"""A judge tells which of the site's topics a question is about, for filters and analytics."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.quotas.models import Charge
from chat.review.analytics import rollup
from chat.review.models import ConversationStats
from chat.review.search import answer_search, conversation_search
from chat.review.search.conversation_search import ConversationFacets
from chat.review.verdict_models import MessageVerdict
from chat.site_settings import effective, stored_settings
from tests.review.conftest import say, staff_context_of
from tests.support.generations.masked_requests import store_settings
from tests.support.review.judging import amake_rule, judge_new
from tests.support.review.reason_for_access import begin

TOPICS = ["Payroll: salary, payslips", "Leave: holidays, sick days", "Canteen"]
asay = sync_to_async(say)
astore = sync_to_async(store_settings)


async def topics() -> dict[str, str]:
    rows = MessageVerdict.objects.order_by("message").values_list("message__text", "topic")
    return {text: topic async for text, topic in rows}


async def test_the_topic_of_answered_questions_is_told_and_paid_for(
    alice: User, stop_server_process: None
) -> None:
    await astore(TOPICS=TOPICS, TOPIC_SHARE=100)
    paid = await asay(alice, "When do I get my salary?", "On the last day.")
    await asay(alice, "How many holidays have I got?", "Thirty.")
    await asay(alice, "What is the tallest mountain?", "Everest.")
    await judge_new()
    assert await topics() == {"On the last day.": "Payroll", "Thirty.": "Leave", "Everest.": ""}
    stats = await ConversationStats.objects.aget(pk=paid.pk)
    assert stats.topics == "\nPayroll\n"
    assert await Charge.objects.acount() == 3
    await judge_new()
    assert await Charge.objects.acount() == 3


async def test_without_topics_nothing_is_judged(alice: User, stop_server_process: None) -> None:
    await astore(TOPIC_SHARE=100)
    await asay(alice, "When do I get my salary?", "On the last day.")
    await judge_new()
    assert await topics() == {}
    await astore(TOPICS=TOPICS, TOPIC_SHARE=0)
    await asay(alice, "When do I get my salary?", "On the last day.")
    await judge_new()
    assert await topics() == {}


async def test_what_rules_have_judged_gets_a_topic_too(
    alice: User, stop_server_process: None
) -> None:
    await amake_rule(applies_to="answers")
    await astore(TOPICS=TOPICS)
    await asay(alice, "When do I get my salary?", "On the last day.")
    await judge_new()
    assert await topics() == {"On the last day.": "Payroll"}


async def test_a_share_of_the_answers_is_judged(alice: User, stop_server_process: None) -> None:
    await astore(TOPICS=TOPICS, TOPIC_SHARE=30)
    for number in range(60):
        await asay(alice, f"{number}: salary?", f"{number}")
    await judge_new()
    assert 5 < len(await topics()) < 35


async def test_judges_without_questions_are_not_asked(
    alice: User, stop_server_process: None, settings: Any
) -> None:
    settings.JUDGE_MODEL = "@cf/meta/llama-guard-3-8b"
    await astore(TOPICS=TOPICS, TOPIC_SHARE=100)
    await asay(alice, "When do I get my salary?", "On the last day.")
    await judge_new()
    assert await topics() == {}


async def test_unanswered_questions_are_counted_by_topic_and_found(
    alice: User, bob: User, lead: User, lead_client: AsyncClient
) -> None:
    await astore(TOPICS=TOPICS, TOPIC_SHARE=100)
    failing = await asay(alice, "When do I get my salary?", "Unfortunately I don't know.")
    await asay(bob, "What is on my payslips?", "Your salary.")
    await asay(bob, "What is in the canteen?", "Soup.")
    await judge_new()
    await sync_to_async(rollup.recount)()
    client = await begin(lead_client)
    rows = (await client.get("/review/analytics/topics.json")).json()["topics"]
    assert [(each["topic"], each["times"], each["judged"]) for each in rows] == [
        ("Payroll", 1, 2),
        ("Canteen", 0, 1),
    ]
    shown = (await client.get("/review/analytics/")).content.decode()
    assert "Not answered, by topic" in shown
    assert "topic=Payroll&amp;unanswered=50" in shown
    reviewer = (await sync_to_async(staff_context_of)(lead)).reviewer
    facets = ConversationFacets(topic="Payroll", unanswered_percent=50)
    found = [each.message.conversation_id async for each in _answers(reviewer, facets)]
    assert found == [failing.pk]
    chats = conversation_search.stats_of(reviewer, facets)
    assert [each.pk async for each in chats] == [failing.pk]
    page = (await client.get(f"/review/{failing.pk}/")).content.decode()
    assert "<dt>Topic</dt><dd><bdi>Payroll</bdi></dd>" in page
    listed = (await client.get("/review/?topic=Payroll&unanswered=50")).content.decode()
    assert str(failing.pk) in listed


def _answers(reviewer: Any, facets: ConversationFacets) -> Any:
    return answer_search.answers_of(reviewer, facets).select_related("message")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (": salary", "Begin each line with a name"),
        ("x" * 41, "Begin each line with a name"),
        ("Payroll: a\nPayroll: b", "Give each topic a name of its own."),
        ("\n".join(f"Topic {number}" for number in range(21)), "Enter at most 20 lines."),
    ],
)
async def test_impossible_topics_are_refused_with_the_reason(
    administrator_client: AsyncClient, lines: str, said: str
) -> None:
    filled = {"topics": lines, "reason": "We want to know more"}
    sent = await administrator_client.post("/review/site/judge/", filled)
    assert sent.status_code == 422
    assert said in sent.content.decode()
    assert await sync_to_async(effective.topics)() == []


async def test_an_administrator_sets_topics(administrator_client: AsyncClient) -> None:
    filled = {"topics": "\n".join(TOPICS), "topic_share": "25", "reason": "We want to know more"}
    assert (await administrator_client.post("/review/site/judge/", filled)).status_code == 302
    await sync_to_async(stored_settings.refresh)()
    assert [each.name for each in effective.topics()] == ["Payroll", "Leave", "Canteen"]
    assert effective.topic_share() == 25
    shown = (await administrator_client.get("/review/site/judge/")).content.decode()
    assert "Payroll: salary, payslips" in shown
    assert 'value="25"' in shown
