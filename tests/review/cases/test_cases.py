"""Claiming and resolving cases: one staff member at a time."""

from functools import partial

import pytest
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.errors import BadRequest, Conflict, NotFound
from chat.review import bulk_changes
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case
from chat.review.cases import flags, queue, workflow
from chat.review.cases.queue import CaseFilter
from chat.review.search.conversation_search import ConversationFacets, stats_of
from tests.review.conftest import give, recorded_actions, say, staff_context_of
from tests.support.at_once import all_at_once
from tests.support.review.cases import State, make_case


@pytest.fixture
def second(pupils: Group) -> User:
    """Let ben review the same pupils as rita."""
    ben = User.objects.create_user("ben@example.org", "tide table", name="Ben")
    return give(ben, "review", pupils)


def test_a_claimed_case_names_who_has_it(case: Case, reviewer: User, second: User) -> None:
    workflow.claim(staff_context_of(second), case.pk)
    with pytest.raises(Conflict) as refusal:
        workflow.claim(staff_context_of(reviewer), case.pk)
    assert refusal.value.public == "Ben is working on this case."
    assert workflow.claim(staff_context_of(second), case.pk).assignee == second  # again is no harm


def test_of_two_concurrent_claims_one_succeeds(alice: User, reviewer: User, second: User) -> None:
    looks = [staff_context_of(reviewer), staff_context_of(second)]
    for _round in range(5):
        case = make_case(alice)
        got = all_at_once(
            [partial(workflow.claim, staff_context, case.pk) for staff_context in looks]
        )
        won = [each for each in got if isinstance(each, Case)]
        lost = [each for each in got if isinstance(each, Conflict)]
        assert (len(won), len(lost)) == (1, 1), got
        case.refresh_from_db()
        assert str(case.assignee) in lost[0].public


def test_two_who_take_the_next_case_get_different_ones(
    alice: User, reviewer: User, second: User
) -> None:
    made = {make_case(alice).pk for _each in range(4)}

    def take(staff_context: StaffContext) -> Case | None:
        return workflow.take_next(
            staff_context, queue.filter_cases(staff_context.reviewer, CaseFilter())
        )

    taken = []
    for _round in range(2):
        got = all_at_once([lambda u=user: take(staff_context_of(u)) for user in (reviewer, second)])
        taken += [each.pk for each in got if isinstance(each, Case)]
    assert set(taken) == made
    assert len(taken) == 4
    assert take(staff_context_of(reviewer)) is None


def test_concurrent_flags_make_one_case(alice: User) -> None:
    chat = say(alice, "Rivers", "Water")
    report = lambda: flags.report(chat.pk, None, alice.pk, "wrong", "").case  # noqa: E731
    got = all_at_once([report] * 3)
    assert all(isinstance(each, Case) for each in got), got
    assert Case.objects.get().flags.count() == 3


def test_a_case_is_released_by_its_assignee_or_a_lead(
    case: Case, reviewer: User, second: User, lead: User
) -> None:
    workflow.claim(staff_context_of(reviewer), case.pk)
    with pytest.raises(Conflict):
        workflow.release(staff_context_of(second), case.pk)
    assert workflow.release(staff_context_of(reviewer), case.pk).state == State.OPEN
    workflow.claim(staff_context_of(reviewer), case.pk)
    assert workflow.release(staff_context_of(lead), case.pk).assignee is None
    assert recorded_actions().get().kind == StaffAction.Kind.ASSIGNED  # it was another's
    with pytest.raises(Conflict):
        workflow.release(staff_context_of(lead), case.pk)


def test_a_lead_assigns_a_case_to_somebody_who_may_review_it(
    case: Case, reviewer: User, second: User, lead: User, bob: User
) -> None:
    workflow.claim(staff_context_of(reviewer), case.pk)
    assert workflow.assign(staff_context_of(lead), case.pk, second).assignee == second
    action = recorded_actions().get()
    assert (action.kind, action.person, action.detail) == (
        StaffAction.Kind.ASSIGNED, case.conversation.owner_id, f"{case.pk}: {second.pk}",
    )  # fmt: skip
    choir = Group.objects.create(name="Choir")
    with pytest.raises(Conflict, match="conflict"):
        workflow.assign(staff_context_of(lead), case.pk, give(bob, "review", choir))
    with pytest.raises(NotFound):
        workflow.assign(staff_context_of(second), case.pk, reviewer)
    assert recorded_actions().count() == 1


def test_a_case_is_resolved_once_by_somebody_who_may(
    case: Case, reviewer: User, second: User, lead: User
) -> None:
    workflow.claim(staff_context_of(second), case.pk)
    with pytest.raises(Conflict):
        workflow.resolve(staff_context_of(reviewer), case.pk, "dismissed")
    assert not recorded_actions().exists()
    resolved = workflow.resolve(staff_context_of(second), case.pk, "confirmed", "It is so")
    assert (resolved.outcome, resolved.resolution_note, resolved.resolved_by) == (
        "confirmed",
        "It is so",
        second,
    )
    assert recorded_actions().get().kind == StaffAction.Kind.RESOLVED
    for verb in (workflow.claim, workflow.release):
        with pytest.raises(Conflict) as refusal:
            verb(staff_context_of(lead), case.pk)
        assert refusal.value.public == "Ben has already resolved this case."
    with pytest.raises(Conflict):
        workflow.resolve(staff_context_of(lead), case.pk, "dismissed")


def test_without_a_required_reason_the_case_number_is_recorded(
    case: Case, reviewer: User, lead: User
) -> None:
    workflow.assign(staff_context_of(lead, ""), case.pk, reviewer)
    workflow.resolve(staff_context_of(reviewer, "Report 7 of May"), case.pk, "dismissed")
    reasons = list(recorded_actions().order_by("id").values_list("reason", flat=True))
    assert reasons == [f"case {case.pk}", "Report 7 of May"]


def test_cases_of_a_deleted_staff_member_are_unassigned(
    case: Case, reviewer: User, second: User
) -> None:
    workflow.claim(staff_context_of(second), case.pk)
    second.delete()
    rights = staff_context_of(reviewer).reviewer
    assert list(queue.filter_cases(rights, CaseFilter(state="open"))) == [case]
    assert not queue.filter_cases(rights, CaseFilter(state="in_work")).exists()
    assert (queue.counts(rights).open, queue.counts(rights).in_work) == (1, 0)
    for flag, count in (("open", 1), ("in_work", 0), ("unresolved", 1)):
        assert stats_of(rights, ConversationFacets(flag=flag)).count() == count, flag
    assert workflow.claim(staff_context_of(reviewer), case.pk).assignee == reviewer


def test_a_bulk_action_reports_the_cases_that_did_not_change(
    alice: User, bob: User, reviewer: User, second: User
) -> None:
    mine, taken, foreign = make_case(alice), make_case(alice), make_case(bob)
    workflow.claim(staff_context_of(second), taken.pk)
    staff_context = staff_context_of(reviewer)
    ids = [mine.pk, taken.pk, foreign.pk, 999_999]
    bulk = bulk_changes.apply_to_each(ids, lambda each: workflow.claim(staff_context, each))
    assert bulk.done == [mine.pk]
    assert bulk.refused == {"Ben is working on this case.": 1, "Not found.": 2}
    with pytest.raises(BadRequest, match="bad_request"):
        bulk_changes.apply_to_each(
            range(bulk_changes.MAX_AT_ONCE + 1), lambda each: workflow.claim(staff_context, each)
        )


def test_the_queue_is_sorted_and_paged(
    alice: User, lead: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "CASES_PER_PAGE", 2)
    low, high, middle, last = (
        make_case(alice, reason).pk for reason in ("wrong", "harmful", "hateful", "wrong")
    )
    reviewer = staff_context_of(lead).reviewer

    def all_pages(order: str) -> list[int]:
        found, place = queue.page(reviewer, CaseFilter(order=order), None)
        assert place
        more, end = queue.page(reviewer, CaseFilter(order=order), place)
        assert end is None
        return found + more

    assert all_pages("") == [high, middle, low, last]
    assert all_pages("oldest") == [low, high, middle, last]
    assert all_pages("newest") == [last, middle, high, low]
