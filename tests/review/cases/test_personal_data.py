"""Kinds of personal data are known of new and past messages, and rules act on them."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import AsyncClient

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.lib.personal_data import finder
from chat.review.case_models import Flag, PendingRuleCheck, Rule
from chat.review.cases import message_facts, personal_data
from chat.review.cases.dry_run import dry_run
from chat.review.judging import questions
from chat.review.personal_data_models import MessagePersonalData, PersonalDataScan, kinds_of
from chat.review.search import answer_search, conversation_search
from chat.review.search.conversation_search import ConversationFacets
from chat.review.staff.roles import Reviewer
from tests.review.conftest import say, staff_context_of
from tests.support.generations.masked_requests import store_settings
from tests.support.generations.send import send
from tests.support.review.cases import check_new
from tests.support.review.reason_for_access import begin, page

PHONE, EMAIL = "+49 171 2345678", "ada@example.org"
RULE = {
    "name": "Numbers", "kind": "personal", "text": "", "data_kinds": ["phone", "card"],
    "threshold": "", "category": "", "share": "100", "action": "queue", "applies_to": "both",
    "severity": "2", "is_enabled": "on", "sample": "", "reason": "It was agreed",
}  # fmt: skip
ITS_KINDS = "phone card"


def make(**values: Any) -> Rule:
    given = {"name": "Numbers", "kind": "personal", "data_kinds": ITS_KINDS, **values}
    rule = Rule.objects.create(**given)
    questions.refresh()
    return rule


def known() -> dict[str, dict[str, int]]:
    """Return the kinds of each message, by its text."""
    messages = Message.objects.all()
    kinds = kinds_of([each.pk for each in messages])
    return {each.text: kinds[each.pk] for each in messages if each.pk in kinds}


def test_kinds_and_numbers_are_stored_but_no_value(alice: User) -> None:
    say(alice, f"Call {PHONE} or {EMAIL}, bob@example.org", "Sure, I won't.")
    check_new()
    assert known() == {f"Call {PHONE} or {EMAIL}, bob@example.org": {"phone": 1, "email": 2}}
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM chat_messagepersonaldata")
        assert "2345678" not in str(cursor.fetchall())
    assert not PendingRuleCheck.objects.exists()


def test_an_answer_that_is_continued_is_looked_at_again(alice: User) -> None:
    chat = say(alice, "Whose?", f"Call {PHONE}")
    answer = chat.messages.get(role="assistant")
    check_new()
    Message.objects.filter(pk=answer.pk).update(text=f"Write to {EMAIL}")
    PendingRuleCheck.objects.create(message=answer.pk)
    check_new()
    assert kinds_of([answer.pk]) == {answer.pk: {"email": 1}}
    Message.objects.filter(pk=answer.pk).delete()
    assert not MessagePersonalData.objects.exists()


def test_a_text_that_can_not_be_read_stops_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise IndexError(PHONE)

    say(alice, f"Call {PHONE}")
    monkeypatch.setattr(finder, "kinds_in", fail)
    check_new()
    assert not PendingRuleCheck.objects.exists()
    assert known() == {}


def test_with_reading_off_nothing_is_noted(alice: User, settings: Any) -> None:
    settings.REVIEW_PRIVACY = "off"
    say(alice, f"Call {PHONE}")
    check_new()
    assert not message_facts.note_past()
    assert not MessagePersonalData.objects.exists()
    assert not PendingRuleCheck.objects.exists()


def test_past_messages_are_looked_at_once_and_again_for_another_country(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_facts, "PAST_AT_ONCE", 2)
    for number in range(5):
        say(alice, f"{number}: 06 12 34 56 78, {EMAIL}")
    PendingRuleCheck.objects.all().delete()
    steps = 0
    while message_facts.note_past():
        steps += 1
    assert steps == 3
    assert list(known().values()) == [{"email": 1}] * 5
    assert PersonalDataScan.objects.get().before is None
    assert not message_facts.note_past()
    store_settings(PHONE_REGION="FR")
    while message_facts.note_past():
        pass
    assert list(known().values()) == [{"email": 1, "phone": 1}] * 5


def test_chats_and_answers_are_filtered_by_kind(alice: User, lead: User) -> None:
    asked = say(alice, f"Call {PHONE}", "No.")
    answered = say(alice, "Whom?", f"Call {PHONE}")
    mailed = say(alice, EMAIL, "Thanks.")
    check_new()
    reviewer: Reviewer = staff_context_of(lead).reviewer

    def chats(kind: str) -> set[Any]:
        facets = ConversationFacets(personal_data=kind)
        return {each.pk for each in conversation_search.page(reviewer, facets)[0]}

    assert chats("phone") == {asked.pk, answered.pk}
    assert chats("email") == {mailed.pk}
    assert chats("any") == {asked.pk, answered.pk, mailed.pk}
    assert chats("iban") == set()
    answers = answer_search.answers_of(reviewer, ConversationFacets(personal_data="phone"))
    assert [each.message.conversation_id for each in answers] == [answered.pk]
    answered.messages.update(deleted_at=answered.created_at)
    assert chats("phone") == {asked.pk}


def test_a_rule_is_tried_on_what_is_known_of_past_messages(alice: User, lead: User) -> None:
    for number in range(3):
        say(alice, f"{number}: {PHONE}", EMAIL)
    check_new()
    while message_facts.note_past():
        pass
    reviewer = staff_context_of(lead).reviewer
    found = dry_run(reviewer, Rule(kind="personal", data_kinds="phone iban"))
    assert (found.checked, found.matches, found.chats) == (6, 3, 3)
    store_settings(PHONE_REGION="FR")  # all messages are looked at again, so nothing is known yet
    MessagePersonalData.objects.all().delete()
    assert dry_run(reviewer, Rule(kind="personal", data_kinds="phone")).matches == 3


def test_a_rule_flags_only_its_kinds(alice: User) -> None:
    make()
    say(alice, f"Call {PHONE}")
    say(alice, f"Write to {EMAIL}")
    check_new()
    assert [Message.objects.get(pk=each.message).text for each in Flag.objects.all()] == [
        f"Call {PHONE}"
    ]


def test_a_rule_hides_a_message_whose_kinds_stay_known(alice: User) -> None:
    make(action="cover")
    chat = say(alice, f"Call {PHONE}")
    check_new()
    message = chat.messages.get()
    assert message.hidden_at
    assert kinds_of([message.pk]) == {message.pk: {"phone": 1}}
    message_facts.note_past()
    assert kinds_of([message.pk]) == {message.pk: {"phone": 1}}


async def test_a_rule_refuses_a_question(alice: User, alice_client: AsyncClient) -> None:
    await sync_to_async(make)(action="refuse", applies_to="questions")
    response = await send(alice_client, text=f"Call {PHONE}")
    assert response.status_code == 403
    assert response.json()["error"]["code"] == "question_refused"
    assert (await send(alice_client, text=EMAIL)).status_code == 200


async def test_a_lead_makes_tries_and_changes_a_rule(
    alice: User, lead_client: AsyncClient, lead: User
) -> None:
    await sync_to_async(say)(alice, f"Call {PHONE}")
    tried = await lead_client.post("/review/rules/new/", {
        **RULE, "try": "1", "sample": f"{EMAIL} and {PHONE}",
    })  # fmt: skip
    assert f"<mark>{PHONE}</mark>" in tried.content.decode()
    assert f"<mark>{EMAIL}</mark>" not in tried.content.decode()
    await begin(lead_client)
    past = (await lead_client.post("/review/rules/trial/", RULE)).content.decode()
    assert "Matches in 1 chat" in past
    assert f"<mark>{PHONE}</mark>" in past
    assert (await lead_client.post("/review/rules/new/", RULE)).status_code == 302
    rule = await Rule.objects.aget()
    assert (rule.kind, rule.data_kinds) == ("personal", ITS_KINDS)
    form = (await lead_client.get(f"/review/rules/{rule.pk}/")).content.decode()
    assert form.count("checked") >= 2
    changed = RULE | {"data_kinds": ["email"], "action": "mark"}
    assert (await lead_client.post(f"/review/rules/{rule.pk}/", changed)).status_code == 302
    await rule.arefresh_from_db()
    assert (rule.data_kinds, rule.action) == ("email", "mark")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"data_kinds": []}, "Choose at least one kind."),
        ({"data_kinds": ["name"]}, "Select a valid choice."),
        ({"action": "refuse", "applies_to": "answers"}, "Only questions can be refused."),
    ],
)
async def test_an_impossible_rule_is_refused_with_the_reason(
    lead_client: AsyncClient, lead: User, changed: dict[str, Any], said: str
) -> None:
    response = await lead_client.post("/review/rules/new/", RULE | changed)
    assert response.status_code == 422
    assert said in response.content.decode()


async def test_staff_see_the_kinds_beside_a_message_and_filter_by_them(
    alice: User, lead_client: AsyncClient, lead: User
) -> None:
    chat = await sync_to_async(say)(alice, f"Call {PHONE}, {EMAIL}, bob@example.org")
    await sync_to_async(check_new)()
    await begin(lead_client)
    read = await page(lead_client, f"/review/{chat.pk}/")
    assert "Contains: email address (2), phone number" in read
    listed = await page(lead_client, "/review/", personal="card")
    assert str(chat.pk) not in listed
    response = await lead_client.get("/review/?personal=name")
    assert response.status_code == 422


def test_long_messages_are_looked_at_one_by_one(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(alice, f"Call {PHONE}" + " and again" * 20, "No. " * 50)
    monkeypatch.setattr(message_facts, "BYTES_AT_ONCE", 100)
    looked_at: list[int] = []
    monkeypatch.setattr(message_facts, "note", lambda ids: looked_at.append(len(ids)))
    check_new()
    while message_facts.note_past():
        pass
    assert looked_at == [1, 1, 1, 1, 0]


async def test_what_was_looked_at_in_steps_is_known_to_the_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "Call +49 171 2345678 soon. " * 1000
    monkeypatch.setattr(personal_data.effective, "phone_region", lambda: "")
    await personal_data.look_in_steps("user:1", text)
    monkeypatch.setattr(finder, "_find", None)
    assert personal_data.KindsPattern(["phone"]).search(text)
