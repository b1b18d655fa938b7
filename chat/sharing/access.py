"""Fetch shared links with an access check: owners by id, everybody else by token."""

import uuid

from chat.errors import NotFound
from chat.sharing.models import SharedLink, SharedLinkQuerySet


def link_of(user_id: int, link_id: uuid.UUID) -> SharedLink:
    """Return the user's link without its turns; raise `NotFound`."""
    link = SharedLink.objects.present().defer("turns").filter(owner=user_id, id=link_id).first()
    if link is None:
        raise NotFound
    return link


def open_link(token: str) -> SharedLink:
    """Return the link for a token; raise `NotFound` if it is revoked, expired or unknown.

    All these cases take the same steps: a digest, and one lookup in an index.
    """
    return _opened(SharedLink.objects.open(), token)


def link_without_turns(token: str) -> SharedLink:
    """Return the link for a token without its turns, which may be long; raise `NotFound`."""
    return _opened(SharedLink.objects.open().defer("turns"), token)


def _opened(links: SharedLinkQuerySet, token: str) -> SharedLink:
    link = links.with_token(token).first()
    if link is None:
        raise NotFound
    return link
