"""Delete and restore turns, and branch conversations off, including their running answers."""

import uuid
from collections.abc import Generator
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from chat.conversations import access, branches, paths
from chat.conversations.errors import ChatClosed
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes.row_batches import batches
from chat.conversations.sizes.storage import require_storage
from chat.database import bulk_writes, threads
from chat.errors import Conflict, NotFound
from chat.generations.models import Generation
from chat.generations.pairs.errors import ComparisonOpen
from chat.generations.task.cancellation import request_stop

#: Columns that a copied answer keeps. Its log stays with the original.
FACTS = (
    "owner_id", "state", "model", "reasoning_effort", "max_tokens", "omitted_messages",
    "started_at", "ended_at", "milliseconds",
    "first_token_milliseconds", "length", "finish_reason", "error_code", "error_message",
    "error_retryable", "prompt_tokens", "completion_tokens", "total_tokens", "cached_tokens",
    "neurons", "cost_usd",
)  # fmt: skip


async def delete_turn(
    user_id: int, conversation_id: uuid.UUID, question_id: int
) -> list[uuid.UUID]:
    """Soft-delete a question and everything below it; return the ids of answers that must stop.

    Long turns are deleted in short transactions, so that other writers are not held up.
    """
    turn = await threads.readers.run(find_turn, user_id, conversation_id, question_id)
    return await bulk_writes.run_in_steps(delete_in_steps(user_id, conversation_id, turn))


async def restore_turn(user_id: int, conversation_id: uuid.UUID, question_id: int) -> None:
    """Restore a deleted turn. Answers that the deletion stopped stay stopped."""
    turn = await threads.readers.run(
        find_turn, user_id, conversation_id, question_id, is_deleted=True
    )
    await bulk_writes.run_in_steps(restore_in_steps(user_id, conversation_id, turn))


@dataclass(frozen=True, slots=True)
class DeletedTurn:
    """A question and its descendants, in batches of ids; the last batch has the question."""

    question_id: int
    batches: list[list[int]]


def find_turn(
    user_id: int, conversation_id: uuid.UUID, question_id: int, *, is_deleted: bool = False
) -> DeletedTurn:
    """Find a question and everything below it.

    Raise `NotFound` if the user has no such message (in the given state of deletion) and
    `BadRequest` if it is an answer. A question that was deleted together with an earlier one can
    only be restored with that one.
    """
    conversation = access.conversation_of(user_id, conversation_id)
    question = access.message_of(conversation, question_id, is_deleted=is_deleted)
    if is_deleted and question.deleted_with != question_id:
        raise NotFound
    return DeletedTurn(question_id, branches.subtree_batches(question))


def delete_in_steps(
    user_id: int, conversation_id: uuid.UUID, turn: DeletedTurn
) -> Generator[None, None, list[uuid.UUID]]:
    """Delete the turn, yielding between transactions; return the ids of answers that must stop.

    The last transaction also covers messages that were added meanwhile.
    """
    now = timezone.now()
    *first, last = turn.batches
    for ids in first:
        branches.mark_deleted(ids, turn.question_id, now)
        yield
    with transaction.atomic():
        conversation = access.conversation_of(user_id, conversation_id, to_change=True)
        access.message_of(conversation, turn.question_id)
        known = {pk for ids in first for pk in ids}
        new = [pk for pk in paths.ids_below(turn.question_id) if pk not in known]
        branches.mark_deleted(list({*last, *new}), turn.question_id, now)
        return _stop_deleted(conversation)


def restore_in_steps(
    user_id: int, conversation_id: uuid.UUID, turn: DeletedTurn
) -> Generator[None, None, None]:
    """Restore the turn, yielding between transactions.

    The question comes last: if the process dies in between, it can still be restored.
    """
    *first, last = turn.batches
    for ids in first:
        branches.mark_restored(ids, turn.question_id)
        yield
    with transaction.atomic():
        conversation = access.conversation_of(user_id, conversation_id, to_change=True)
        access.message_of(conversation, turn.question_id, is_deleted=True)
        branches.mark_restored(last, turn.question_id)


def _stop_deleted(conversation: Conversation) -> list[uuid.UUID]:
    running = Generation.objects.filter(
        message__conversation=conversation,
        message__deleted_at__isnull=False,
        state=Generation.State.RUNNING,
    )
    ids = list(running.values_list("id", flat=True))
    request_stop(Generation.objects.filter(id__in=ids))
    return ids


def branch_off(
    user_id: int, conversation_id: uuid.UUID, message_id: int
) -> Generator[None, None, Conversation]:
    """Copy a conversation up to a message, with the generations but no logs; return the copy.

    Yield after each transaction. The copy stays invisible until it is complete. Raise `ChatClosed`,
    or `NotFound` for a message that the user does not own.
    """
    with transaction.atomic():
        original = access.conversation_of(user_id, conversation_id)
        if original.closed_at:
            raise ChatClosed
        branch = branches.branch_to(access.message_of(original, message_id))
        require_storage(user_id, branch.stored_bytes)
        copy = branches.create_copy(original)
    yield
    last: Message | None = None
    for batch in batches(branch.sizes, lambda each: each[1]):
        with transaction.atomic():
            ids = [pk for pk, _size in batch]
            made = branches.copy_messages(copy, ids, last)
            _copy_generations(dict(zip(ids, made, strict=True)))
            last = made[-1]
        yield
    branches.publish_copy(copy, original)
    return copy


def _copy_generations(twins: dict[int, Message]) -> None:
    """Copy the latest generation of each answer.

    `twins` maps the ids of the original messages to their copies. Raise `Conflict` if an answer is
    still being written, or compared without a vote yet.
    """
    generations = Generation.objects.filter(message__in=list(twins)).order_by("started_at")
    latest = {each.message_id: each for each in generations}
    if any(each.state == Generation.State.RUNNING for each in latest.values()):
        raise Conflict(
            _(
                "An answer you want to delete is still being written. Wait for "
                "it to finish, or stop it."
            )
        )
    if any(each.hides_model for each in latest.values()):
        raise ComparisonOpen
    Generation.objects.bulk_create(
        _twin(each, twins[message_id]) for message_id, each in latest.items()
    )


def _twin(generation: Generation, message: Message) -> Generation:
    facts = {name: getattr(generation, name) for name in FACTS}
    return Generation(message=message, send_key=uuid.uuid4().hex, send_digest="", **facts)
