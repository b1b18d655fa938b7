"""Take back what a mistaken rule has done: its flags, their cases and legal holds, what it hid.

Any process does this in steps, newest flags first, and the rule stores how far it got. What a
person has decided or is working on stays.
"""

from contextlib import suppress
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef

from chat.accounts.actor import SERVER
from chat.errors import Conflict
from chat.review.access_log import staff_actions
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case, Flag, Rule
from chat.review.cases import flags, rule_actions
from chat.review.cases.rule_subjects import NEWEST
from chat.review.cases.rules import rule_of

AT_ONCE = 50
Kind = StaffAction.Kind
#: Actions on a case that leave it open.
HANDLED = (Kind.ASSIGNED, Kind.CASE_REOPENED)


@dataclass(frozen=True, slots=True)
class Extent:
    """What withdrawing a rule takes back, and how many of its cases stay as they are."""

    flags: int
    closed: int  # cases that have no other flags
    kept: int  # that a person has decided or is working on


def extent_of(rule: Rule) -> Extent:
    made = Flag.objects.filter(rule=rule)
    cases = Case.objects.filter(Exists(made.filter(case=OuterRef("pk"))))
    others = Flag.objects.filter(case=OuterRef("pk")).exclude(rule=rule)
    untouched = cases.filter(state=Case.State.OPEN)
    return Extent(
        made.filter(case__state=Case.State.OPEN).count(),
        untouched.filter(~Exists(others)).count(),
        cases.exclude(state=Case.State.OPEN).count(),
    )


@transaction.atomic
def start(staff_context: StaffContext, rule_id: int) -> Rule:
    """Turn the rule off, and begin to take back its flags. Raise `NotFound`."""
    rule = rule_of(staff_context.reviewer, rule_id)
    extent = extent_of(rule)
    Rule.objects.filter(pk=rule.pk).update(
        is_enabled=False, backfill_before=None, withdrawal_before=NEWEST
    )
    detail = f"{rule.name}: {extent.flags} flags, {extent.closed} cases"
    record_action(staff_context, Kind.RULE_WITHDRAWN, detail=detail)
    return rule


def run_withdrawal() -> bool:
    """Take back the next flags of one rule; return False if no rule is being withdrawn."""
    rule = Rule.objects.filter(withdrawal_before__isnull=False).order_by("id").first()
    if rule is None:
        return False
    older = Flag.objects.filter(rule=rule, pk__lt=rule.withdrawal_before).order_by("-id")
    ids = list(older.values_list("pk", flat=True)[:AT_ONCE])
    for each in ids:
        _take_back(rule, each)
    step = {"withdrawal_before": ids[-1] if ids else None}
    Rule.objects.filter(pk=rule.pk, withdrawal_before=rule.withdrawal_before).update(
        **step, matches=Flag.objects.filter(rule=rule).count()
    )
    return True


def _take_back(rule: Rule, flag_id: int) -> None:
    flag = Flag.objects.filter(pk=flag_id).select_related("case__conversation").first()
    if flag is None or _is_touched(flag.case):
        return
    with suppress(Conflict), transaction.atomic():
        _undo(rule, flag)


def _undo(rule: Rule, flag: Flag) -> None:
    """Take a flag back, with what the rule did to its message.

    Raise `Conflict` if a person has begun to work on its case meanwhile. Messages are locked before
    the case, as when they are hidden.
    """
    for hook in rule_actions.undoing_hooks:
        hook(rule, flag)
    case = Case.objects.select_for_update().filter(pk=flag.case_id).first()
    if case is None or _is_touched(case):
        raise Conflict
    case_id, owner, chat = case.pk, case.owner_id, case.chat_id
    if flags.take_back(flag):
        detail = f"{case_id}: {rule.name}"
        staff_actions.add(
            SERVER, "", Kind.RULE_WITHDRAWN, person=owner, conversation=chat, detail=detail
        )


def _is_touched(case: Case) -> bool:
    """Return True if a person has decided on the case, or is or was working on it."""
    if case.state != Case.State.OPEN:
        return True
    return StaffAction.objects.filter(
        conversation=case.chat_id, kind__in=HANDLED, detail__startswith=f"{case.pk}: "
    ).exists()
