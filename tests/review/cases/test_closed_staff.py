"""What a staff member had in work is free once the account is closed, also if it isn't purged."""

import pytest
from django.contrib.auth.models import Group
from django.db import transaction

from chat.accounts.models import User
from chat.generations.deletion.soft_delete import delete_account
from chat.review.case_models import Case
from chat.review.cases import holds, workflow
from chat.review.rating_models import RatingForm, RatingTask
from tests.review.conftest import say, staff_context_of
from tests.support.generations.purge import sweep
from tests.support.review.cases import make_case
from tests.support.review.ratings import make_form, make_task


@pytest.fixture
def form(lead: User) -> RatingForm:
    return make_form(lead)


def close(person: User) -> None:
    """Close an account that stays for now, because one of its chats is held."""
    holds.hold(say(person, "Mine").pk)
    with transaction.atomic():
        delete_account(person)
    sweep()
    assert User.all_objects.filter(pk=person.pk).exists()


def test_a_case_is_open_again_and_a_decided_one_stays_decided(
    alice: User, pupils: Group, reviewer: User
) -> None:
    mine, decided = make_case(alice), make_case(alice)
    for each in (mine, decided):
        workflow.claim(staff_context_of(reviewer), each.pk)
    workflow.resolve(staff_context_of(reviewer), decided.pk, "confirmed", "Really a case")
    close(reviewer)
    mine.refresh_from_db()
    decided.refresh_from_db()
    assert (mine.state, mine.assignee) == (Case.State.OPEN, None)
    assert (decided.state, decided.assignee) == (Case.State.RESOLVED, reviewer)


def test_a_rating_task_is_nobodys(alice: User, reviewer: User, form: RatingForm) -> None:
    task = make_task(form, say(alice, "Why?", "Because."), reviewer)
    close(reviewer)
    assert RatingTask.objects.get(pk=task.pk).assignee is None
