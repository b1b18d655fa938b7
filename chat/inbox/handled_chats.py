"""Assign a site's chats to people in its team, and open, snooze and close them.

A chat that the team has closed or snoozed stays so until the visitor writes or asks for a person,
or until the time of the snooze. `not_open` finds these, and `shown_state` tells it of one chat;
nothing is changed when a visitor writes.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.conversations.access import locked
from chat.conversations.handoff import takeover
from chat.conversations.models import Conversation, Message
from chat.database.housekeeping import isolated
from chat.errors import BadRequest, Conflict
from chat.inbox import notices
from chat.inbox.models import HandledChat
from chat.inbox.team_access import Inbox
from chat.review import access
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.cases.notes import add_note
from chat.widget_sites.team import people_of

State = HandledChat.State

MAX_SNOOZE_DAYS = 365
WOKEN_AT_ONCE = 100


class InvalidSnooze(BadRequest):
    text = _("Choose a time in the future, at most a year from now.")


class VisitorHasWritten(Conflict):
    """The visitor has written or asked for a person since the reader's list was made."""

    code = "visitor_has_written"
    text = _("The visitor has written in the meantime.")


class NotInTeam(BadRequest):
    text = _("This person isn't in the team. Choose another one.")


def not_open(*states: HandledChat.State) -> QuerySet[HandledChat]:
    """Return the rows of chats that are closed or snoozed now, or of these states only."""
    closed = Q(state=State.CLOSED) if not states or State.CLOSED in states else Q(pk__in=[])
    snoozed = Q(state=State.SNOOZED, snoozed_until__gt=Now())
    chosen = closed | snoozed if not states or State.SNOOZED in states else closed
    return HandledChat.objects.filter(chosen).exclude(_is_wanted_again())


def shown_state(conversation_id: UUID) -> HandledChat.State:
    """Return the chat's state as of now."""
    row = not_open().filter(pk=conversation_id).values_list("state", flat=True).first()
    return State(row) if row else State.OPEN


def states_of(ids: Iterable[UUID]) -> dict[UUID, str]:
    """Return the states of those of these chats that are closed or snoozed now."""
    return dict(not_open().filter(pk__in=list(ids)).values_list("pk", "state"))


def assignees_of(ids: Iterable[UUID]) -> dict[UUID, int]:
    """Return to whom these chats are assigned."""
    rows = HandledChat.objects.filter(pk__in=list(ids)).values_list("pk", "assignee")
    return {pk: assignee for pk, assignee in rows if assignee is not None}


def row_of(conversation_id: UUID) -> HandledChat | None:
    """Return what is stored, which a visitor's message may have outdated."""
    return HandledChat.objects.filter(pk=conversation_id).first()


@transaction.atomic
def assign(inbox: Inbox, conversation_id: UUID, to: int | None, note: str = "") -> bool:
    """Assign the chat to a person in the team, or to nobody; return whether it was passed on.

    If the reader is answering in it, the person answers from now on. They are notified, and find
    the note among the team's notes. Raise `NotFound` or `NotInTeam`.
    """
    owner = access.owner_of(inbox.staff_context, conversation_id)
    if to is not None and to not in {each.pk for each in people_of(inbox.site)}:
        raise NotInTeam
    conversation = locked(conversation_id)
    HandledChat.objects.update_or_create(conversation=conversation, defaults={"assignee": to})
    if note.strip():
        add_note(inbox.staff_context, conversation_id, note, is_of_team=True)
    record_action(
        inbox.staff_context,
        StaffAction.Kind.CHAT_ASSIGNED,
        person=owner,
        conversation=conversation_id,
        detail=str(to or "–"),
    )
    if to is None or to == inbox.user_id:
        return False
    notices.add_for_person(inbox.site, notices.Kind.ASSIGNED, conversation_id, to)
    return takeover.transfer(conversation, inbox.user_id, to)


def close(
    inbox: Inbox, conversation_id: UUID, *, seen_at: datetime | None = None
) -> datetime | None:
    """Close the chat, and end the reader's takeover; return since when the visitor waited.

    Raise `TakenOver` or `NotFound`, and `VisitorHasWritten` if that was after `seen_at`.
    """
    return _set_state(inbox, conversation_id, State.CLOSED, seen_at=seen_at)


def snooze(
    inbox: Inbox, conversation_id: UUID, until: datetime, *, seen_at: datetime | None = None
) -> None:
    """Put the chat aside until a time. Raise `InvalidSnooze` or the errors of `close`."""
    if not timezone.now() < until <= timezone.now() + timedelta(days=MAX_SNOOZE_DAYS):
        raise InvalidSnooze
    _set_state(inbox, conversation_id, State.SNOOZED, until, seen_at=seen_at)


def reopen(inbox: Inbox, conversation_id: UUID) -> None:
    """Open the chat. Raise `NotFound`."""
    _set_state(inbox, conversation_id, State.OPEN)


@transaction.atomic
def undo_close(inbox: Inbox, conversation_id: UUID, waited_since: datetime | None) -> None:
    """Open a chat that was just closed; a visitor who waited for a person waits again."""
    reopen(inbox, conversation_id)
    chats = Conversation.objects.filter(pk=conversation_id, person_requested_at=None)
    chats.update(person_requested_at=waited_since)


@transaction.atomic
def _set_state(
    inbox: Inbox,
    conversation_id: UUID,
    state: HandledChat.State,
    until: datetime | None = None,
    *,
    seen_at: datetime | None = None,
) -> datetime | None:
    owner = access.owner_of(inbox.staff_context, conversation_id)
    conversation = locked(conversation_id)
    if seen_at and _has_news(conversation, seen_at):
        raise VisitorHasWritten
    if state != State.OPEN:
        taken = takeover.current(conversation_id)
        if taken and taken.person != inbox.user_id:
            raise takeover.TakenOver
        takeover.hand_back(conversation_id, inbox.user_id)
    if state == State.CLOSED:
        Conversation.objects.filter(pk=conversation_id).update(person_requested_at=None)
    values = {
        "state": state,
        "snoozed_until": until,
        "changed_by": inbox.user_id,
        "changed_at": timezone.now(),
    }
    HandledChat.objects.update_or_create(conversation=conversation, defaults=values)
    record_action(
        inbox.staff_context,
        StaffAction.Kind.CHAT_STATE_SET,
        person=owner,
        conversation=conversation_id,
        detail=f"{state} {until:%Y-%m-%d %H:%M %Z}" if until else str(state),
    )
    return conversation.person_requested_at


def _has_news(conversation: Conversation, since: datetime) -> bool:
    """Return True if the visitor has written or asked for a person since."""
    asked_at = conversation.person_requested_at
    theirs = conversation.messages.filter(role=Message.Role.USER)
    return bool(asked_at and asked_at > since) or theirs.filter(created_at__gt=since).exists()


def wake_due() -> None:
    """Open the chats whose snooze is over, and tell their assignee. Run every minute."""
    due = HandledChat.objects.filter(state=State.SNOOZED, snoozed_until__lte=Now())
    rows = due.select_related("conversation__owner__visitor__site")
    for row in rows.order_by("snoozed_until")[:WOKEN_AT_ONCE]:
        with isolated("snoozed_chat", row.pk), transaction.atomic():
            _wake(row)


def _wake(row: HandledChat) -> None:
    stored = HandledChat.objects.filter(
        pk=row.pk, state=State.SNOOZED, snoozed_until=row.snoozed_until
    )
    was_snoozed = not stored.filter(_is_wanted_again()).exists()
    is_ours = stored.update(
        state=State.OPEN, snoozed_until=None, changed_by=None, changed_at=timezone.now()
    )
    person = row.assignee or row.changed_by
    if is_ours and was_snoozed and person and not row.conversation.purge_after:
        site = row.conversation.owner.visitor.site
        notices.add_for_person(site, notices.Kind.SNOOZE_OVER, row.pk, person)


def _is_wanted_again() -> Q:
    """Return the condition that the visitor has written or asked for a person since."""
    since = Message.objects.filter(
        conversation=OuterRef("pk"),
        role=Message.Role.USER,
        created_at__gt=OuterRef("changed_at"),
    )
    return Exists(since) | Q(conversation__person_requested_at__gt=F("changed_at"))
