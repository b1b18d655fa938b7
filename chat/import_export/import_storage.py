"""Store an import such that it appears as a whole or not at all.

A transaction with many messages would delay all other writes for seconds. So conversations are
stored as drafts, in small transactions, and a single statement publishes them all (drafts.py).
"""

import uuid
from base64 import b64decode
from collections.abc import Generator

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from chat.conversations import drafts
from chat.conversations.images import message_images, store
from chat.conversations.models import BY_FILE, Conversation, Message, Rating
from chat.conversations.sizes.counted import ATTEMPT_BYTES, CALL_BYTES
from chat.conversations.sizes.row_batches import batches
from chat.conversations.sizes.storage import bytes_of
from chat.conversations.sources import sources
from chat.conversations.tool_calls.models import StoredToolCall
from chat.generations.models import Generation
from chat.import_export.export_writer import STATE_NAMES
from chat.import_export.file_format import (
    Attempt,
    ConversationFile,
    ExportedMessage,
    ExportedSource,
    ExportedTool,
    ExportedUsage,
)
from chat.import_export.imported_groups import ImportedGroups
from chat.knowledge.given import GivenPassage
from chat.lib.text import one_line

LIST_STATES = {name: state for state, name in STATE_NAMES.items()}


class DraftImport:
    """An import for one user. Its conversations are drafts until all are published at once."""

    def __init__(self, user_id: int) -> None:
        self._user_id = user_id
        self._import_id = uuid.uuid4()
        self._count = 0
        self._groups = ImportedGroups(user_id)

    def add(self, file: ConversationFile) -> Generator[None, None, uuid.UUID]:
        """Store a checked conversation with new ids, yielding after each transaction.

        Return its id.
        """
        conversation = drafts.create(
            owner_id=self._user_id,
            title=one_line(file.title),
            list_state=LIST_STATES[file.place],
            created_at=file.created_at,
            updated_at=file.updated_at,
            import_id=self._import_id,
        )
        self._count += 1
        self._groups.note(conversation.pk, file)
        yield
        ids: list[int] = []  # of the messages, in order
        for batch in batches(file.messages, size_of):
            _add(conversation, batch, ids)
            yield
        return conversation.pk

    @transaction.atomic
    def publish(self) -> int:
        """Show all imported conversations, in their projects and with tags; return how many.

        Raise `DraftGone`.
        """
        self._groups.apply()
        return drafts.publish(self._stored(), self._count)

    def abandon(self) -> None:
        """Leave everything stored so far to the purge."""
        drafts.abandon(self._stored())

    def _stored(self) -> QuerySet[Conversation]:
        return Conversation.all_objects.filter(owner=self._user_id, import_id=self._import_id)


def size_of(message: ExportedMessage) -> int:
    """Return the size of what is stored for a message, in bytes."""
    images = sum(len(each) * 3 // 4 for each in (*message.images, *message.files))
    return bytes_of(message.text) + bytes_of(message.reasoning) + _size_beside(message) + images


def _size_beside(message: ExportedMessage) -> int:
    """Return the size of what is stored besides the message: see counted.py."""
    attempts = max(0, len(message.attempts) - 1) * ATTEMPT_BYTES
    named = sum(sources.size_of(each.name, each.address) for each in message.sources or ())
    called = sum(
        CALL_BYTES + sum(map(bytes_of, (each.arguments, each.result, each.refusal)))
        for each in message.tools
    )
    return attempts + named + called


@transaction.atomic
def _add(conversation: Conversation, messages: list[ExportedMessage], ids: list[int]) -> None:
    """Store messages with their attempts and ratings.

    `ids` has the ids of earlier messages; the new ones are appended.
    """
    owner_id = conversation.owner_id
    for each in messages:
        for encoded in each.images:
            store.add_checked(owner_id, b64decode(encoded))
        for encoded in each.files if settings.KEEP_QUESTION_FILES else ():
            store.add_file(owner_id, b64decode(encoded))
    rows = [
        Message(
            conversation=conversation,
            role=each.role,
            text=each.text,
            reasoning=each.reasoning,
            author=BY_FILE if each.person else None,
            created_at=each.created_at,
            is_imported=True,
            follow_ups=each.follow_ups or None,
        )
        for each in messages
    ]
    ids += [row.pk for row in Message.objects.bulk_create(rows)]
    named = {
        row.pk: message_images.digests_in(each.text) if each.role == "user" else each.tool_images
        for row, each in zip(rows, messages, strict=True)
    }
    message_images.attach_named(owner_id, named)
    for row, each in zip(rows, messages, strict=True):
        row.parent_id = ids[each.parent - 1] if each.parent else None
    Message.objects.bulk_update([row for row in rows if row.parent_id], ["parent"])
    Generation.objects.bulk_create(
        _generation(owner_id, row.pk, attempt)
        for row, each in zip(rows, messages, strict=True)
        for attempt in each.attempts
    )
    sources.add_imported(
        (row, [_passage(each) for each in message.sources])
        for row, message in zip(rows, messages, strict=True)
        if message.sources is not None
    )
    StoredToolCall.objects.bulk_create(
        _tool_call(row, place, each)
        for row, message in zip(rows, messages, strict=True)
        for place, each in enumerate(message.tools)
    )
    Rating.objects.bulk_create(
        Rating(
            message=row,
            user_id=owner_id,
            value=each.rating.value,
            reason=each.rating.reason,
            comment=each.rating.comment,
            rated_at=each.rating.rated_at,
        )
        for row, each in zip(rows, messages, strict=True)
        if each.rating
    )


def _passage(source: ExportedSource) -> GivenPassage:
    """Return a source whose document is not on this site."""
    place = (source.number, sources.NO_DOCUMENT, source.name, 0, 0, source.page)
    return GivenPassage(*place, address=source.address)


def _tool_call(message: Message, place: int, call: ExportedTool) -> StoredToolCall:
    """Return a call that has ended, and never runs here."""
    return StoredToolCall(
        message=message,
        place=place,
        round=call.round,
        text_length=call.text_length,
        tool=call.tool,
        arguments=call.arguments,
        state=call.state,
        result=call.result,
        result_count=call.count,
        problem=call.problem,
        refusal=call.refusal,
        images=call.images or None,
    )


def _generation(owner_id: int, message_id: int, attempt: Attempt) -> Generation:
    """Return an ended generation without cost, whose send key matches no send."""
    usage, error = attempt.usage or ExportedUsage(), attempt.error
    return Generation(
        owner_id=owner_id,
        message_id=message_id,
        state=attempt.state,
        send_key=f"import-{uuid.uuid4().hex}",
        model=attempt.model,
        base_length=attempt.base_length,
        length=attempt.length,
        omitted_messages=attempt.omitted_messages,
        reasoning_effort=attempt.reasoning_effort,
        max_tokens=attempt.max_tokens,
        started_at=attempt.started_at,
        ended_at=attempt.ended_at,
        finish_reason=attempt.finish_reason,
        milliseconds=attempt.milliseconds,
        first_token_milliseconds=attempt.first_token_milliseconds,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        total_tokens=usage.total_tokens,
        cached_tokens=usage.cached_tokens,
        neurons=usage.neurons,
        cost_usd=usage.cost_usd,
        error_code=error.code if error else "",
        error_message=error.message if error else "",
        error_retryable=error.retryable if error else False,
    )
