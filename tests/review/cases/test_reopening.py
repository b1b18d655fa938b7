"""Resolved cases can be reopened."""

import pytest
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.errors import Conflict
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case, Flag, Rule
from chat.review.cases import flags, workflow
from chat.review.cases.holds import LegalHold
from chat.review.cases.rule_subjects import RuleSubject
from tests.review.conftest import give, recorded_actions, say, staff_context_of
from tests.support.review.cases import State


def is_held(case: Case) -> bool:
    return Conversation.all_objects.get(pk=case.conversation_id).held_at is not None


@pytest.fixture
def resolved(case: Case, reviewer: User) -> Case:
    return workflow.resolve(staff_context_of(reviewer), case.pk, "dismissed", "It is harmless")


def test_a_reopened_case_holds_its_chat_again(resolved: Case, reviewer: User) -> None:
    assert LegalHold.objects.get().ends_at
    case = workflow.reopen(staff_context_of(reviewer), resolved.pk)
    assert (case.state, case.assignee, case.outcome) == (State.OPEN, None, "")
    assert (case.resolved_by, case.resolved_at, case.resolution_note) == (None, None, "")
    assert LegalHold.objects.get().ends_at is None
    assert is_held(case)
    newest = recorded_actions().order_by("-pk")[0]
    assert (newest.kind, newest.detail) == (
        StaffAction.Kind.CASE_REOPENED,
        f"{case.pk}: dismissed",
    )


def test_a_reopened_case_goes_back_to_who_had_it(case: Case, reviewer: User, lead: User) -> None:
    workflow.claim(staff_context_of(reviewer), case.pk)
    workflow.resolve(staff_context_of(lead), case.pk, "dismissed", "It is harmless")
    assert workflow.reopen(staff_context_of(lead), case.pk).assignee == reviewer


def test_a_reopened_case_goes_to_nobody_if_who_had_it_may_no_longer_review_it(
    case: Case, reviewer: User, lead: User
) -> None:
    workflow.claim(staff_context_of(reviewer), case.pk)
    workflow.resolve(staff_context_of(lead), case.pk, "dismissed", "It is harmless")
    reviewer.user_permissions.clear()
    reopened = workflow.reopen(staff_context_of(lead), case.pk)
    assert (reopened.state, reopened.assignee) == (State.OPEN, None)


def test_only_leads_reopen_what_others_resolved(resolved: Case, pupils: Group, lead: User) -> None:
    ben = give(User.objects.create_user("ben@example.org", "tide table"), "review", pupils)
    with pytest.raises(Conflict) as refusal:
        workflow.reopen(staff_context_of(ben), resolved.pk)
    assert refusal.value.public == "rita@example.org has already resolved this case."
    assert not workflow.reopen(staff_context_of(lead), resolved.pk).is_resolved


def test_a_chat_keeps_one_open_case(resolved: Case, reviewer: User, alice: User) -> None:
    flags.report(resolved.conversation_id, None, alice.pk, "harmful", "")
    with pytest.raises(Conflict) as refusal:
        workflow.reopen(staff_context_of(reviewer), resolved.pk)
    assert refusal.value.public == "This chat has another open case."
    resolved.refresh_from_db()
    assert resolved.is_resolved
    assert not recorded_actions().filter(kind=StaffAction.Kind.CASE_REOPENED).exists()


@pytest.mark.parametrize("holds", [True, False])
def test_a_rule_decides_whether_its_matches_hold_the_chat(
    alice: User, lead: User, *, holds: bool
) -> None:
    rule = Rule.objects.create(name="Ice", kind="words", text="ice", holds_chats=holds)
    chat = say(alice, "Rivers", "Ice")
    message = chat.messages.latest("pk")
    assert flags.flag_match(
        rule, RuleSubject(message.pk, chat.pk, alice.pk, message.role, message.text, 0, 0)
    )
    case = Case.objects.get()
    assert is_held(case) == holds
    workflow.resolve(staff_context_of(lead), case.pk, "confirmed", "It is ice")
    workflow.reopen(staff_context_of(lead), case.pk)
    assert is_held(case) == holds
    flags.report(chat.pk, None, alice.pk, "wrong", "")
    assert is_held(case)
    assert Flag.objects.count() == 2
