"""Agreement counts first ratings of pairs, and disagreements are settled by a decision."""

import pytest

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.errors import NotFound
from chat.review.rating_models import RatingForm
from chat.review.ratings import agreement
from chat.review.ratings.agreement import Agreement, Disagreement
from chat.review.ratings.rating_forms import current_questions
from chat.review.staff.roles import reviewer_of
from tests.review.conftest import say
from tests.support.review.ratings import rate_as


def agreements_as(user: User, form: RatingForm) -> dict[str, Agreement]:
    reviewer = reviewer_of(user)
    assert reviewer
    found = agreement.agreements(current_questions(form), agreement.compared(reviewer, form))
    return {f"{each.question.text} {each.label}".strip(): each for each in found}


def disagreements_as(user: User, form: RatingForm) -> list[Disagreement]:
    reviewer = reviewer_of(user)
    assert reviewer
    return agreement.disagreements(reviewer, agreement.compared(reviewer, form))


def test_agreement_is_counted_by_question_and_label(
    form: RatingForm, alice: User, reviewer: User, second: User, lead: User
) -> None:
    for first, other in [(1, 1), (3, 4), (5, 5)]:
        chat = say(alice, f"{first}?", "Yes.")
        rate_as(reviewer, form, chat, first, topic=0, faults=(0,))
        rate_as(second, form, chat, other, topic=0, faults=(0, 1) if first == 1 else (0,))
    found = agreements_as(lead, form)
    score = found["How good is it?"]
    assert (score.pairs, score.equal) == (3, 2)
    assert score.kappa is not None
    assert 0.9 < score.kappa < 1
    topic = found["Topic"]
    assert (topic.pairs, topic.equal, topic.kappa) == (3, 3, None)  # all are the same
    assert (found["Faults Rude"].pairs, found["Faults Rude"].equal) == (3, 2)
    assert found["Faults Rude"].kappa == 0
    assert "Why?" not in found


def test_a_rating_that_was_changed_after_seeing_others_doesnt_count_as_agreement(
    form: RatingForm, chat: Conversation, reviewer: User, second: User, lead: User
) -> None:
    rate_as(reviewer, form, chat, 1)
    rate_as(second, form, chat, 5)
    assert len(disagreements_as(lead, form)) == 1
    rate_as(reviewer, form, chat, 5)
    assert agreements_as(lead, form)["How good is it?"].equal == 0
    assert disagreements_as(lead, form) == []


def test_a_disagreement_is_settled_by_somebody_else_or_a_lead(
    form: RatingForm, chat: Conversation, reviewer: User, second: User, lead: User
) -> None:
    rate_as(reviewer, form, chat, 1)
    with pytest.raises(NotFound):
        rate_as(lead, form, chat, 3, is_decision=True)  # there is nothing to decide yet
    rate_as(second, form, chat, 5)
    with pytest.raises(NotFound):
        rate_as(reviewer, form, chat, 1, is_decision=True)
    [found] = disagreements_as(lead, form)
    assert found.questions == {current_questions(form)[0].pk}
    rate_as(lead, form, chat, 3, is_decision=True)
    assert disagreements_as(lead, form) == []


def test_erased_chats_leave_room_for_disagreements_that_can_be_settled(
    form: RatingForm,
    alice: User,
    reviewer: User,
    second: User,
    lead: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(agreement, "MAX_DISAGREEMENTS", 1)
    kept, erased = say(alice, "One?", "Yes."), say(alice, "Two?", "Yes.")
    for each in (kept, erased):
        rate_as(reviewer, form, each, 1)
        rate_as(second, form, each, 5)
    erased.delete()
    assert [each.place[0] for each in disagreements_as(lead, form)] == [kept.pk]


def test_without_second_ratings_there_is_no_agreement(
    form: RatingForm, chat: Conversation, reviewer: User, lead: User
) -> None:
    rate_as(reviewer, form, chat, 1)
    assert agreements_as(lead, form)["How good is it?"].pairs == 0
