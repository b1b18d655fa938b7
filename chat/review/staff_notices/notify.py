"""Notify staff: store notices in the transaction of what they are about."""

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review import access
from chat.review.staff import roles
from chat.review.staff.roles import Reviewer, Right, Role
from chat.review.staff_notices import duty, mentions, notice_delivery
from chat.review.staff_notices.mentions import Mentions
from chat.review.staff_notices.models import Alert, StaffNotice

Kind = StaffNotice.Kind

#: The same chat causes the same notice to the same person at most this often.
QUIET = timedelta(minutes=10)


def of_assignment(conversation_id: UUID, assignee_id: int) -> None:
    _add(Kind.ASSIGNED, conversation_id, assignee_id)


def of_mentions(
    conversation_id: UUID, author_id: int, text: str, without: Collection[int] = ()
) -> Mentions:
    """Tell the staff members that a note names with `@`, if they may read the chat.

    Those in `without` know already.
    """
    people, unknown = mentions.find(text, author_id)
    result = Mentions(unknown=unknown)
    for person in people:
        if person.pk in without:
            continue
        if _may_read(person, conversation_id):
            _add(Kind.MENTIONED, conversation_id, person.pk)
            result.told.append(person)
        else:
            result.without_access.append(person)
    return result


def of_reply(conversation_id: UUID, people: Iterable[int]) -> None:
    """Tell those who have written in a thread that somebody replied, if they may read the chat."""
    for person in User.objects.filter(pk__in=people):
        if _may_read(person, conversation_id):
            _add(Kind.REPLIED, conversation_id, person.pk)


def of_severity(conversation_id: UUID) -> None:
    """Tell those on duty who may read the chat."""
    for person_id in duty.on_duty(_readers(conversation_id)):
        _add(Kind.SEVERE, conversation_id, person_id)


def of_unclaimed(conversation_id: UUID, escalations: int) -> None:
    """Tell that nobody has taken on a severe case, for the so many-th time."""
    for person_id in duty.next_ones(_readers(conversation_id), escalations):
        _add(Kind.UNCLAIMED, conversation_id, person_id)


def of_alert(kind: StaffNotice.Kind, alert: Alert) -> None:
    """Tell all administrators."""
    for person in roles.staff_users(Role.ADMINISTRATOR):
        _store({"kind": kind, "alert": alert, "person_id": person.pk})


def of_data_request(kind: StaffNotice.Kind, due_on: date) -> None:
    """Tell all who answer requests for personal data, once for all that are due on a day."""
    for person in roles.staff_with(Right.DATA_PROTECTION):
        notice = {"kind": kind, "due_on": due_on, "person_id": person.pk}
        if not StaffNotice.objects.filter(**notice).exists():
            _store(notice)


def of_unsent_log() -> None:
    """Tell auditors, and administrators, who can do something about it."""
    auditors = roles.holders_among(User.objects.filter(closed_at=None), Right.AUDIT_LOG)
    people = {*auditors, *roles.staff_users(Role.ADMINISTRATOR)}
    for person in sorted(people, key=lambda each: each.pk):
        _store({"kind": Kind.UNSENT, "person_id": person.pk})


def _readers(conversation_id: UUID) -> list[Reviewer]:
    """Return the staff members who may read the chat."""
    reviewers = filter(None, map(roles.reviewer_of, roles.staff_users()))
    return [each for each in reviewers if _is_in_scope(each, conversation_id)]


def _may_read(person: User, conversation_id: UUID) -> bool:
    reviewer = roles.reviewer_of(person)
    return reviewer is not None and _is_in_scope(reviewer, conversation_id)


def _is_in_scope(reviewer: Reviewer, conversation_id: UUID) -> bool:
    in_scope = access.in_scope_of(reviewer)
    return Conversation.all_objects.filter(in_scope, pk=conversation_id).exists()


def _add(kind: StaffNotice.Kind, conversation_id: UUID, person_id: int) -> None:
    notice = {"kind": kind, "conversation": conversation_id, "person_id": person_id}
    since = timezone.now() - QUIET
    if not StaffNotice.objects.filter(**notice, created_at__gt=since).exists():
        _store(notice)


def _store(notice: dict[str, Any]) -> None:
    added = StaffNotice.objects.create(**notice)
    for each in (notice_delivery.MAIL, notice_delivery.WEBHOOK):
        each.add(group=added.person_id, notice=added.pk)
