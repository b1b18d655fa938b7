"""Store the calls of tools, and change their states."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Q, Sum, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.conversations.models import Message
from chat.conversations.sizes.counted import CALL_BYTES
from chat.conversations.sizes.row_batches import ByteLength
from chat.conversations.tool_calls.models import REFUSAL_LENGTH, StoredToolCall
from chat.errors import Conflict, NotFound
from chat.lib.text import one_line

State = StoredToolCall.State
ENDED = frozenset({State.REFUSED, State.DONE, State.FAILED})


class ToolCallDecided(Conflict):
    """Somebody has decided about the call already, perhaps on another device."""

    code = "tool_call_decided"
    text = _("Somebody has already decided about this.")


class ToolCallUndecided(Conflict):
    """The answer can't go on before somebody has decided."""

    code = "tool_call_undecided"
    text = _("Allow or refuse the tool first.")


def of_answer(message_id: int) -> list[StoredToolCall]:
    return list(StoredToolCall.objects.select_related("message").filter(message=message_id))


def of_answers(message_ids: Iterable[int]) -> dict[int, list[StoredToolCall]]:
    """Return the calls of these answers. Most answers have none."""
    calls: dict[int, list[StoredToolCall]] = {}
    for each in StoredToolCall.objects.filter(message__in=list(message_ids)).order_by(
        "message", "place"
    ):
        calls.setdefault(each.message_id, []).append(each)
    return calls


def find(call_id: UUID) -> StoredToolCall:
    """Return a call with its answer; the caller has to check access. Raise `NotFound`."""
    call = StoredToolCall.objects.select_related("message").filter(pk=call_id).first()
    if call is None:
        raise NotFound
    return call


def prefetch(messages: Sequence[Message]) -> None:
    """Load the calls of all these messages at once, for `calls_of`."""
    prefetch_related_objects(messages, "tool_calls")


def calls_of(message: Message) -> list[StoredToolCall]:
    """Return the calls of an answer."""
    return list(message.tool_calls.all())


def add(calls: Sequence[StoredToolCall]) -> None:
    """Store new calls of one answer, before any of them runs."""
    StoredToolCall.objects.bulk_create(calls)


def finish(call: StoredToolCall, result: str) -> bool:
    """Store the end of a call that runs, with this result; return False if it no longer runs."""
    running = StoredToolCall.objects.filter(pk=call.pk, state=State.RUNNING)
    stored: int = running.update(
        state=call.state,
        result=result,
        result_count=call.result_count,
        problem=call.problem,
        ended_at=call.ended_at,
    )
    return bool(stored)


def require_decided(calls: Iterable[StoredToolCall]) -> None:
    """Raise `ToolCallUndecided` if a person has to decide about one of the calls.

    That includes one with effects whose process died: nobody knows whether it ran.
    """
    if any(needs_decision(each) for each in calls):
        raise ToolCallUndecided


def needs_decision(call: StoredToolCall) -> bool:
    """Return whether a person has to decide about a call of an answer that isn't being written."""
    is_unknown = call.state == State.RUNNING and call.has_effects
    return call.state == State.PROPOSED or is_unknown


def was_allowed(call: StoredToolCall) -> bool:
    """Return whether a person was asked about a call that has ended, and allowed it."""
    return call.decided_by is not None and call.state in {State.DONE, State.FAILED}


@transaction.atomic
def start_again(message_id: int) -> list[StoredToolCall]:
    """Start the allowed calls of an answer that is continued, and return all of its calls.

    What ran when its process died has failed, and doesn't run again. Call it once the answer has a
    new generation, so that no other one continues it.
    """
    calls = StoredToolCall.objects.filter(message=message_id)
    now = timezone.now()
    calls.filter(state=State.RUNNING).update(
        state=State.FAILED, problem="interrupted", ended_at=now
    )
    calls.filter(state=State.APPROVED).update(state=State.RUNNING, started_at=now)
    return list(calls)


@transaction.atomic
def decide(
    message: Message, call_id: UUID, user_id: int, *, is_allowed: bool, arguments: str, words: str
) -> StoredToolCall:
    """Allow or refuse a call of an answer that isn't being written.

    `arguments` replace the model's if they aren't empty; `words` tell it why it was refused. Raise
    `NotFound` or `ToolCallDecided`.
    """
    call = StoredToolCall.objects.filter(pk=call_id, message=message).first()
    if call is None:
        raise NotFound
    is_edited = bool(arguments) and arguments != call.arguments
    undecided = StoredToolCall.objects.filter(
        Q(state=State.PROPOSED) | Q(state=State.RUNNING, has_effects=True), pk=call_id
    )
    changed = undecided.update(
        state=State.APPROVED if is_allowed else State.REFUSED,
        arguments=arguments if is_edited else call.arguments,
        is_edited=is_edited or call.is_edited,
        refusal=one_line(words)[:REFUSAL_LENGTH],
        decided_by=user_id,
        decided_at=timezone.now(),
        started_at=None,
    )
    if not changed:
        raise ToolCallDecided
    call.refresh_from_db()
    return call


def bytes_of(message_ids: Iterable[int]) -> int:
    """Return the size of these messages' calls."""
    texts = sum(ByteLength(name) for name in ("arguments", "result", "refusal"))
    calls = StoredToolCall.objects.filter(message__in=list(message_ids))
    return int(calls.aggregate(all=Sum(texts + CALL_BYTES, default=0))["all"])


def copy_to(twins: dict[int, Message]) -> None:
    """Give copies of messages the calls of their originals, by the originals' ids.

    A call that hasn't ended never runs for the copy: what it does would be done twice.
    """
    copies = []
    for call in StoredToolCall.objects.filter(message__in=list(twins)):
        values = {
            field.attname: getattr(call, field.attname)
            for field in StoredToolCall._meta.concrete_fields
            if field.attname not in {"id", "message_id"}
        }
        if call.state not in ENDED:
            values |= {"state": State.FAILED, "problem": "copied"}
        copies.append(StoredToolCall(message=twins[call.message_id], **values))
    StoredToolCall.objects.bulk_create(copies)
