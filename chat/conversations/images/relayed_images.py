"""Images of temporary chats, which the request itself has as `data:` URLs. None is ever stored.

The same rules apply to them as to uploaded ones (images/store.py).
"""

import binascii
import re
from base64 import b64decode, b64encode
from dataclasses import replace

from django.conf import settings
from django.utils.translation import gettext as _

from chat.conversations.images.errors import ImagesUnsupported, NotAnImage, too_many_images
from chat.conversations.images.prompt_images import MAX_OLDER_IMAGES, limited
from chat.conversations.images.store import checked
from chat.conversations.prompt import PromptImage, PromptMessage
from chat.conversations.sizes.image_tokens import image_tokens
from chat.errors import BadRequest
from chat.lib.pictures.picture_format import CONTENT_TYPES
from chat.lib.pictures.picture_metadata import without_metadata

#: Whatever type it claims: the bytes decide.
DATA_URL = re.compile(r"data:[\w.+-]{1,40}/[\w.+-]{1,40};base64,", re.ASCII)
#: Of the longest body, so much is for images; in base64, they are a third larger.
IMAGES_SHARE = 3 / 4 * 3 / 4


def max_relayed_bytes() -> int:
    """Return how large an image may be, so that a body has room for as many as a question may have.

    The page makes them as small as that.
    """
    share = int(settings.MAX_BODY_BYTES * IMAGES_SHARE) // max(1, settings.MAX_MESSAGE_IMAGES)
    return min(settings.MAX_IMAGE_BYTES, share)


def require_counts(counts: list[int]) -> None:
    """Raise `TooManyImages` if one message has too many images, or all together."""
    most = settings.MAX_MESSAGE_IMAGES
    if max(counts, default=0) > most or sum(counts) > most + MAX_OLDER_IMAGES:
        raise too_many_images()


def relayed_image(url: str) -> PromptImage:
    """Return the image of a `data:` URL, without metadata.

    Raise `BadRequest`, `NotAnImage` or `ImageTooLarge`. This takes milliseconds for each megabyte.
    """
    content = content_of(url)
    shape = checked(content)
    content = without_metadata(content)
    address = f"data:{CONTENT_TYPES[shape.kind]};base64,{b64encode(content).decode()}"
    tokens = image_tokens(shape.width, shape.height)
    return PromptImage(f"image.{shape.kind}", "", tokens, len(content), address)


def content_of(url: str) -> bytes:
    """Return the bytes of a `data:` URL. Raise `BadRequest` or `NotAnImage`."""
    match = DATA_URL.match(url)
    if not match:
        raise BadRequest(_("An image's address must be a base64 data: URL."))
    try:
        return b64decode(url[match.end() :], validate=True)
    except (binascii.Error, ValueError):
        raise NotAnImage from None


def readable(messages: list[PromptMessage], *, reads_images: bool) -> list[PromptMessage]:
    """Return the messages as a model reads them, with notes for images that it doesn't get.

    Raise `ImagesUnsupported` if it can't read those of the question.
    """
    if not any(each.images for each in messages):
        return messages
    if reads_images:
        return limited(messages)
    questions = [each for each in messages if each.role == "user"]
    if questions[-1].images:
        raise ImagesUnsupported
    return [each.without_images() for each in messages]


def with_tool_images_after(
    messages: list[PromptMessage], *, reads_images: bool
) -> list[PromptMessage]:
    """Return the messages with the images of tools' results in a question after them.

    To most providers, a result is text. It says what a model without vision doesn't see.
    """
    moved: list[PromptMessage] = []
    shown: list[PromptMessage] = []
    for each in messages:
        if each.role != "tool":
            moved += shown
            shown = []
        moved.append(each.without_images() if each.role == "tool" else each)
        if each.role == "tool" and each.images and reads_images:
            shown.append(replace(each, role="user", content="", tool_call_id=""))
    return moved + shown
