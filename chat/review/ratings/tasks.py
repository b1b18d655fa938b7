"""List what staff are to rate."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from chat.accounts.models import User
from chat.review.access import in_scope_of
from chat.review.rating_models import RatingTask
from chat.review.staff import roles
from chat.review.staff.roles import Reviewer, Role

TASKS_PER_PAGE = 50
MINE, UNASSIGNED, ALL = "", "unassigned", "all"


def tasks_for(reviewer: Reviewer) -> QuerySet[RatingTask]:
    """Return the tasks about chats in the reviewer's scope, except their own chats.

    Leads see everybody's; others see theirs, and those that are free, without a second opinion
    of what they have rated.
    """
    tasks = RatingTask.objects.filter(
        in_scope_of(reviewer, "conversation__"), form__is_enabled=True
    )
    tasks = tasks.exclude(conversation__owner=reviewer.user_id)
    if reviewer.role >= Role.LEAD:
        return tasks
    return tasks.filter(Q(assignee=reviewer.user_id) | (free() & Q(~_rated_by(reviewer))))


def free() -> Q:
    """Match the tasks that nobody has, or somebody who can't review any more."""
    return Q(assignee=None) | ~Q(assignee__in=roles.staff_among(User.objects.all()).values("pk"))


def give_back(person: User) -> None:
    """Leave the tasks of somebody whose account is closed to others."""
    RatingTask.objects.filter(assignee=person.pk, done_at=None).update(assignee=None)


def _rated_by(reviewer: Reviewer) -> Exists:
    """Return the condition for tasks of whose twins one is the reviewer's."""
    mine = RatingTask.objects.filter(
        form=OuterRef("form"),
        conversation=OuterRef("conversation"),
        message=OuterRef("message"),
        assignee=reviewer.user_id,
    )
    return Exists(mine)


def waiting(reviewer: Reviewer, whose: str) -> QuerySet[RatingTask]:
    """Return the tasks to do, oldest first."""
    tasks = tasks_for(reviewer).filter(done_at=None).select_related("form", "assignee")
    if whose == ALL:
        return tasks
    if whose == UNASSIGNED:
        return tasks.filter(free())
    return tasks.filter(assignee=reviewer.user_id)


def page(reviewer: Reviewer, whose: str, after: int) -> tuple[Sequence[RatingTask], int | None]:
    """Return a page of tasks, and the ID that the next one starts after."""
    rows = list(waiting(reviewer, whose).filter(pk__gt=after).order_by("id")[: TASKS_PER_PAGE + 1])
    shown = rows[:TASKS_PER_PAGE]
    return shown, shown[-1].pk if len(rows) > len(shown) else None


def next_task(reviewer: Reviewer) -> RatingTask | None:
    """Return the first of the reviewer's tasks, or else take the first one that is free.

    It is theirs from now on, so that nobody else begins to rate the same.
    """
    if task := waiting(reviewer, MINE).order_by("id").first():
        return task
    unassigned = waiting(reviewer, UNASSIGNED).exclude(_rated_by(reviewer)).order_by("id")
    while task := unassigned.first():
        ours = RatingTask.objects.filter(free(), pk=task.pk, done_at=None)
        if ours.update(assignee=reviewer.user_id):
            return task
    return None


@dataclass(frozen=True, slots=True)
class TaskCounts:
    mine: int
    unassigned: int
    all: int


def counts(reviewer: Reviewer) -> TaskCounts:
    """Count the tasks to do."""
    numbers = (
        tasks_for(reviewer)
        .filter(done_at=None)
        .aggregate(
            mine=Count("id", Q(assignee=reviewer.user_id)),
            unassigned=Count("id", free()),
            all=Count("id"),
        )
    )
    return TaskCounts(**numbers)
