"""Check and store uploaded images, and the originals of files.

The format is read from the bytes, whatever the upload calls itself, and nothing is decoded. Place,
camera and comments are removed.
"""

from collections.abc import Iterable
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from chat.conversations.errors import StorageFull
from chat.conversations.images.errors import ImageTooLarge, NotAnImage, too_many_images
from chat.conversations.images.models import FILE, StoredImage
from chat.conversations.sizes.storage import require_room
from chat.lib.pictures.picture_format import PictureFormat, picture_format
from chat.lib.pictures.picture_metadata import without_metadata

MAX_PIXELS = 4096  # of each side
DIGEST_CHARACTERS = 32
#: Unsent images and files kept for each owner.
MAX_UNSENT = 50

_size = lazy(filesizeformat, str)


def checked(content: bytes) -> PictureFormat:
    """Return the format. Raise `ImageTooLarge` or `NotAnImage`."""
    if len(content) > settings.MAX_IMAGE_BYTES:
        words = _("The image is too large. The limit is {most}.")
        raise ImageTooLarge(format_lazy(words, most=_size(settings.MAX_IMAGE_BYTES)))
    picture = picture_format(content)
    if picture is None:
        raise NotAnImage
    if max(picture.width, picture.height) > MAX_PIXELS:
        words = _("The image must be at most {most} pixels wide and high.")
        raise ImageTooLarge(format_lazy(words, most=MAX_PIXELS))
    return picture


def store(user_id: int, content: bytes, site_key: str = "") -> StoredImage:
    """Store an image for a message that a member, or a visitor of a website, writes.

    Raise `StorageFull`, `TooManyImages` where images are off, or what `checked` raises.
    """
    if not settings.MAX_MESSAGE_IMAGES:
        raise too_many_images()
    with transaction.atomic():
        image = add_checked(user_id, content, site_key)
        _note_unsent(image)
    return image


def store_file(user_id: int, content: bytes, site_key: str = "") -> StoredImage:
    """Store the original of a file whose text is added to a message. Raise `StorageFull`."""
    with transaction.atomic():
        file = add_file(user_id, content, site_key)
        _note_unsent(file)
    return file


def store_file_if_room(user_id: int, content: bytes, site_key: str = "") -> str:
    """Store the original of a file; return its digest, empty if there is no room.

    Its text is of use without it.
    """
    try:
        return store_file(user_id, content, site_key).digest
    except StorageFull:
        return ""


def add_file(user_id: int, content: bytes, site_key: str = "") -> StoredImage:
    """Store a file as it is, or return the owner's row that has it. Raise `StorageFull`."""
    return _add(user_id, content, PictureFormat(FILE, 0, 0), site_key)


def _note_unsent(row: StoredImage) -> None:
    """Note when a row was uploaded, and remove the oldest that were not sent."""
    StoredImage.objects.filter(pk=row.pk).update(unsent_since=timezone.now())
    loose = StoredImage.objects.filter(owner=row.owner_id, uses=None, shared_links=None)
    unsent = loose.exclude(unsent_since=None)
    surplus = unsent.order_by("-unsent_since", "-pk").values_list("pk", flat=True)[MAX_UNSENT:]
    StoredImage.objects.filter(pk__in=list(surplus)).only("pk").delete()


def add_checked(user_id: int, content: bytes, site_key: str = "") -> StoredImage:
    """Store an image, or return the owner's row that has it. Raise what `store` raises."""
    shape = checked(content)
    return _add(user_id, without_metadata(content), shape, site_key)


def copy_to(user_id: int, images: Iterable[StoredImage]) -> None:
    """Give a user images of somebody else. The caller has authorised it."""
    for each in images:
        _add(user_id, bytes(each.content), PictureFormat(each.kind, each.width, each.height))


def _add(user_id: int, content: bytes, shape: PictureFormat, site_key: str = "") -> StoredImage:
    digest = digest_of(content, shape.kind)
    known = StoredImage.objects.filter(owner=user_id, digest=digest).defer("content").first()
    if known:
        return known
    require_room(user_id, site_key, len(content))
    facts = {"kind": shape.kind, "width": shape.width, "height": shape.height}
    facts |= {"size_bytes": len(content), "content": content}
    image, _is_new = StoredImage.objects.get_or_create(
        owner_id=user_id, digest=digest, defaults=facts
    )
    return image


def digest_of(content: bytes, kind: str = "") -> str:
    """Return what texts name it by. A file never has the digest of an image."""
    prefix = b"file:" if kind == FILE else b""
    return sha256(prefix + content).hexdigest()[:DIGEST_CHARACTERS]
