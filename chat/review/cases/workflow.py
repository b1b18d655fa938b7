"""Claim, assign, release and resolve cases.

Each change is one conditional update, so if two staff members want the same case, one gets it and
the other is told who did. Staff cannot judge themselves or peers (access_log/authority.py).
"""

from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.accounts.models import User
from chat.errors import Conflict, NotFound
from chat.review.access_log.authority import (
    may_act_on,
    require_below,
    with_reason,
)
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case
from chat.review.case_reading import cases_in_scope, owners_of
from chat.review.cases import holds
from chat.review.staff import roles
from chat.review.staff.readers import readers_of
from chat.review.staff.roles import Reviewer, Role
from chat.review.staff_notices import case_events, notify
from chat.review.staff_notices.case_events import CaseEvent

TRIES = 50  # how often others may be faster
State = Case.State


def cases_for(reviewer: Reviewer) -> QuerySet[Case]:
    """Return the cases within the reviewer's scope; leads also get those about deleted chats."""
    return Case.objects.filter(cases_in_scope(reviewer))


def case_of(staff_context: StaffContext, case_id: int) -> Case:
    cases = cases_for(staff_context.reviewer).filter(pk=case_id)
    case = cases.select_related("conversation__owner", "assignee", "resolved_by").first()
    if case is None:
        raise NotFound
    return case


def claim(staff_context: StaffContext, case_id: int) -> Case:
    case = _to_judge(staff_context, case_id)
    if case.assignee_id == _me(staff_context) and not case.is_resolved:
        return case
    mine = {"state": State.IN_WORK, "assignee": _me(staff_context)}
    with transaction.atomic():
        case_events.emit(CaseEvent.ASSIGNED, case.pk)
        return _change(staff_context, case, Q(state__lt=State.RESOLVED, assignee=None), mine)


def take_next(staff_context: StaffContext, among: QuerySet[Case]) -> Case | None:
    """Claim the first unassigned case that the reviewer may judge; return None if there is none."""
    unassigned = among.filter(
        _may_judge(staff_context.reviewer), state__lt=State.RESOLVED, assignee=None
    )
    for _try in range(TRIES):
        case = unassigned.first()
        if case is None:
            return None
        try:
            return claim(staff_context, case.pk)
        except Conflict:
            continue  # another staff member was faster
    return None


def next_case(staff_context: StaffContext, among: QuerySet[Case]) -> Case | None:
    """Return the first case that the reviewer has, or else claim the first unassigned one."""
    mine = among.filter(
        _may_judge(staff_context.reviewer),
        state__lt=State.RESOLVED,
        assignee=staff_context.reviewer.user_id,
    )
    return mine.first() or take_next(staff_context, among)


def release(staff_context: StaffContext, case_id: int) -> Case:
    """Unassign the case. Only leads can unassign other people's cases."""
    case = case_of(staff_context, case_id)
    if case.assignee_id != _me(staff_context):
        _require_below_owner(staff_context, case)
    with transaction.atomic():
        given_back = {"state": State.OPEN, "assignee": None}
        now = _change(
            staff_context, case, Q(state=State.IN_WORK) & _in_hand(staff_context), given_back
        )
        if case.assignee_id not in (None, _me(staff_context)):
            _record(staff_context, StaffAction.Kind.ASSIGNED, case, "–")
        return now


def assign(staff_context: StaffContext, case_id: int, assignee: User) -> Case:
    """Assign the case to a staff member who may review it. Only for leads."""
    if staff_context.reviewer.role < Role.LEAD:
        raise NotFound
    case = _to_judge(staff_context, case_id)
    if not _may_have(assignee, case_id):
        raise Conflict(_("{name} isn't allowed to review this case.").format(name=assignee))
    values = {"state": State.IN_WORK, "assignee": assignee.pk}
    with transaction.atomic():
        _record(staff_context, StaffAction.Kind.ASSIGNED, case, str(assignee.pk))
        if assignee.pk != _me(staff_context):
            notify.of_assignment(case.chat_id, assignee.pk)
        case_events.emit(CaseEvent.ASSIGNED, case.pk)
        return _change(staff_context, case, Q(state__lt=State.RESOLVED), values)


def resolve(staff_context: StaffContext, case_id: int, outcome: str, reason: str = "") -> Case:
    """Resolve the case for the reason in `reason`. Only leads can resolve other people's cases.

    This erases nothing: a hold on a deleted chat goes on (holds.py).
    """
    case = _to_judge(staff_context, case_id)
    resolved = {
        "state": State.RESOLVED,
        "outcome": Case.Outcome(outcome),
        "resolution_note": reason,
        "resolved_at": timezone.now(),
        "resolved_by": _me(staff_context),
    }
    with transaction.atomic():
        _record(
            with_reason(staff_context, reason or staff_context.reason),
            StaffAction.Kind.RESOLVED,
            case,
            outcome,
        )
        now = _change(
            staff_context, case, Q(state__lt=State.RESOLVED) & _in_hand(staff_context), resolved
        )
        if outcome == Case.Outcome.DISMISSED:
            holds.release(case.chat_id, str(case))
        case_events.emit(CaseEvent.DECIDED, case.pk)
        return now


def reopen(staff_context: StaffContext, case_id: int) -> Case:
    """Reopen a resolved case for whoever had it, or for nobody.

    Only leads can reopen other people's cases.
    """
    case = _to_judge(staff_context, case_id)
    assignee = case.assignee_id if case.assignee and _may_have(case.assignee, case_id) else None
    theirs = Q() if staff_context.reviewer.role >= Role.LEAD else Q(resolved_by=_me(staff_context))
    reopened = {
        "state": State.IN_WORK if assignee else State.OPEN,
        "assignee": assignee,
        "outcome": "",
        "resolution_note": "",
        "resolved_at": None,
        "resolved_by": None,
    }
    try:
        with transaction.atomic():
            _record(staff_context, StaffAction.Kind.CASE_REOPENED, case, case.outcome)
            now = _change(staff_context, case, Q(state=State.RESOLVED) & theirs, reopened)
            holds.hold_for(now)
            return now
    except IntegrityError:
        raise Conflict(_("This chat has another open case.")) from None


def may_judge(staff_context: StaffContext, case: Case) -> bool:
    """Return True if the case is about somebody below the reviewer's role, or about nobody now."""
    owner = owners_of([case]).get(case.owner_id)
    return owner is None or may_act_on(staff_context, owner)


def assignees_of(case: Case) -> QuerySet[User]:
    """Return the staff members whom the case can be assigned to."""
    is_there = case.conversation is not None and case.conversation.purge_after is None
    theirs = readers_of(case.owner_id, Role.REVIEWER if is_there else Role.LEAD)
    if not theirs.filter(pk=case.owner_id).exists():
        return theirs
    return theirs.filter(pk__in=[each.pk for each in theirs if _may_have(each, case.pk)])


def _to_judge(staff_context: StaffContext, case_id: int) -> Case:
    case = case_of(staff_context, case_id)
    _require_below_owner(staff_context, case)
    return case


def _require_below_owner(staff_context: StaffContext, case: Case) -> None:
    owner = owners_of([case]).get(case.owner_id)
    if owner is not None:
        require_below(staff_context, owner)


def _may_judge(reviewer: Reviewer) -> Q:
    """Return the condition for cases that the reviewer may judge."""
    peers = roles.peers(reviewer).values("pk")
    return ~Q(conversation__owner__in=peers) & ~Q(former_owner__in=peers)


def _may_have(person: User, case_id: int) -> bool:
    """Return True if the case can be assigned to this person."""
    theirs = roles.reviewer_of(person)
    if theirs is None:
        return False
    return cases_for(theirs).filter(_may_judge(theirs), pk=case_id).exists()


def _in_hand(staff_context: StaffContext) -> Q:
    if staff_context.reviewer.role >= Role.LEAD:
        return Q()
    return Q(assignee=None) | Q(assignee=_me(staff_context))


def _me(staff_context: StaffContext) -> int:
    return staff_context.reviewer.user_id


def _change(
    staff_context: StaffContext, case: Case, while_: Q, values: Mapping[str, object]
) -> Case:
    won = Case.objects.filter(while_, pk=case.pk).update(**values)
    now = case_of(staff_context, case.pk)
    if not won:
        raise Conflict(_why(now))
    return now


def _record(staff_context: StaffContext, kind: StaffAction.Kind, case: Case, detail: str) -> None:
    """Log the action; if the site requires no reason, the case is the reason."""
    why = with_reason(staff_context, staff_context.reason or str(case))
    record_action(
        why,
        kind,
        person=case.owner_id,
        conversation=case.chat_id,
        detail=f"{case.pk}: {detail}",
    )


def _why(case: Case) -> str:
    if case.is_resolved:
        words = _("{name} has already resolved this case.")
        return words.format(name=case.resolved_by or _("Deleted user"))
    if case.assignee_id:
        return _("{name} is working on this case.").format(name=case.assignee)
    return _("This case is unassigned.")
