"""Create flags from reports, ratings, staff and rules, and collect them in the open case."""

from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.conversations.models import Message
from chat.conversations.ratings import Opinion
from chat.errors import Conflict, NotFound, RateLimitExceeded
from chat.review import access
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case, Flag, Rule, Severity
from chat.review.cases import holds
from chat.review.cases.rule_subjects import RuleSubject
from chat.review.staff import privacy
from chat.review.staff_notices import case_events, notify
from chat.review.staff_notices.case_events import CaseEvent

MAX_REPORTS = 20  # per person and chat, until the case is resolved
SEVERITIES = {
    Flag.Reason.HARMFUL: Severity.HIGH,
    Flag.Reason.PERSONAL: Severity.HIGH,
    Flag.Reason.HATEFUL: Severity.MEDIUM,
    Flag.Reason.OTHER: Severity.MEDIUM,
}
Source = Flag.Source


@transaction.atomic
def report(
    conversation_id: UUID, message: Message | None, person_id: int, reason: str, comment: str
) -> Flag:
    """Report an answer, or the whole chat, as its user."""
    privacy.require_reading_allowed()
    case = open_case_of(conversation_id)
    if case.flags.filter(source=Source.REPORT, person=person_id).count() >= MAX_REPORTS:
        raise RateLimitExceeded(_("You've already reported much of this chat. We'll review it."))
    severity = SEVERITIES.get(Flag.Reason(reason), Severity.LOW)
    return _add(
        case,
        source=Source.REPORT,
        message=message.pk if message else None,
        person_id=person_id,
        reason=reason,
        comment=comment,
        severity=severity,
    )


@transaction.atomic
def flag_rating(message: Message, person_id: int, opinion: Opinion | None) -> None:
    """Flag a bad rating; withdrawing the rating removes the flag, unless its case is resolved."""
    if not privacy.is_reading_allowed():
        return
    # Only the chat's owner rates its answers; the owner may change (visitor_merge.py).
    thumbs = Flag.objects.filter(source=Source.THUMB, message=message.pk)
    if opinion is None or opinion.value > 0:
        for flag in thumbs.filter(case__state__lt=Case.State.RESOLVED):
            take_back(flag)
        return
    case = open_case_of(message.conversation_id)
    severity = Severity.MEDIUM if opinion.reason == Flag.Reason.HARMFUL else Severity.LOW
    values = {
        "person_id": person_id,
        "reason": opinion.reason,
        "comment": opinion.comment.strip(),
        "severity": severity,
    }
    case.flags.update_or_create(source=Source.THUMB, message=message.pk, defaults=values)
    _weigh(case)


@transaction.atomic
def flag(staff_context: StaffContext, conversation_id: UUID, comment: str) -> Flag:
    """Flag a chat for other staff."""
    if not access.exists(staff_context, conversation_id):
        raise NotFound
    return _add(
        open_case_of(conversation_id),
        source=Source.STAFF,
        person_id=staff_context.reviewer.user_id,
        comment=comment,
        severity=Severity.MEDIUM,
    )


def flag_match(rule: Rule, subject: RuleSubject) -> bool:
    """Flag a rule's match once; return True if it is new."""
    flags = Flag.objects.filter(rule=rule)
    is_about_chat = rule.kind == Rule.Kind.CHAT_COST
    if is_about_chat:
        flags = flags.filter(case__conversation=subject.conversation_id)
    else:
        flags = flags.filter(message=subject.message_id)
    if flags.exists():
        return False
    try:
        with transaction.atomic():
            case = open_case_of(subject.conversation_id)
            if is_about_chat and flags.exists():
                raise Conflict
            _add(
                case,
                source=Source.RULE,
                message=None if is_about_chat else subject.message_id,
                rule=rule,
                comment=rule.name,
                severity=rule.severity,
            )
            Rule.objects.filter(pk=rule.pk).update(
                matches=F("matches") + 1, matched_at=timezone.now()
            )
    except (Conflict, IntegrityError):  # another process was faster, or the chat is gone
        return False
    return True


def open_case_of(conversation_id: UUID) -> Case:
    """Return the unresolved case, or a new one, locked until the end of the transaction."""
    unresolved = Case.objects.select_for_update().filter(
        conversation=conversation_id, state__lt=Case.State.RESOLVED
    )
    while (case := unresolved.first()) is None:
        # If two insert at once, the second waits and then finds the first one's case.
        Case.objects.bulk_create([Case(conversation_id=conversation_id)], ignore_conflicts=True)
    return case


def _add(case: Case, **what: object) -> Flag:
    """Add a flag; most hold the chat until the case is resolved."""
    is_first = not case.flags.exists()
    made = Flag.objects.create(case=case, **what)
    holds.hold_for(case)
    _weigh(case)
    if is_first:
        case_events.emit(CaseEvent.OPENED, case.pk)
    return made


def _weigh(case: Case) -> None:
    """Set the case's severity to that of its worst flag."""
    worst = case.flags.aggregate(worst=Max("severity"))["worst"] or Severity.LOW
    if worst == Severity.HIGH > case.severity:
        notify.of_severity(case.chat_id)
    if worst != case.severity:
        case.severity = worst
        case.severe_since = timezone.now() if worst == Severity.HIGH else None
        case.save(update_fields=["severity", "severe_since"])


def take_back(flag: Flag) -> bool:
    """Remove the flag, and its case if it was the last one and nobody claimed the case.

    The case's hold ends unless another flag demands it. Return True if the case is gone.
    """
    case = Case.objects.select_for_update().get(pk=flag.case_id)
    flag.delete()
    if not case.flags.filter(holds.is_holding()).exists() and case.conversation_id:
        holds.release(case.conversation_id, str(case))
    is_gone = case.state == Case.State.OPEN and not case.flags.exists()
    if is_gone:
        case.delete()
    else:
        _weigh(case)
    return is_gone


def move_reports(from_user_id: int, to_user_id: int) -> None:
    """Move a visitor's reports, and cases of erased chats, to the known visitor they are."""
    Flag.objects.filter(person=from_user_id).update(person=to_user_id)
    Case.objects.filter(former_owner=from_user_id).update(former_owner=to_user_id)
