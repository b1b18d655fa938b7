"""Read the content of a message: its text, and images as `data:` URLs."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from chat.conversations.images.relayed_images import relayed_image, require_counts
from chat.conversations.prompt import PromptImage
from chat.errors import BadRequest
from chat.web.http.json_body import UnsupportedParameter

TEXT_PARTS = frozenset({"text", "input_text", "output_text", "refusal", "reasoning_text"})
MAX_SHOWN_TYPE_CHARS = 40
IMAGE_PARTS = frozenset({"image_url", "input_image"})


class ImageAddress(Struct):
    url: str = ""


class ContentPiece(Struct):
    """A part of a message, in the form of chat completions or of the Responses API."""

    type: str = "text"
    text: str | None = None
    refusal: str | None = None
    image_url: str | ImageAddress | None = None


class Content(NamedTuple):
    text: str
    images: tuple[PromptImage, ...] = ()


def content_of(
    content: str | Sequence[ContentPiece] | None,
    where: str,
    *,
    has_images: bool = True,
    is_result: bool = False,
) -> Content:
    """Return the content of a message, or of the result of a tool.

    Raise `BadRequest` for a file or a sound, or for an image where there can be none. A result only
    names them, because the program can't take back what its tool found.
    """
    if isinstance(content, str | None):
        return Content(content or "")
    texts: list[str] = []
    images: list[PromptImage] = []
    for place, part in enumerate(content):
        at = f"{where}[{place}]"
        if part.type in TEXT_PARTS:
            texts.append(part.text or part.refusal or "")
        elif part.type in IMAGE_PARTS and has_images:
            images.append(_image(part, at))
        elif is_result:
            texts.append(f"[{part.type[:MAX_SHOWN_TYPE_CHARS]}]")
        else:
            kind = part.type[:MAX_SHOWN_TYPE_CHARS]
            accepted = "text and images" if has_images else "text only"
            raise BadRequest(f"{at}: this site's API accepts {accepted}, not {kind}.").at(at)
    return content_with("".join(texts), images, where)


def content_with(text: str, images: Sequence[PromptImage], where: str) -> Content:
    """Return the content of one message. Raise `TooManyImages`."""
    try:
        require_counts([len(images)])
    except BadRequest as error:
        raise error.at(where) from None
    return Content(text, tuple(images))


def image_at(url: str, where: str) -> PromptImage:
    """Return the image of a `data:` URL. Raise `BadRequest`, which names `where`."""
    try:
        return relayed_image(url)
    except BadRequest as error:
        raise error.at(where) from None


def _image(part: ContentPiece, where: str) -> PromptImage:
    address = part.image_url
    url = address.url if isinstance(address, ImageAddress) else address or ""
    if not url.startswith("data:"):
        words = f"{where}: send images as data: URLs in base64. This site fetches none by itself."
        raise UnsupportedParameter(words).at(where)
    return image_at(url, where)
