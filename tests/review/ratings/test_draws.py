"""Samples are drawn at random, once a day, reproducibly, for those who may read them."""

from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.generations.models import Generation
from chat.review.rating_models import RatingForm, RatingSample, RatingTask, SampleDraw
from chat.review.ratings import draws, samples, tasks
from chat.review.ratings.draws import Drawable, draw_due, draw_now, pick
from chat.review.utc_days import today
from tests.review.conftest import give, say, staff_context_of
from tests.support.at_once import all_at_once
from tests.support.review.ratings import answer_of, as_reviewer, make_form, rate_as

YESTERDAY = timedelta(days=1)


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """Stop the clock at noon, so that no test runs across midnight."""
    now = datetime.now(UTC).replace(hour=12, minute=0)
    monkeypatch.setattr(timezone, "now", lambda: now)
    return now


def said_yesterday(owner: User, count: int) -> list[Conversation]:
    chats = [say(owner, f"Question {number}", "Answer") for number in range(count)]
    at = timezone.now() - YESTERDAY
    Generation.objects.filter(message__conversation__in=chats).update(started_at=at)
    Message.objects.filter(conversation__in=chats).update(created_at=at)
    Conversation.all_objects.filter(pk__in=[each.pk for each in chats]).update(created_at=at)
    return chats


def make_sample(lead: User, form: RatingForm, *raters: User, **facts: Any) -> RatingSample:
    facts = {"percent": 50.0} | facts if "count" not in facts else facts
    sample = samples.save_sample(staff_context_of(lead), RatingSample(form=form, **facts), raters)
    RatingSample.objects.filter(pk=sample.pk).update(drawn_through=None)
    return sample


def draw(lead: User, sample: RatingSample) -> SampleDraw:
    return draw_now(staff_context_of(lead), sample.form_id, sample.pk)


def test_a_share_of_yesterday_is_drawn_once_however_many_processes_run(
    noon: datetime, form: RatingForm, alice: User, lead: User
) -> None:
    said_yesterday(alice, 9)
    say(alice, "Today", "Not yet")
    make_sample(lead, form)
    for _process in range(3):
        draw_due()
    [drawn] = SampleDraw.objects.all()
    assert (drawn.population, drawn.available, drawn.picked) == (9, 9, 5)  # rounded up
    assert drawn.first == drawn.last == today() - YESTERDAY
    assert RatingTask.objects.count() == 5
    assert RatingTask.objects.filter(assignee=None).count() == 5


def test_a_process_that_was_slower_draws_nothing(
    noon: datetime, form: RatingForm, alice: User, lead: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    said_yesterday(alice, 4)
    make_sample(lead, form)
    population = draws.population

    def beside_another_process(*given: Any) -> Any:
        monkeypatch.setattr(draws, "population", population)
        draw_due()
        return population(*given)

    monkeypatch.setattr(draws, "population", beside_another_process)
    draw_due()
    assert SampleDraw.objects.count() == 1
    assert RatingTask.objects.count() == 2


def test_a_new_sample_waits_for_the_end_of_the_day(
    noon: datetime, form: RatingForm, alice: User, lead: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    said_yesterday(alice, 4)
    samples.save_sample(staff_context_of(lead), RatingSample(form=form, count=1), [])
    draw_due()
    assert not SampleDraw.objects.exists()
    say(alice, "Today", "Answer")
    Generation.objects.filter(message__text="Answer", message__conversation__title="Today").update(
        started_at=noon
    )
    monkeypatch.setattr(timezone, "now", lambda: noon + YESTERDAY)
    draw_due()
    assert SampleDraw.objects.get().population == 1


def test_what_was_drawn_is_not_drawn_again(
    noon: datetime, form: RatingForm, alice: User, lead: User
) -> None:
    said_yesterday(alice, 5)
    sample = make_sample(lead, form, count=3)
    assert [draw(lead, sample).picked for _each in range(3)] == [3, 2, 0]
    assert RatingTask.objects.values("message").distinct().count() == 5


def test_a_draw_can_be_repeated_from_its_seed(
    noon: datetime, form: RatingForm, alice: User, lead: User
) -> None:
    chats = said_yesterday(alice, 12)
    drawn = draw(lead, make_sample(lead, form, count=4))
    things = [Drawable(each.pk, answer_of(each)) for each in chats]
    picked = {each.message_id for each in pick(things[::-1], drawn.seed, 4)}
    assert picked == set(drawn.tasks.values_list("message", flat=True))


def test_everything_is_drawn_equally_often() -> None:
    things = [Drawable(uuid4(), number) for number in range(10)]
    counts = dict.fromkeys(range(10), 0)
    for seed in range(2000):
        for each in pick(things, str(seed), 3):
            counts[each.message_id] += 1
    # Binomial, n = 2000, p = 0.3: five standard deviations are 102.
    assert all(abs(count - 600) < 102 for count in counts.values())


def test_raters_take_turns_and_get_only_what_they_may_read(
    noon: datetime,
    form: RatingForm,
    alice: User,
    bob: User,
    lead: User,
    reviewer: User,
    second: User,
) -> None:
    said_yesterday(alice, 4)
    [his] = said_yesterday(bob, 1)
    draw(lead, make_sample(lead, form, reviewer, second, percent=100.0))
    of_alice = RatingTask.objects.exclude(conversation=his)
    assert sorted(of_alice.values_list("assignee__name", flat=True)) == sorted(
        [reviewer.name] * 2 + [second.name] * 2
    )
    assert RatingTask.objects.get(conversation=his).assignee is None


def test_a_share_goes_to_two_raters(
    noon: datetime, form: RatingForm, alice: User, lead: User, reviewer: User, second: User
) -> None:
    said_yesterday(alice, 4)
    draw(lead, make_sample(lead, form, reviewer, second, percent=100.0, second_percent=50.0))
    assert RatingTask.objects.count() == 6
    for task in RatingTask.objects.filter(turn=2):
        first = RatingTask.objects.get(message=task.message, turn=1)
        assert {first.assignee, task.assignee} == {reviewer, second}


def test_without_raters_two_different_people_rate(
    noon: datetime, form: RatingForm, alice: User, lead: User, reviewer: User, second: User
) -> None:
    [chat] = said_yesterday(alice, 1)
    draw(lead, make_sample(lead, form, percent=100.0, second_percent=100.0))
    assert tasks.counts(as_reviewer(reviewer)).unassigned == 2
    rate_as(reviewer, form, chat, 3)
    rate_as(reviewer, form, chat, 4)  # changing it ends no other task
    assert RatingTask.objects.filter(done_at=None).count() == 1
    assert tasks.next_task(as_reviewer(reviewer)) is None
    assert tasks.next_task(as_reviewer(second))
    rate_as(second, form, chat, 4)
    assert not RatingTask.objects.filter(done_at=None).exists()


def test_whole_chats_can_be_drawn(
    noon: datetime, form: RatingForm, alice: User, lead: User
) -> None:
    chats = said_yesterday(alice, 2)
    draw(lead, make_sample(lead, form, percent=100.0, unit="chats"))
    drawn = RatingTask.objects.values_list("conversation", "message")
    assert set(drawn) == {(each.pk, 0) for each in chats}


def test_a_sample_is_within_its_search_its_form_and_its_leads_scope(
    noon: datetime, alice: User, bob: User, lead: User, pupils: Group
) -> None:
    said_yesterday(alice, 2)
    said_yesterday(bob, 3)
    about_pupils = make_form(lead, members=pupils.pk)
    assert draw(lead, make_sample(lead, about_pupils)).population == 2
    elsewhere = make_form(lead, model="@cf/other/model")
    assert draw(lead, make_sample(lead, elsewhere)).population == 0
    form = make_form(lead)
    assert draw(lead, make_sample(lead, form, facets={"state": "failed"})).population == 0
    pia = User.objects.create_user("pia@example.org", "tide table")
    scoped = give(pia, "lead_review", pupils)
    theirs = make_form(lead, members=pupils.pk)
    assert draw(scoped, make_sample(scoped, theirs)).population == 2


def test_a_schedule_stops_when_its_lead_is_none_any_more(
    noon: datetime, form: RatingForm, alice: User, lead: User
) -> None:
    said_yesterday(alice, 2)
    make_sample(lead, form)
    lead.user_permissions.clear()
    draw_due()
    assert not SampleDraw.objects.exists()


def test_a_week_is_the_last_one_from_monday_to_sunday() -> None:
    weekly = RatingSample(period="week")
    wednesday = date(2026, 11, 25)
    assert samples.days_of(weekly, wednesday) == (date(2026, 11, 16), date(2026, 11, 22))
    assert samples.days_of(weekly, date(2026, 11, 23)) == (date(2026, 11, 16), date(2026, 11, 22))


def test_raters_who_ask_at_once_get_different_tasks(
    noon: datetime, form: RatingForm, alice: User, lead: User, reviewer: User, second: User
) -> None:
    said_yesterday(alice, 6)
    draw(lead, make_sample(lead, form, percent=100.0, second_percent=50.0))
    people = [as_reviewer(each) for each in (reviewer, second, lead)]
    for _round in range(3):
        got = all_at_once([partial(tasks.next_task, each) for each in people])
        chosen = [each for each in got if isinstance(each, RatingTask)]
        assert len({each.pk for each in chosen}) == len(people)
        for person, task in zip(people, chosen, strict=True):
            assert RatingTask.objects.get(pk=task.pk).assignee_id == person.user_id
            assert tasks.next_task(person) == task  # until it is rated
        RatingTask.objects.filter(pk__in=[each.pk for each in chosen]).update(done_at=noon)
    twice = RatingTask.objects.exclude(assignee=None).values("message", "assignee")
    assert len(twice) == len(twice.distinct()) == 9
