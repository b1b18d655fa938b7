"""The only doors to a shared link: its owner's, by its id, and everybody's, by its token."""

import uuid

from chat.errors import NotFound
from chat.sharing.models import SharedLink, SharedLinkQuerySet


def link_of(user_id: int, link_id: uuid.UUID) -> SharedLink:
    """The user's link; a stranger's, or none, is `NotFound`."""
    link = SharedLink.objects.present().defer("turns").filter(owner=user_id, id=link_id).first()
    if link is None:
        raise NotFound
    return link


def open_link(token: str) -> SharedLink:
    """What the token shows; one that is revoked, out of date or made up is `NotFound`.

    All of them take the same steps: a digest, and one look into an index.
    """
    return _opened(SharedLink.objects.open(), token)


def named_link(token: str) -> SharedLink:
    """The same without what it shows, which may be long."""
    return _opened(SharedLink.objects.open().defer("turns"), token)


def _opened(links: SharedLinkQuerySet, token: str) -> SharedLink:
    link = links.with_token(token).first()
    if link is None:
        raise NotFound
    return link
