"""Store which passages an answer may cite, and read them again."""

from collections.abc import Iterable, Sequence
from uuid import UUID

import msgspec
from django.db.models import prefetch_related_objects

from chat.conversations.models import Message
from chat.conversations.sizes.counted import SOURCE_BYTES
from chat.conversations.sources.models import MessageSources
from chat.knowledge import citations
from chat.knowledge.given import GivenPassage, GivenPassages

#: Of a passage whose document is on another site.
NO_DOCUMENT = UUID(int=0)


def store(answer: Message, given: GivenPassages) -> None:
    """Store the passages that the model gets for a new answer."""
    MessageSources.objects.create(message=answer, passages=given.as_stored())


def add(message_id: int, passages: Sequence[GivenPassage]) -> None:
    """Store more passages of an answer, which a tool has found. Call it inside a transaction."""
    row, _is_new = MessageSources.objects.select_for_update().get_or_create(message_id=message_id)
    row.passages += [each.as_stored() for each in passages]
    row.save(update_fields=["passages"])


def add_imported(given: Iterable[tuple[Message, Sequence[GivenPassage]]]) -> None:
    """Store the sources of messages from a file."""
    MessageSources.objects.bulk_create(
        MessageSources(message=message, passages=GivenPassages(passages).as_stored())
        for message, passages in given
    )


def sources_of(message_ids: Iterable[int]) -> dict[int, list[GivenPassage]]:
    """Return the passages of these answers, without their texts. Most answers have none."""
    rows = MessageSources.objects.filter(message__in=list(message_ids))
    return {
        message_id: msgspec.convert(passages, list[GivenPassage])
        for message_id, passages in rows.values_list("message_id", "passages")
    }


def shown_of(message_ids: Iterable[int]) -> dict[int, list[GivenPassage]]:
    """Return the passages of those of these answers that staff have not hidden."""
    hidden = Message.objects.filter(pk__in=list(message_ids), hidden_at__isnull=False)
    hidden_ids = set(hidden.values_list("pk", flat=True))
    return sources_of(each for each in message_ids if each not in hidden_ids)


def found_by_tools(message_id: int) -> list[GivenPassage]:
    """Return the passages that tools have found for an answer, without their texts."""
    return [each for each in sources_of([message_id]).get(message_id, ()) if each.is_from_tool]


def prefetch(messages: Sequence[Message]) -> None:
    """Load the sources of all these messages at once, for `passages_of`."""
    prefetch_related_objects(messages, "sources")


def passages_of(message: Message) -> list[GivenPassage] | None:
    """Return what an answer was given of documents; None if it is not based on any."""
    stored: MessageSources | None = getattr(message, "sources", None)
    return msgspec.convert(stored.passages, list[GivenPassage]) if stored else None


def without_citations(
    message_ids: Sequence[int], texts: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return the roles and texts of messages without citations of passages."""
    with_sources = set(
        MessageSources.objects.filter(message__in=message_ids).values_list("message_id", flat=True)
    )
    return [
        (role, citations.without_citations(text)) if message_id in with_sources else (role, text)
        for message_id, (role, text) in zip(message_ids, texts, strict=True)
    ]


def bytes_of(message_ids: Iterable[int]) -> int:
    """Return the size of the sources of these messages."""
    given = sources_of(message_ids).values()
    return sum(size_of(each.name, each.address) for passages in given for each in passages)


def size_of(name: str, address: str) -> int:
    """Return what a passage counts as."""
    return SOURCE_BYTES + len(name.encode()) + len(address.encode())


def copy_to(twins: dict[int, Message]) -> None:
    """Give copies of messages the sources of their originals, by the originals' ids."""
    rows = MessageSources.objects.filter(message__in=list(twins))
    MessageSources.objects.bulk_create(
        MessageSources(message=twins[each.message_id], passages=each.passages) for each in rows
    )
