"""Staff are told of cases assigned to them, notes that name them, and severe cases on duty."""

import pytest
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.review.case_models import Case
from chat.review.cases import notes, workflow
from chat.review.staff_notices.models import NoticeChoices, StaffNotice
from tests.review.conftest import give, say, staff_context_of
from tests.support.review.cases import make_case


def told(person: User) -> list[str]:
    return list(person.staff_notices.order_by("id").values_list("kind", flat=True))


@pytest.fixture
def ben(pupils: Group) -> User:
    """Let ben review the same pupils as rita."""
    return give(
        User.objects.create_user("ben@example.org", "tide table", name="Ben"), "review", pupils
    )


def test_who_is_assigned_a_case_is_told(case: Case, reviewer: User, lead: User) -> None:
    workflow.assign(staff_context_of(lead), case.pk, reviewer)
    assert told(reviewer) == ["assigned"]
    assert StaffNotice.objects.get().conversation == case.conversation_id
    workflow.assign(staff_context_of(lead), case.pk, lead)
    assert told(lead) == []  # by themselves


@pytest.mark.parametrize("name", ["@ben", "@Ben", "@ben@example.org", "(@BEN), look"])
def test_a_note_tells_whom_it_names(alice: User, reviewer: User, ben: User, name: str) -> None:
    notes.add_note(staff_context_of(reviewer), say(alice, "Rivers", "Water").pk, f"Ask {name}.")
    assert told(ben) == ["mentioned"]
    assert told(reviewer) == []


@pytest.mark.parametrize(
    "text", ["ben", "ben@example.org", "x@ben", "@benjamin", "@rita@example.org"]
)
def test_other_words_tell_nobody(alice: User, reviewer: User, ben: User, text: str) -> None:
    notes.add_note(staff_context_of(reviewer), say(alice, "Rivers", "Water").pk, text)
    assert told(ben) == told(reviewer) == []


def test_who_may_not_read_the_chat_is_not_told_of_it(
    alice: User, bob: User, reviewer: User, lead: User
) -> None:
    choir = give(bob, "review", Group.objects.create(name="Choir"))
    NoticeChoices.objects.create(person=choir, is_on_duty=True)
    NoticeChoices.objects.create(person=alice, is_on_duty=True)  # no staff
    notes.add_note(
        staff_context_of(reviewer), say(alice, "Rivers", "Water").pk, f"@{bob.email} @{alice.email}"
    )
    make_case(alice, "harmful")
    assert not StaffNotice.objects.exists()


def test_who_is_on_duty_is_told_of_severe_cases_once(
    alice: User, reviewer: User, lead: User
) -> None:
    NoticeChoices.objects.create(person=reviewer, is_on_duty=True)
    make_case(alice, "wrong")
    assert told(reviewer) == []
    make_case(alice, "harmful")
    assert told(reviewer) == ["severe"]
    assert told(lead) == []


def test_the_same_thing_is_told_once_in_a_while(case: Case, reviewer: User, ben: User) -> None:
    for _time in range(3):
        notes.add_note(staff_context_of(reviewer), case.conversation_id, "@ben @ben")
    assert told(ben) == ["mentioned"]
