"""Nobody decides their own case, or one of somebody with the same or a higher role."""

import pytest

from chat.accounts.models import User
from chat.errors import Conflict, NotFound
from chat.review import bulk_changes
from chat.review.access_log.authority import InsufficientRole
from chat.review.case_models import Case
from chat.review.cases import queue, workflow
from chat.review.cases.queue import CaseFilter
from tests.review.conftest import give, recorded_actions, staff_context_of
from tests.support.review.cases import State, make_case


@pytest.mark.parametrize("whose", ["their own", "of a peer", "of somebody above them"])
def test_nobody_decides_cases_of_themselves_or_of_peers(
    whose: str, lead: User, administrator: User, reviewer: User, bob: User
) -> None:
    owner = {"their own": lead, "of somebody above them": administrator}.get(whose)
    case = make_case(owner or give(bob, "lead_review"))
    staff_context = staff_context_of(lead)
    for judge in (
        lambda: workflow.claim(staff_context, case.pk),
        lambda: workflow.assign(staff_context, case.pk, administrator),
        lambda: workflow.resolve(staff_context, case.pk, "dismissed"),
    ):
        with pytest.raises(InsufficientRole):
            judge()
    assert (
        workflow.take_next(staff_context, queue.filter_cases(staff_context.reviewer, CaseFilter()))
        is None
    )
    Case.objects.update(state=State.IN_WORK, assignee=administrator)
    with pytest.raises(InsufficientRole):
        workflow.release(staff_context, case.pk)
    bulk = bulk_changes.apply_to_each(
        [case.pk], lambda each: workflow.resolve(staff_context, each, "dismissed")
    )
    assert (bulk.done, bulk.refused) == ([], {str(InsufficientRole.text): 1})
    case.refresh_from_db()
    assert (case.state, case.assignee) == (State.IN_WORK, administrator)
    assert not recorded_actions().exists()


def test_a_case_is_not_assigned_to_somebody_who_may_not_decide_it(
    case: Case, lead: User, administrator: User, alice: User
) -> None:
    for judged in (alice, lead):
        about = make_case(judged)
        with pytest.raises(Conflict) as refusal:
            workflow.assign(
                staff_context_of(administrator), about.pk, give(judged, "lead_review", None)
            )
        assert refusal.value.public == f"{judged.name} isn't allowed to review this case."


def test_an_assignee_can_release_a_case_they_may_no_longer_decide(
    case: Case, reviewer: User, alice: User
) -> None:
    workflow.claim(staff_context_of(reviewer), case.pk)
    give(alice, "lead_review")
    assert workflow.release(staff_context_of(reviewer), case.pk).assignee is None


def test_take_next_skips_cases_that_one_may_not_decide(
    lead: User, administrator: User, alice: User
) -> None:
    for owner in (lead, administrator, alice):
        make_case(owner)
    staff_context = staff_context_of(lead)
    taken = workflow.take_next(
        staff_context, queue.filter_cases(staff_context.reviewer, CaseFilter())
    )
    assert taken
    assert taken.conversation.owner == alice
    assert (
        workflow.take_next(staff_context, queue.filter_cases(staff_context.reviewer, CaseFilter()))
        is None
    )


def test_a_superuser_decides_cases_of_administrators_but_not_their_own(administrator: User) -> None:
    superuser = User.objects.create_superuser("superuser@example.org", "tide table", name="Chief")
    own, other = make_case(superuser), make_case(administrator)
    staff_context = staff_context_of(superuser)
    assert workflow.resolve(staff_context, other.pk, "confirmed").is_resolved
    with pytest.raises(InsufficientRole):
        workflow.resolve(staff_context, own.pk, "dismissed")
    with pytest.raises(InsufficientRole):
        workflow.resolve(staff_context_of(administrator), own.pk, "dismissed")


def test_cases_out_of_scope_are_not_found(reviewer: User, bob: User) -> None:
    case = make_case(bob)
    staff_context = staff_context_of(reviewer)
    for change in (
        lambda: workflow.claim(staff_context, case.pk),
        lambda: workflow.release(staff_context, case.pk),
        lambda: workflow.resolve(staff_context, case.pk, "dismissed"),
    ):
        with pytest.raises(NotFound):
            change()
    assert not queue.filter_cases(staff_context.reviewer, CaseFilter(state="all")).exists()
    assert queue.counts(staff_context.reviewer).open == 0
