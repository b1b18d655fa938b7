"""Fetch images and files of questions with an access check.

All code that handles digests from requests uses these functions.
"""

from django.db.models import Q, QuerySet

from chat.conversations.attached_files import split_files
from chat.conversations.images.models import MessageImage, StoredImage, StoredImageQuerySet
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
    return _visible(user_id).images().filter(digest__in=digests)


def own_images(user_id: int) -> list[str]:
    """Return the digests of all images that the user sees."""
    images = _visible(user_id).images()
    return list(images.order_by("pk").values_list("digest", flat=True))


def file_of(user_id: int, digest: str) -> StoredImage:
    """Return the original of a file, as `image_of` does an image; raise `NotFound`."""
    return _first(files_of(user_id, [digest]))


def files_of(user_id: int, digests: list[str]) -> QuerySet[StoredImage]:
    """Return those of these originals that the user has, and sees."""
    return _visible(user_id).files().filter(digest__in=digests)


def own_files(user_id: int) -> list[str]:
    """Return the digests of all originals that the user sees."""
    return list(_visible(user_id).files().order_by("pk").values_list("digest", flat=True))


def name_of(file: StoredImage) -> str:
    """Return the name by which a question has an original; empty if none has it.

    The caller has authorised the file. Its name is only in the texts of messages.
    """
    texts = file.uses.filter(SEEN).order_by("pk").values_list("message__text", flat=True)
    named = split_files(texts.first() or "").files
    return next((each.name for each in named if each.original == file.digest), "")


def _visible(user_id: int) -> StoredImageQuerySet:
    seen = MessageImage.objects.filter(SEEN, image__owner=user_id)
    is_seen = Q(pk__in=seen.values("image")) | Q(unsent_since__isnull=False)
    return StoredImage.objects.filter(is_seen, owner=user_id)


def image_in(uses: QuerySet[MessageImage], digest: str) -> StoredImage:
    """Return an image of messages that the caller has authorised; raise `NotFound`."""
    return _first(_in(uses, digest).images())


def file_in(uses: QuerySet[MessageImage], digest: str) -> StoredImage:
    """Return the original of a file of messages that the caller has authorised."""
    return _first(_in(uses, digest).files())


def _in(uses: QuerySet[MessageImage], digest: str) -> StoredImageQuerySet:
    return StoredImage.objects.filter(digest=digest, pk__in=uses.values("image"))


def _first(images: QuerySet[StoredImage]) -> StoredImage:
    image = images.first()
    if image is None:
        raise NotFound
    return image
