"""Staff are told of cases assigned to them, notes that name them, and severe cases on duty."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.db.models import F

from chat.accounts.models import User
from chat.review.case_models import Case
from chat.review.cases import notes, workflow
from chat.review.cases.escalation import escalate_due
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
    assert told(choir) == told(alice) == []


def test_who_is_on_duty_is_told_of_severe_cases_once(
    alice: User, reviewer: User, lead: User
) -> None:
    NoticeChoices.objects.create(person=reviewer, is_on_duty=True)
    NoticeChoices.objects.create(person=lead, is_on_duty=False)
    make_case(alice, "wrong")
    assert told(reviewer) == []
    make_case(alice, "harmful")
    assert told(reviewer) == ["severe"]
    assert told(lead) == []


def test_leads_are_on_duty_unless_they_say_otherwise(
    alice: User, reviewer: User, lead: User
) -> None:
    make_case(alice, "harmful")
    assert (told(lead), told(reviewer)) == (["severe"], [])


def test_administrators_are_told_if_nobody_else_is_on_duty(
    alice: User, reviewer: User, lead: User, administrator: User
) -> None:
    NoticeChoices.objects.create(person=lead, is_on_duty=False)
    make_case(alice, "harmful")
    assert (told(administrator), told(lead), told(reviewer)) == (["severe"], [], [])


@pytest.fixture
def hours() -> Callable[[int], None]:
    """Let so many minutes pass for all cases."""

    def passed(minutes: int) -> None:
        Case.objects.update(severe_since=F("severe_since") - timedelta(minutes=minutes))
        StaffNotice.objects.update(created_at=F("created_at") - timedelta(minutes=minutes))

    return passed


def test_an_unclaimed_case_is_told_to_more_and_more_staff_once_each(
    alice: User, reviewer: User, lead: User, administrator: User, hours: Callable[[int], None]
) -> None:
    NoticeChoices.objects.create(person=reviewer, is_on_duty=True)
    NoticeChoices.objects.create(person=lead, is_on_duty=False)
    make_case(alice, "harmful")
    assert escalate_due() == 0
    hours(15)
    assert (escalate_due(), escalate_due()) == (1, 0)
    assert told(reviewer) == ["severe", "unclaimed"]
    assert (told(lead), told(administrator)) == (["unclaimed"], [])
    hours(15)
    assert (escalate_due(), escalate_due()) == (1, 0)
    assert told(administrator) == ["unclaimed"]
    hours(600)
    assert escalate_due() == 0


def test_a_case_that_somebody_took_on_is_not_escalated(
    alice: User, lead: User, hours: Callable[[int], None]
) -> None:
    case = make_case(alice, "harmful")
    workflow.claim(staff_context_of(lead), case.pk)
    make_case(alice, "wrong")
    hours(60)
    assert escalate_due() == 0


def test_the_same_thing_is_told_once_in_a_while(case: Case, reviewer: User, ben: User) -> None:
    for _time in range(3):
        notes.add_note(staff_context_of(reviewer), case.conversation_id, "@ben @ben")
    assert told(ben) == ["mentioned"]
