"""The pages for rules: who creates them, and what is refused."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.errors import BadRequest, NotFound
from chat.review.case_models import Rule
from chat.review.cases import rules
from tests.review.conftest import give, staff_context_of

RULE = {
    "name": "Ice", "kind": "words", "text": "glacier", "threshold": "", "applies_to": "both",
    "severity": "2", "is_enabled": "on", "sample": "A Glacier, there", "reason": "A report of ice",
}  # fmt: skip


async def test_a_rule_is_tried_saved_changed_and_removed(
    lead_client: AsyncClient, lead: User
) -> None:
    shown = (await lead_client.post("/review/rules/new/", RULE | {"try": "1", "name": ""})).content
    assert "A <mark>Glacier</mark>, there" in shown.decode()
    assert not await Rule.objects.aexists()
    await lead_client.post("/review/rules/new/", RULE)
    rule = await Rule.objects.aget()
    assert (rule.name, rule.text, rule.created_by_id) == ("Ice", "glacier", lead.pk)
    path = f"/review/rules/{rule.pk}/"
    assert "Ice" in (await lead_client.get("/review/rules/")).content.decode()
    await lead_client.post(path, RULE | {"kind": "length", "threshold": "9000", "is_enabled": ""})
    await rule.arefresh_from_db()
    assert (rule.kind, rule.threshold, rule.is_enabled) == ("length", 9000, False)
    await lead_client.post(f"{path}backfill/")
    await rule.arefresh_from_db()
    assert rule.backfill_before
    assert "deletion/" not in (await lead_client.get("/review/rules/")).content.decode()
    asked = (await lead_client.get(path)).content.decode()  # one opens it, and reads what stays
    assert f'action="{path}deletion/"' in asked.partition("Cases it opened stay")[2]
    await lead_client.post(f"{path}deletion/", {"reason": "The ice is gone"})
    assert not await Rule.objects.aexists()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kind": "pattern", "text": "(a"}, "Unclosed “(”."),
        ({"kind": "pattern", "text": "(?<=<i>x)"}, "Lookahead and lookbehind"),
        ({"text": ""}, "Enter one or more words"),
        ({"kind": "length", "threshold": ""}, "Enter a number."),
        ({"kind": "length", "threshold": "many"}, "Enter a number from"),
        ({"name": "x" * 61}, "Shorten it"),
        ({"text": "x" * 2001}, "Shorten it"),
    ],
)
async def test_an_invalid_rule_is_refused_with_the_reason(
    lead_client: AsyncClient, lead: User, changed: dict[str, str], said: str
) -> None:
    response = await lead_client.post("/review/rules/new/", RULE | changed)
    assert response.status_code == 422
    shown = response.content.decode()
    assert said in shown
    assert "<i>" not in shown
    assert not await Rule.objects.aexists()


async def test_a_lead_creates_rules_within_their_scope(
    reviewer_client: AsyncClient, reviewer: User, pupils: Any, lead: User
) -> None:
    await sync_to_async(give)(reviewer, "lead_review")
    others = await Rule.objects.acreate(name="Everybody's", kind="words", text="x")
    assert (await reviewer_client.get(f"/review/rules/{others.pk}/")).status_code == 404
    refused = await reviewer_client.post("/review/rules/new/", RULE)
    assert "Choose whose chats this rule checks." in refused.content.decode()
    await reviewer_client.post("/review/rules/new/", RULE | {"members": str(pupils.pk)})
    assert (await Rule.objects.aget(name="Ice")).members_id == pupils.pk
    assert "Everyone" not in (await reviewer_client.get("/review/rules/")).content.decode()


async def test_a_lead_without_a_scope_creates_no_rules(
    lead_client: AsyncClient, lead: User, pupils: Any
) -> None:
    await lead.review_scopes.all().adelete()
    refused = await lead_client.post("/review/rules/new/", RULE)
    assert refused.status_code == 422
    assert "Choose whose chats this rule checks." in refused.content.decode()
    for about in ({}, {"members": pupils}):
        with pytest.raises(BadRequest):
            await sync_to_async(keep)(lead, Rule(name="Ice", kind="words", text="x", **about))
    assert not await Rule.objects.aexists()


def keep(user: User, rule: Rule) -> None:
    rules.save_rule(staff_context_of(user), rule)


def test_saving_a_rule_keeps_its_counters(lead: User) -> None:
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
