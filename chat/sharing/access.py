"""Fetch shared links with an access check: owners by id, everybody else by token.

A restricted link is checked with each request, so whoever is removed from its recipients, or from a
group among them, loses the page, its images and the right to continue it at once.
"""

import uuid
from typing import Any

from chat.conversations.attached_files import image_digests
from chat.conversations.images.models import StoredImage
from chat.conversations.models import Message
from chat.errors import NotFound
from chat.sharing.models import SharedLink, SharedLinkQuerySet


def link_of(user_id: int, link_id: uuid.UUID) -> SharedLink:
    """Return the user's link without its turns; raise `NotFound`."""
    link = SharedLink.objects.present().defer("turns").filter(owner=user_id, id=link_id).first()
    if link is None:
        raise NotFound
    return link


def open_link(token: str, user_id: int | None) -> SharedLink:
    """Return the link for a token; `user_id` is None for somebody who hasn't signed in.

    Raise `NotFound` if it is revoked, expired, unknown or not for them. All these cases take the
    same steps: the digests, and one query.
    """
    return _opened(SharedLink.objects.open_to(user_id), token)


def link_without_turns(token: str, user_id: int | None) -> SharedLink:
    """Return the link for a token without its turns, which may be long; raise `NotFound`."""
    return _opened(SharedLink.objects.open_to(user_id).defer("turns"), token)


def shared_image(token: str, digest: str, user_id: int | None) -> StoredImage:
    """Return an image that a link shows; raise `NotFound`.

    Staff may have hidden its question since.
    """
    link = link_without_turns(token, user_id)
    image = link.images.filter(digest=digest).first()
    if image is None or not any(digest in images_in(turn) for turn in link.turns):
        raise NotFound
    return image


def images_in(turn: dict[str, Any]) -> list[str]:
    """Return the digests of the images that a turn of a link shows."""
    if "hidden" in turn:
        return []
    if turn["role"] == Message.Role.USER:
        return image_digests(turn["text"])
    return [each["image"] for each in turn.get("drawn", ())]


def _opened(links: SharedLinkQuerySet, token: str) -> SharedLink:
    link = links.with_token(token).first()
    if link is None:
        raise NotFound
    return link
