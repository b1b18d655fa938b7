"""Flags of a chat form one case, and the chat's stats follow."""

from typing import Any

import pytest
from django.db import transaction

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.conversations.ratings import Opinion
from chat.errors import NotFound, RateLimitExceeded
from chat.generations.deletion.soft_delete import delete
from chat.review.case_models import Case, Flag, Severity
from chat.review.cases import flags, workflow
from chat.review.models import ConversationStats
from tests.review.conftest import say, staff_context_of
from tests.support.review.cases import erase

DOWN, UP = Opinion(-1, "wrong", "Not so"), Opinion(1)


@pytest.fixture
def answer(alice: User) -> Message:
    return say(alice, "Where do rivers begin?", "In the sea").messages.get(role="assistant")


def report(answer: Message, reason: str = "wrong", words: str = "No") -> Flag:
    return flags.report(answer.conversation_id, answer, answer.conversation.owner_id, reason, words)


def thumb(answer: Message, opinion: Opinion | None) -> None:
    flags.flag_rating(answer, answer.conversation.owner_id, opinion)


def test_flags_of_a_chat_form_one_case_with_the_highest_severity(answer: Message) -> None:
    report(answer)
    assert Case.objects.get().severity == Severity.LOW
    report(answer, "harmful")
    thumb(answer, DOWN)
    case = Case.objects.get()
    assert (case.flags.count(), case.severity) == (3, Severity.HIGH)
    assert case.conversation_id == answer.conversation_id
    assert not case.is_resolved


def test_after_a_case_is_resolved_the_next_flag_opens_another(answer: Message, lead: User) -> None:
    first = report(answer).case
    workflow.resolve(staff_context_of(lead), first.pk, "dismissed")
    assert Case.objects.get().is_resolved
    second = report(answer).case
    assert second.pk != first.pk
    assert not second.is_resolved


def test_stats_follow_cases_and_flags(answer: Message, lead: User) -> None:
    def facts() -> tuple[int, int]:
        row = ConversationStats.objects.get()
        return row.case_state, row.flag_sources

    assert facts() == (0, 0)
    case = report(answer).case
    assert facts() == (Case.State.OPEN, Flag.Source.REPORT)
    thumb(answer, DOWN)
    workflow.claim(staff_context_of(lead), case.pk)
    assert facts() == (Case.State.IN_WORK, Flag.Source.REPORT | Flag.Source.THUMB)
    thumb(answer, UP)
    assert facts() == (Case.State.IN_WORK, Flag.Source.REPORT)
    workflow.resolve(staff_context_of(lead), case.pk, "confirmed")
    assert facts() == (Case.State.RESOLVED, Flag.Source.REPORT)
    erase(case)
    assert Flag.objects.exists()
    assert not ConversationStats.objects.exists()


def test_a_withdrawn_thumbs_down_removes_its_unclaimed_case(answer: Message) -> None:
    thumb(answer, Opinion(-1))
    thumb(answer, DOWN)  # the reason comes a moment later
    flag = Flag.objects.get()
    assert (flag.reason, flag.comment) == ("wrong", "Not so")
    thumb(answer, None)
    assert not Case.objects.exists()
    assert ConversationStats.objects.get().case_state == 0


def test_a_claimed_case_stays(answer: Message, lead: User) -> None:
    thumb(answer, DOWN)
    workflow.claim(staff_context_of(lead), Case.objects.get().pk)
    thumb(answer, UP)
    assert Case.objects.get().flags.count() == 0


def test_reports_of_one_person_about_one_chat_are_limited(answer: Message) -> None:
    for number in range(flags.MAX_REPORTS):
        report(answer, words=str(number))
    with pytest.raises(RateLimitExceeded, match="rate_limit_exceeded"):
        report(answer)


def test_with_review_turned_off_nothing_is_flagged(answer: Message, settings: Any) -> None:
    settings.REVIEW_PRIVACY = "off"
    thumb(answer, DOWN)
    with pytest.raises(NotFound):
        report(answer)
    assert not Case.objects.exists()


def test_staff_flag_chats_in_their_scope(reviewer: User, answer: Message, bob: User) -> None:
    flags.flag(staff_context_of(reviewer), answer.conversation_id, "Look at this")
    assert Flag.objects.get().person == reviewer
    with pytest.raises(NotFound):
        flags.flag(staff_context_of(reviewer), say(bob, "Lakes").pk, "And this")


def test_a_flag_outlives_its_message(answer: Message, reviewer: User, lead: User) -> None:
    report(answer)
    case = Case.objects.get()
    Message.objects.filter(pk=answer.pk).update(deleted_at="2026-01-01T00:00Z")
    assert case.flags.get().message == answer.pk
    with transaction.atomic():
        delete(answer.conversation)
    with pytest.raises(NotFound):
        workflow.claim(staff_context_of(reviewer), case.pk)  # its owner has deleted the chat
    assert workflow.claim(staff_context_of(lead), case.pk)  # but it is held
