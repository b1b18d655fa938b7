"""Continue a shared conversation in a new one of the reader's."""

from collections.abc import Generator, Iterator
from itertools import chain
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.conversations import branches
from chat.conversations.images import message_images, store
from chat.conversations.images.access import own_images
from chat.conversations.images.models import StoredImage
from chat.conversations.models import Conversation, Message
from chat.conversations.sizes import storage
from chat.conversations.sizes.counted import MESSAGE_BYTES
from chat.conversations.sizes.row_batches import batches
from chat.conversations.tool_calls import calls as tool_calls
from chat.errors import Conflict, NotFound
from chat.sharing.access import images_in
from chat.sharing.drawn_images import calls_in
from chat.sharing.models import SharedLink


def copy_shared_chat(link: SharedLink, user_id: int) -> Generator[None, None, Conversation]:
    """Copy everything that the link shows into a new conversation of the user's.

    Yield after each transaction; return the copy, which is a draft until it is complete. Raise
    `StorageFull`, or `NotFound` if the link is closed meanwhile.
    """
    with transaction.atomic():
        added = sum(_bytes_of(turn) + MESSAGE_BYTES for turn in link.turns)
        images = link.images.exclude(digest__in=own_images(user_id))
        added += sum(images.values_list("size_bytes", flat=True))
        storage.require_storage(user_id, added)
        copy = branches.create_draft(user_id, link.title)
    yield
    made: list[Message] = []
    for batch in batches(link.turns, _bytes_of):
        with transaction.atomic():
            store.copy_to(user_id, _images_of(batch, link))
            made += _copied(batch, copy, made[-1] if made else None)
        yield
    _show(copy, link, made)
    return copy


def _copied(turns: list[dict[str, Any]], copy: Conversation, last: Message | None) -> list[Message]:
    made = Message.objects.bulk_create(
        Message(
            conversation=copy,
            role=turn["role"],
            is_imported="imported" in turn,
            copied_from=turn.get("message"),
            **_shown(turn),
        )
        for turn in turns
    )
    branches.link_messages(made, last)
    named = {each.pk: images_in(turn) for each, turn in zip(made, turns, strict=True)}
    message_images.attach_named(copy.owner_id, named)
    calls = [calls_in(turn, message) for message, turn in zip(made, turns, strict=True)]
    tool_calls.add(list(chain.from_iterable(calls)))
    return made


def _images_of(turns: list[dict[str, Any]], link: SharedLink) -> Iterator[StoredImage]:
    digests = {digest for turn in turns for digest in images_in(turn)}
    return link.images.filter(digest__in=digests).iterator(chunk_size=1)


@transaction.atomic
def _show(copy: Conversation, link: SharedLink, made: list[Message]) -> None:
    """Show the copy in its owner's list, updated to the link's current content.

    Since it was read, the link may have been revoked, updated or restricted to others, or staff may
    have redacted parts of it.
    """
    held = SharedLink.objects.open_to(copy.owner_id).select_for_update(no_key=True, of=("self",))
    now = held.filter(pk=link.pk).first()
    if now is None:
        raise NotFound
    if now.created_at != link.created_at:
        raise Conflict(_("The owner has just updated this chat. Try again."))
    for message, before, turn in zip(made, link.turns, now.turns, strict=True):
        if turn != before:
            Message.objects.filter(pk=message.pk).update(**_shown(turn))
    branches.publish(copy, now.title)


def _shown(turn: dict[str, Any]) -> dict[str, Any]:
    return {
        "text": turn["text"],
        "reasoning": turn.get("reasoning", ""),
        "hidden_at": timezone.now() if "hidden" in turn else None,
    }


def _bytes_of(turn: dict[str, Any]) -> int:
    return storage.bytes_of(turn["text"]) + storage.bytes_of(turn.get("reasoning", ""))
