"""More samples, forms and owners take no more statements."""

from functools import partial
from typing import Any

from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.rating_models import RatingForm, RatingSample, SampleDraw
from chat.review.ratings import draws
from chat.review.ratings.draws import Drawable
from chat.review.ratings.opinions import opinions_on
from chat.review.ratings.samples import drawn_for
from chat.review.ratings.subjects import Subject, facts_of
from chat.review.staff.roles import reviewer_of
from chat.review.utc_days import today
from tests.review.conftest import give, say
from tests.support.database.statements import statements
from tests.support.review.ratings import answer_of, make_form, rate_as
from tests.support.web.signed_in import signed_in


def named(name: str) -> User:
    return User.objects.create_user(f"{name}@example.org", "tide table", name=name)


def test_of_more_samples(form: RatingForm, pupils: Group) -> None:
    def add(number: int) -> None:
        lead = give(named(f"lead{number}"), "lead_review", pupils)
        RatingSample.objects.create(form=form, count=number, created_by=lead)

    add(1)
    once = statements(partial(drawn_for, form))
    for number in range(2, 6):
        add(number)
    User.objects.filter(name="lead3").update(is_active=False)
    assert statements(partial(drawn_for, form)) == once
    drawing = {each.count for each, has_drawer in drawn_for(form) if has_drawer}
    assert drawing == {1, 2, 4, 5}


def test_of_more_forms(
    form: RatingForm, chat: Conversation, lead: User, reviewer: User, second: User
) -> None:
    subject = Subject(chat, answer_of(chat), facts_of(chat, answer_of(chat)))
    viewer = reviewer_of(reviewer)
    assert viewer
    rate_as(reviewer, form, chat, 3)
    once = statements(partial(opinions_on, viewer, [form], subject))
    others = [make_form(lead) for _number in range(4)]
    for each in others:
        rate_as(second, each, chat, 4)
    rate_as(reviewer, others[0], chat, 5)
    forms = [form, *others]
    assert statements(partial(opinions_on, viewer, forms, subject)) == once
    shown = opinions_on(viewer, forms, subject)
    assert [each.form for each in shown] == forms
    assert [each.own is not None for each in shown] == [True, True, False, False, False]
    assert [len(each.others) for each in shown] == [0, 1, 0, 0, 0]
    assert all({one.form_id for one in each.questions} == {each.form.pk} for each in shown)


def test_of_more_owners(
    form: RatingForm, alice: User, reviewer: User, second: User, pupils: Group
) -> None:
    sample = RatingSample.objects.create(form=form, percent=100.0)
    sample.raters.set([reviewer, second])
    draw = SampleDraw.objects.create(
        sample=sample,
        first=today(),
        last=today(),
        seed="1",
        population=1,
        available=1,
        picked=1,
    )
    chats = [say(alice, "Where?")]

    def tasks() -> list[Any]:
        return list(draws._tasks(draw, [Drawable(each.pk, 0) for each in chats]))

    once = statements(tasks)
    for number in range(4):
        owner = named(f"pupil{number}")
        if number:
            owner.groups.add(pupils)
        chats.append(say(owner, "Where?"))
    assert statements(tasks) == once
    assert [each.assignee for each in tasks()] == [reviewer, None, second, reviewer, second]


def test_the_page_of_a_form_shows_who_is_no_lead_any_more(form: RatingForm, lead: User) -> None:
    sample = RatingSample.objects.create(form=form, count=7, created_by=lead)
    client = signed_in(lead)
    paused = "Paused, because who saved it last is no longer a lead."
    assert paused not in client.get(f"/review/rating-forms/{form.pk}/").content.decode()
    RatingSample.objects.filter(pk=sample.pk).update(created_by=None)
    assert paused in client.get(f"/review/rating-forms/{form.pk}/").content.decode()
