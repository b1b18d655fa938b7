"""Ratings are evidence: rating again keeps the former rating, and changed questions keep theirs."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.db.models import ProtectedError
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.errors import NotFound
from chat.review.access_log.staff_actions import StaffAction
from chat.review.rating_models import RatingForm, StaffRating, StaffRatingText
from chat.review.ratings import figures, rating_forms
from chat.review.ratings.opinions import opinions_on
from chat.review.ratings.rate import OwnChatRated
from chat.review.ratings.rating_forms import QuestionDraft, current_questions
from chat.review.ratings.subjects import Subject, facts_of
from chat.review.utc_days import today
from tests.review.conftest import give, say, staff_context_of
from tests.support.generations.purge import sweep
from tests.support.review.ratings import QUESTIONS, Kind, answer_of, as_reviewer, make_form, rate_as


def subject_of(conversation: Conversation) -> Subject:
    answer = answer_of(conversation)
    return Subject(conversation, answer, facts_of(conversation, answer))


def drafts_of(form: RatingForm, **changes: str) -> list[QuestionDraft]:
    """Return the form's questions as entered, with another text for some."""
    return [
        QuestionDraft(
            changes.get(each.text, each.text),
            each.kind,
            each.least_label,
            each.most_label,
            each.labels,
            each.pk,
        )
        for each in current_questions(form)
    ]


def test_raters_see_others_only_after_their_own_rating(
    form: RatingForm, chat: Conversation, reviewer: User, second: User
) -> None:
    rate_as(reviewer, form, chat, 2, "Too short")
    before = opinions_on(as_reviewer(second), [form], subject_of(chat))[0]
    assert before.is_blind
    assert (before.own, before.others) == (None, [])
    rate_as(second, form, chat, 4)
    after = opinions_on(as_reviewer(second), [form], subject_of(chat))[0]
    [other] = after.others
    assert other.rater == reviewer
    assert [words for _question, words in other.answers] == ["2", "School", "–", "Too short"]


def test_a_lead_is_blind_too_until_they_decide(
    form: RatingForm, chat: Conversation, reviewer: User, second: User, lead: User
) -> None:
    rate_as(reviewer, form, chat, 2)
    rate_as(second, form, chat, 4)
    assert opinions_on(as_reviewer(lead), [form], subject_of(chat))[0].is_blind
    deciding = opinions_on(as_reviewer(lead), [form], subject_of(chat), form.pk)[0]
    assert [each.rater for each in deciding.others] == [reviewer, second]


def test_rating_again_keeps_the_former_rating(
    form: RatingForm, chat: Conversation, reviewer: User
) -> None:
    rate_as(reviewer, form, chat, 2, "Too short")
    rate_as(reviewer, form, chat, 5, "Read it again")
    opinions = opinions_on(as_reviewer(reviewer), [form], subject_of(chat))[0]
    assert opinions.own
    assert (opinions.own.former, opinions.own.answers[0][1]) == (1, "5")
    assert StaffRating.objects.count() == 2
    assert set(StaffRatingText.objects.values_list("text", flat=True)) == {
        "Too short",
        "Read it again",
    }


def test_each_rating_is_a_recorded_action(
    form: RatingForm, chat: Conversation, reviewer: User
) -> None:
    rating = rate_as(reviewer, form, chat, 2)
    action = StaffAction.objects.get(kind="rated")
    assert (action.actor, action.person, action.message) == (
        reviewer.pk,
        chat.owner_id,
        answer_of(chat),
    )
    assert action.detail == f"Quality: {rating.pk}"


def test_nobody_rates_beyond_their_scope_or_their_own_chats(
    form: RatingForm, chat: Conversation, bob: User, lead: User
) -> None:
    choir = Group.objects.create(name="Choir")
    stranger = give(bob, "review", choir)
    with pytest.raises(NotFound):
        rate_as(stranger, form, chat, 2)
    hers = say(lead, "Am I good?", "Yes.")
    with pytest.raises(OwnChatRated):
        rate_as(lead, form, hers, 5)
    assert not StaffRating.objects.exists()


def test_a_form_is_only_about_its_group_and_model(
    chat: Conversation, lead: User, reviewer: User, pupils: Group
) -> None:
    other = make_form(lead, members=Group.objects.create(name="Choir").pk)
    with pytest.raises(NotFound):
        rate_as(lead, other, chat, 3)
    elsewhere = make_form(lead, model="@cf/other/model")
    with pytest.raises(NotFound):
        rate_as(reviewer, elsewhere, chat, 3)
    theirs = make_form(lead, members=pupils.pk, model="@cf/test/model")
    assert rate_as(reviewer, theirs, chat, 3).model == "@cf/test/model"


def test_a_changed_question_is_a_new_one_once_there_are_ratings(
    form: RatingForm, chat: Conversation, reviewer: User, lead: User
) -> None:
    context = staff_context_of(lead)
    first = current_questions(form)
    rating_forms.save_form(context, form, drafts_of(form, Topic="Subject"))
    assert [each.pk for each in current_questions(form)] == [each.pk for each in first]
    rating = rate_as(reviewer, form, chat, 2)
    rating_forms.save_form(context, form, drafts_of(form, **{"How good is it?": "How useful?"}))
    now = current_questions(form)
    assert now[0].text == "How useful?"
    assert now[0].replaces == first[0].pk
    assert [each.pk for each in now[1:]] == [each.pk for each in first[1:]]
    [(question, words), *_rest] = _answers(form, chat, reviewer)
    assert (question.text, words) == ("How good is it?", "2")
    assert rating.answers[str(first[0].pk)] == 2


def _answers(form: RatingForm, chat: Conversation, user: User) -> list[tuple[object, str]]:
    own = opinions_on(as_reviewer(user), [form], subject_of(chat))[0].own
    assert own
    return sorted(own.answers, key=lambda each: each[0].pk)


def test_a_removed_question_stays_for_its_ratings(
    form: RatingForm, chat: Conversation, reviewer: User, lead: User
) -> None:
    rate_as(reviewer, form, chat, 2)
    rating_forms.save_form(staff_context_of(lead), form, drafts_of(form)[1:])
    assert form.questions.count() == len(QUESTIONS)
    total = figures.tally(StaffRating.objects.all())
    shown = figures.questions_with_figures(form, total)
    assert [each.text for each in shown if each.retired_at] == ["How good is it?"]


def test_a_form_with_ratings_is_turned_off_rather_than_deleted(
    form: RatingForm, chat: Conversation, reviewer: User, lead: User
) -> None:
    rate_as(reviewer, form, chat, 2)
    assert not rating_forms.remove_form(staff_context_of(lead), form.pk)
    form.refresh_from_db()
    assert not form.is_enabled
    with pytest.raises(ProtectedError):
        form.delete()
    unused = make_form(lead)
    assert rating_forms.remove_form(staff_context_of(lead), unused.pk)


def test_texts_are_erased_with_the_chat_and_scores_stay(
    form: RatingForm, chat: Conversation, reviewer: User, lead: User
) -> None:
    rate_as(reviewer, form, chat, 2, "She says her name is Alice")
    long_ago = timezone.now() - timedelta(days=1000)
    Conversation.all_objects.filter(pk=chat.pk).update(purge_after=long_ago)
    sweep()
    assert not Conversation.all_objects.filter(pk=chat.pk).exists()
    assert not StaffRatingText.objects.exists()
    chosen = figures.RatingFilter(today(), today())
    [kept] = figures.counted(as_reviewer(lead), form, chosen)
    assert kept.answers[str(current_questions(form)[0].pk)] == 2
    assert "Alice" not in str(kept.answers)


def test_a_scoped_lead_counts_the_ratings_of_their_people_only(
    form: RatingForm, chat: Conversation, reviewer: User, lead: User, pupils: Group, bob: User
) -> None:
    rate_as(reviewer, form, chat, 2)
    rate_as(lead, form, say(bob, "Hello", "Hi"), 5)
    pia = User.objects.create_user("pia@example.org", "tide table")
    scoped = as_reviewer(give(pia, "lead_review", pupils))
    chosen = figures.RatingFilter(today(), today())
    assert len(figures.counted(scoped, form, chosen)) == 1
    assert len(figures.counted(as_reviewer(lead), form, chosen)) == 2


def test_figures_count_latest_ratings_and_decisions(
    form: RatingForm, chat: Conversation, reviewer: User, second: User, lead: User, alice: User
) -> None:
    rate_as(reviewer, form, chat, 1, faults=(0,))
    rate_as(reviewer, form, chat, 2, faults=(0, 1))
    other = say(alice, "And Pluto?", "A dwarf planet.")
    rate_as(reviewer, form, other, 2)
    rate_as(second, form, other, 4)
    chosen = figures.RatingFilter(today(), today())
    counted = figures.counted(as_reviewer(lead), form, chosen)
    total = figures.tally(counted)
    score, _topic, faults, _why = current_questions(form)
    assert (total.ratings, total.mean(score)) == (3, pytest.approx(8 / 3))
    assert total.share(faults, 0) == pytest.approx(1 / 3)
    rate_as(lead, form, other, 5, is_decision=True)
    decided = figures.tally(figures.counted(as_reviewer(lead), form, chosen))
    assert (decided.ratings, decided.mean(score)) == (2, 3.5)


def test_scores_have_their_scales(form: RatingForm) -> None:
    score = current_questions(form)[0]
    assert list(score.scale) == [1, 2, 3, 4, 5]
    score.kind = Kind.TEN
    assert list(score.scale) == list(range(11))
