"""Attach images and files to messages, whose texts name them, and check them before sending."""

from collections.abc import Iterable, Mapping

from django.conf import settings

from chat.conversations.attached_files import image_digests, original_digests
from chat.conversations.images.access import files_of, images_of
from chat.conversations.images.errors import ImageMissing, ImagesUnsupported, too_many_images
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Message

#: Originals of files that a message has.
MAX_FILES = 50


def require_readable(text: str, *, reads_images: bool) -> None:
    """Raise `ImagesUnsupported` if a question has images that its model can't read."""
    if not reads_images and image_digests(text):
        raise ImagesUnsupported


def require_images(user_id: int, text: str) -> list[int]:
    """Return the ids of a new question's images.

    Raise `TooManyImages`, or `ImageMissing` if one isn't the user's.
    """
    digests = image_digests(text)
    if len(digests) > settings.MAX_MESSAGE_IMAGES:
        raise too_many_images()
    if not digests:
        return []
    image_ids = list(images_of(user_id, digests).values_list("pk", flat=True))
    if len(image_ids) != len(set(digests)):
        raise ImageMissing
    return image_ids


def kept_files(user_id: int, text: str) -> list[int]:
    """Return the ids of the originals that a new question's text names, and the user has.

    Unlike an image, the question has the text of a file, so it is sent without the others.
    """
    digests = original_digests(text)[:MAX_FILES]
    return list(files_of(user_id, digests).values_list("pk", flat=True)) if digests else []


def attach(message: Message, image_ids: list[int]) -> None:
    """Attach to a new question what `require_images` and `kept_files` found in its text."""
    if not image_ids:
        return
    MessageImage.objects.bulk_create(MessageImage(message=message, image_id=pk) for pk in image_ids)
    StoredImage.objects.filter(pk__in=image_ids).update(unsent_since=None)


def digests_in(text: str) -> list[str]:
    """Return the digests of the images and originals that a question's text names."""
    return [*image_digests(text), *original_digests(text)[:MAX_FILES]]


def attach_named(user_id: int, named: Mapping[int, Iterable[str]]) -> None:
    """Attach to stored messages, by their ids, what has these digests and is their owner's."""
    digests = set().union(*named.values())
    if not digests:
        return
    known = StoredImage.objects.filter(owner=user_id, digest__in=digests)
    ids = dict(known.values_list("digest", "pk"))
    MessageImage.objects.bulk_create(
        MessageImage(message_id=pk, image_id=ids[digest])
        for pk, wanted in named.items()
        for digest in set(wanted) & ids.keys()
    )
    StoredImage.objects.filter(pk__in=ids.values()).update(unsent_since=None)


def copy_uses(twins: dict[int, Message]) -> None:
    """Attach the images of messages to their copies, by the originals' ids.

    The texts of hidden messages name none; their images stay with them.
    """
    uses = MessageImage.objects.filter(message__in=list(twins))
    MessageImage.objects.bulk_create(
        MessageImage(message=twins[each.message_id], image_id=each.image_id) for each in uses
    )


def move_all(from_user: int, to_user: int) -> None:
    """Give everything of one owner to another, with whose rows the same images are merged."""
    theirs = dict(StoredImage.objects.filter(owner=to_user).values_list("digest", "pk"))
    mine = StoredImage.objects.filter(owner=from_user)
    for digest, pk in mine.filter(digest__in=theirs).values_list("digest", "pk"):
        if MessageImage.objects.filter(image=pk).update(image=theirs[digest]):
            StoredImage.objects.filter(pk=theirs[digest]).update(unsent_since=None)
        StoredImage.objects.filter(pk=pk).only("pk").delete()
    mine.update(owner=to_user)
