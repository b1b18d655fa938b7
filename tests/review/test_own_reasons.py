"""A reason has a few words, and every staff change asks for its own."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.test import AsyncClient

from chat.conversations.models import Conversation
from chat.review.access_log.staff_actions import StaffAction
from chat.review.moderation import personal_limits
from chat.web.review.http.reason_fields import require_few_words
from tests.review.conftest import give, recorded_actions
from tests.support.web.access_paths import path_to, state_reason

WHY = "The parents asked for it"
RULE = {"name": "Ice", "kind": "words", "text": "ice", "applies_to": "both", "severity": "2"}
FORM = {
    "name": "Tone",
    "questions": "1",
    "question0-text": "Is it kind?",
    "question0-kind": "five",
}
SAMPLE = {"unit": "answers", "period": "day", "percent": "5"}
LIMIT = {"limit-measure": "tokens", "limit-amount": "5", "limit-until": "2999-01-01"}
#: Route, posted fields, the reason's field, and the action logged.
ACTS: list[tuple[str, dict[str, Any], str, str]] = [
    ("review/people/{user}/account/", {"groups": "GROUP"}, "reason", "group_changed"),
    ("review/people/{user}/password-reset/", {}, "reason", "reset"),
    ("review/people/{user}/sessions/", {}, "reason", "sessions_ended"),
    ("review/groups/", {"name": "New"}, "reason", "group_changed"),
    ("review/groups/{group}/", {"name": "Chorus"}, "reason", "group_changed"),
    ("review/groups/{group}/deletion/", {}, "reason", "group_changed"),
    ("review/groups/{group}/members/", {"email": "alice@example.org"}, "reason", "group_changed"),
    ("review/groups/{group}/scopes/", {"team": "TEAM"}, "reason", "scope_changed"),
    ("review/groups/{group}/retention/", {"days": "30"}, "reason", "retention_changed"),
    ("review/site/case-webhook/", {}, "reason", "site_changed"),
    (
        "review/site/service-keys/",
        {"name": "SIEM", "scopes": "audit", "lifetime": "90"},
        "reason",
        "service_key_created",
    ),
    ("review/people/{user}/scopes/", {"whom": "everyone"}, "reason", "scope_changed"),
    ("review/sites/{site}/scopes/", {"team": "TEAM"}, "reason", "scope_changed"),
    ("review/groups/{group}/access/", {}, "reason", "access_changed"),
    ("review/quotas/{kind}/{key}/", {"member-tokens": "7"}, "reason", "quota_changed"),
    ("review/invitations/", {"people": "new@example.org"}, "reason", "invited"),
    ("review/invitations/{invitation}/withdrawal/", {}, "reason", "invited"),
    ("review/rules/new/", RULE, "reason", "rules_changed"),
    ("review/rules/{rule}/", RULE, "reason", "rules_changed"),
    ("review/rules/{rule}/withdrawal/", {}, "reason", "rule_withdrawn"),
    ("review/rules/{rule}/deletion/", {}, "reason", "rules_changed"),
    ("review/rating-forms/new/", FORM, "reason", "forms_changed"),
    ("review/rating-forms/{form}/questions/", FORM, "reason", "forms_changed"),
    ("review/rating-forms/{form}/deletion/", {}, "reason", "forms_changed"),
    ("review/rating-forms/{form}/samples/new/", SAMPLE, "reason", "forms_changed"),
    ("review/rating-forms/{form}/samples/{sample}/", SAMPLE, "reason", "forms_changed"),
    ("review/rating-forms/{form}/samples/{sample}/deletion/", {}, "reason", "forms_changed"),
    ("review/cases/{case}/resolution/", {"outcome": "dismissed"}, "resolve-reason", "resolved"),
    ("review/{conversation}/messages/{message}/redaction/", {}, "reason", "hidden"),
    ("review/{conversation}/closure/", {}, "reason", "closed"),
    ("review/{conversation}/legal-hold/", {}, "reason", "held"),
    ("review/people/{person}/warning/", {"warning-text": "Mind"}, "warning-reason", "warned"),
    ("review/people/{person}/warnings/{warning}/withdrawal/", {}, "reason", "unwarned"),
    ("review/people/{person}/suspension/", {}, "suspension-reason", "suspended"),
    ("review/people/{person}/limit/", LIMIT, "limit-reason", "limited"),
    ("review/people/{person}/limit/", {"undo": "yes"}, "reason", "freed"),
    ("review/sites/{site}/suspension/", {}, "suspension-reason", "suspended"),
    ("review/sites/{site}/limit/", LIMIT, "limit-reason", "limited"),
]


@pytest.mark.parametrize("text", ["x", "Spam", "A report", "... ... ...", "  a   b  ", "犯罪", ""])
def test_too_few_words_are_not_a_reason(text: str) -> None:
    with pytest.raises(ValidationError, match="at least three words"):
        require_few_words(text)


@pytest.mark.parametrize(
    "text",
    [
        "A parent called",
        "Report 7 of May",
        "Meldung der Mutter",
        "بلاغ من والدتها",
        "保護者からの連絡",
    ],
)
def test_a_few_words_of_any_language_are_a_reason(text: str) -> None:
    require_few_words(text)


def prepared(route: str, sent: dict[str, Any], chat: Conversation) -> tuple[str, dict[str, Any]]:
    """Return the path and fields with the IDs of existing rows."""
    numbers = {"GROUP": "Choir", "TEAM": "Reviewing"}
    if "TEAM" in sent.values():
        team = Group.objects.create(name="Reviewing")
        team.permissions.add(*give(chat.owner, "review").user_permissions.all())
    filled = {
        name: Group.objects.get(name=numbers[value]).pk if value in numbers else value
        for name, value in sent.items()
    }
    if "undo" in sent:
        personal_limits.Limit.objects.create(
            scope="member", measure="tokens", amount=5, user=chat.owner, by_review=True
        )
    return path_to(route, chat), filled


@pytest.mark.every_variant
@pytest.mark.parametrize(("route", "sent", "field", "kind"), ACTS)
async def test_every_action_asks_for_its_own_reason(
    route: str, sent: dict[str, Any], field: str, kind: str,
    hers: Conversation, staff: list[AsyncClient],
) -> None:  # fmt: skip
    adam = staff[3]
    alice = {"user_id": hers.owner_id, "email": "alice@example.org", "verified": True}
    await EmailAddress.objects.acreate(**alice)
    await state_reason(adam)  # that of the look is none of these
    path, filled = await sync_to_async(prepared)(route, sent, hers)
    for reason in ({}, {field: ""}, {field: "x"}, {field: "A report"}):
        refused = await adam.post(path, filled | reason)
        assert refused.status_code == 422, (path, reason)
    assert not await recorded_actions().aexists()
    done = await adam.post(path, filled | {field: WHY})
    assert done.status_code in {200, 302}, path
    row = await recorded_actions().afirst()
    assert row
    assert (row.kind, row.reason) == (kind, WHY)


async def test_typed_text_is_resubmitted_with_the_reason(
    hers: Conversation, staff: list[AsyncClient]
) -> None:
    adam = staff[3]
    asked = await adam.post("/review/groups/", {"name": "New", "reason": "so"})
    page = asked.content.decode()
    assert asked.status_code == 422
    assert "Reason for this action" in page
    assert '<input type="hidden" name="name" value="New">' in page
    assert 'value="so"' in page
    assert "Enter a reason of at least three words." in page
    first = (await adam.post("/review/groups/", {"name": "New"})).content.decode()
    assert "at least three words" not in first  # nobody was asked yet


async def test_a_script_gets_an_error_if_the_reason_is_missing(staff: list[AsyncClient]) -> None:
    headers = {"Accept": "application/json"}
    refused = await staff[3].post("/review/groups/", {"name": "New"}, headers=headers)
    assert refused.status_code == 403
    assert not await StaffAction.objects.filter(detail="+ New").aexists()
