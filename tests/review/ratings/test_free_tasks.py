"""Others do the rating tasks of somebody who can't review any more."""

import pytest

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.rating_models import RatingForm, RatingTask
from chat.review.ratings import tasks
from chat.review.staff.roles import Reviewer, reviewer_of
from tests.support.review.ratings import make_task, rate_as


def as_reviewer(user: User) -> Reviewer:
    found = reviewer_of(User.objects.get(pk=user.pk))
    assert found
    return found


def leave(person: User, how: str) -> None:
    if how == "role lost":
        person.user_permissions.clear()
    else:
        User.objects.filter(pk=person.pk).update(is_active=False)


@pytest.mark.parametrize("how", ["role lost", "suspended"])
def test_the_next_one_takes_the_task(
    how: str, form: RatingForm, chat: Conversation, reviewer: User, second: User
) -> None:
    task = make_task(form, chat, reviewer)
    assert tasks.next_task(as_reviewer(second)) is None
    leave(reviewer, how)
    assert tasks.counts(as_reviewer(second)) == tasks.TaskCounts(mine=0, unassigned=1, all=1)
    assert tasks.next_task(as_reviewer(second)) == task
    assert tasks.counts(as_reviewer(second)) == tasks.TaskCounts(mine=1, unassigned=0, all=1)
    rate_as(second, form, chat, 4)
    task.refresh_from_db()
    assert task.done_at
    assert task.assignee == second


def test_a_rating_of_somebody_else_ends_the_task(
    form: RatingForm, chat: Conversation, reviewer: User, lead: User
) -> None:
    task = make_task(form, chat, reviewer)
    leave(reviewer, "role lost")
    rate_as(lead, form, chat, 5)
    task.refresh_from_db()
    assert task.done_at
    assert task.assignee == lead


def test_a_rating_of_somebody_else_leaves_the_task_of_who_can_do_it(
    form: RatingForm, chat: Conversation, reviewer: User, lead: User
) -> None:
    task = make_task(form, chat, reviewer)
    rate_as(lead, form, chat, 5)
    assert not RatingTask.objects.get(pk=task.pk).done_at
