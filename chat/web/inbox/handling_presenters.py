"""Show how a team handles a chat: who has it, its state, and who set that."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from chat.inbox import handled_chats, labels
from chat.inbox.models import HandledChat
from chat.inbox.team_access import Inbox
from chat.review.live import interventions
from chat.web.http.zoned_time import zoned
from chat.web.inbox.handling_forms import AssignmentForm, ChatLabelsForm, SnoozeForm

State = HandledChat.State


def handling_context(inbox: Inbox, conversation_id: UUID) -> dict[str, Any]:
    """Return the state and the forms that change it."""
    row = handled_chats.row_of(conversation_id)
    assignee = row.assignee if row else None
    return {
        "handling": handling_news(inbox, conversation_id, row),
        "assignment_form": AssignmentForm(inbox.site, assignee=assignee),
        "snooze_form": SnoozeForm(),
        "labels_form": ChatLabelsForm(inbox.site, chosen=labels.labels_of_chat(conversation_id)),
    }


def handling_news(
    inbox: Inbox, conversation_id: UUID, row: HandledChat | None = None
) -> dict[str, Any]:
    """Return the chat's state now, and sentences about it; open pages ask repeatedly."""
    row = row or handled_chats.row_of(conversation_id)
    if row is None:
        return {"state": State.OPEN, "facts": []}
    state = handled_chats.shown_state(conversation_id)
    people = [each for each in (row.assignee, row.changed_by) if each]
    names = interventions.staff_names(inbox.staff_context.reviewer, people)
    facts = [_("Assigned to {name}").format(name=names[row.assignee])] if row.assignee else []
    if words := _state_in_words(row, state, names.get(row.changed_by or 0, "")):
        facts.append(words)
    return {"state": state, "facts": facts}


def _state_in_words(row: HandledChat, shown: HandledChat.State, name: str) -> str:
    if shown == State.CLOSED:
        return _("Closed by {name}, {when}").format(name=name, when=zoned(row.changed_at))
    if shown == State.SNOOZED:
        until = zoned(row.snoozed_until)
        return _("Snoozed by {name} until {when}").format(name=name, when=until)
    if row.changed_at is None:
        return ""
    is_over = row.snoozed_until is not None and row.snoozed_until <= timezone.now()
    if row.changed_by is None or is_over:
        return _("Open again after a snooze")
    if row.state != State.OPEN:
        return _("Open again: the visitor has written")
    return _("Opened by {name}, {when}").format(name=name, when=zoned(row.changed_at))
