"""Record requests of people, and answer them with a copy of all their data.

Who answers them has the right `DATA_PROTECTION`, which covers everybody but staff of the same or a
higher role. Each step is in the log of staff actions, and a copy in the access log, chat by chat.
"""

from collections.abc import Iterator
from datetime import date, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.accounts.models import User
from chat.conversations.legal_hold import retained
from chat.conversations.models import Conversation
from chat.data_requests.models import DataRequest
from chat.data_requests.record import record_files
from chat.data_requests.signed_archive import signed_archive
from chat.errors import BadRequest, NotFound
from chat.import_export.collection_files import ArchiveFile
from chat.import_export.export_archive import oldest_first
from chat.review.access_log.authority import require_below
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import Kind, Seen, StaffContext, record_access
from chat.review.staff.roles import Right

Action = StaffAction.Kind


def open_requests() -> QuerySet[DataRequest]:
    """Return the requests that wait, the most urgent first."""
    waiting = (DataRequest.State.OPEN, DataRequest.State.ERASING)
    return DataRequest.objects.filter(state__in=waiting).order_by("due_on", "id")


def ended_requests() -> QuerySet[DataRequest]:
    """Return the others, newest first."""
    ended = (DataRequest.State.DONE, DataRequest.State.DECLINED)
    return DataRequest.objects.filter(state__in=ended).order_by("-ended_at", "-id")


def requests_of(person_id: int) -> QuerySet[DataRequest]:
    """Return a person's requests, newest first."""
    return DataRequest.objects.filter(person=person_id).order_by("-id")


def user_of(person_id: int) -> User | None:
    """Return a member or visitor, whose account may be closed; None once it has been erased.

    Raise `NotFound` if there never was a request of somebody who isn't there.
    """
    people = User.all_objects.select_related("visitor__site")
    person = people.filter(pk=person_id).first()
    if person is None and not requests_of(person_id).exists():
        raise NotFound
    return person


def editable_user(staff_context: StaffContext, person_id: int) -> User:
    """Return somebody whose requests this staff member may answer.

    Raise `NotFound` for closed accounts, and `InsufficientRole`.
    """
    person = User.all_objects.filter(pk=person_id, closed_at=None).first()
    if person is None:
        raise NotFound
    require_below(staff_context, person)
    return person


@transaction.atomic
def add(
    staff_context: StaffContext, person: User, kind: DataRequest.Kind, received_on: date
) -> DataRequest:
    """Record a request. Raise `BadRequest` if the person has one of this kind that is open."""
    due_on = received_on + timedelta(days=settings.DATA_REQUEST_DAYS)
    try:
        with transaction.atomic():
            request = DataRequest.objects.create(
                person=person.pk, kind=kind, received_on=received_on, due_on=due_on
            )
    except IntegrityError:
        raise BadRequest(_("This person already has an open request of this kind.")) from None
    record_action(staff_context, Action.DATA_REQUESTED, person=person.pk, detail=_detail(request))
    return request


def open_request(
    staff_context: StaffContext, person: User, kind: DataRequest.Kind, received_on: date
) -> DataRequest:
    """Return the person's open request of this kind, or record one, in a transaction."""
    opened = DataRequest.objects.select_for_update().filter(
        person=person.pk, kind=kind, state=DataRequest.State.OPEN
    )
    return opened.first() or add(staff_context, person, kind, received_on)


def move(from_user_id: int, to_user_id: int) -> None:
    """Move a visitor's requests to the known visitor they turned out to be (visitor_merge.py).

    Of two open ones of a kind only the earlier stays: what answers it answers both.
    """
    both = DataRequest.objects.select_for_update().filter(person__in=(from_user_id, to_user_id))
    open_kinds: set[str] = set()
    for request in both.filter(state=DataRequest.State.OPEN).order_by("due_on", "pk"):
        if request.kind in open_kinds:
            request.delete()
        open_kinds.add(request.kind)
    DataRequest.objects.filter(person=from_user_id).update(person=to_user_id)


@transaction.atomic
def decline(staff_context: StaffContext, person_id: int, request_id: int) -> None:
    """End an open request without doing what it asks for.

    Raise `NotFound`, or `InsufficientRole`. Its person may have closed the account.
    """
    if person := User.all_objects.filter(pk=person_id).first():
        require_below(staff_context, person)
    waiting = DataRequest.objects.filter(
        pk=request_id, person=person_id, state=DataRequest.State.OPEN
    )
    if not waiting.update(
        state=DataRequest.State.DECLINED,
        reason=staff_context.reason,
        ended_at=timezone.now(),
        ended_by=staff_context.reviewer.user_id,
    ):
        raise NotFound
    request = DataRequest.objects.get(pk=request_id)
    record_action(
        staff_context, Action.DATA_DECLINED, person=request.person, detail=_detail(request)
    )


@transaction.atomic
def copy(staff_context: StaffContext, person: User, received_on: date) -> Iterator[bytes]:
    """Answer the person's request for a copy; return the signed archive in pieces.

    All that it will show is in the access log before any of it is sent.
    """
    request = open_request(staff_context, person, DataRequest.Kind.COPY, received_on)
    chats = set(_chats_of(person).values_list("pk", flat=True))
    seen = [Seen(person.pk), *(Seen(person.pk, each) for each in chats)]
    record_access(staff_context, Kind.EXPORTED, seen, str(request))
    record_action(staff_context, Action.DATA_EXPORTED, person=person.pk, detail=_detail(request))
    DataRequest.objects.filter(pk=request.pk).update(
        state=DataRequest.State.DONE,
        ended_at=timezone.now(),
        ended_by=staff_context.reviewer.user_id,
    )
    about = {"request": request.pk, "person": person.pk, "received_on": request.received_on}
    # A chat that is added meanwhile is in no log entry, so it isn't in the archive either.
    conversations = (each for each in oldest_first(_chats_of(person)) if each.pk in chats)
    return signed_archive(about, _while_allowed(staff_context, record_files(person, conversations)))


def _chats_of(person: User) -> QuerySet[Conversation]:
    """Return the chats of the person, with deleted ones that are on legal hold."""
    present = Q(purge_after=None) | retained(since="purge_after")
    return Conversation.all_objects.filter(present, owner=person)


def _while_allowed(
    staff_context: StaffContext, files: Iterator[ArchiveFile]
) -> Iterator[ArchiveFile]:
    """Yield the files; raise `NotFound` once the staff member has lost the right."""
    for each in files:
        staff_context.renewed(Right.DATA_PROTECTION)
        yield each


def _detail(request: DataRequest) -> str:
    return f"{request.kind} {request.pk}"
