"""Fetch images with an access check.

All code that handles digests from requests uses these functions.
"""

from django.db.models import Q, QuerySet

from chat.conversations.images.models import MessageImage, StoredImage
from chat.errors import NotFound

#: Images of messages that their owner sees: neither deleted nor hidden by staff.
SEEN = Q(message__deleted_at=None, message__hidden_at=None, message__conversation__purge_after=None)


def image_of(user_id: int, digest: str) -> StoredImage:
    """Return the user's image with its content; raise `NotFound`.

    It belongs to a message that they see, or to one that is not sent yet.
    """
    return _first(images_of(user_id, [digest]))


def images_of(user_id: int, digests: list[str]) -> QuerySet[StoredImage]:
    """Return those of these images that the user has, and sees."""
    return _visible(user_id).filter(digest__in=digests)


def own_images(user_id: int) -> list[str]:
    """Return the digests of all images that the user sees."""
    return list(_visible(user_id).order_by("pk").values_list("digest", flat=True))


def _visible(user_id: int) -> QuerySet[StoredImage]:
    seen = MessageImage.objects.filter(SEEN, image__owner=user_id)
    is_seen = Q(pk__in=seen.values("image")) | Q(unsent_since__isnull=False)
    return StoredImage.objects.filter(is_seen, owner=user_id)


def image_in(uses: QuerySet[MessageImage], digest: str) -> StoredImage:
    """Return an image of messages that the caller has authorised; raise `NotFound`."""
    return _first(StoredImage.objects.filter(digest=digest, pk__in=uses.values("image")))


def _first(images: QuerySet[StoredImage]) -> StoredImage:
    image = images.first()
    if image is None:
        raise NotFound
    return image
