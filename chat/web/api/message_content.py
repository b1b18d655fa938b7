"""Read the content of a message: its text, and images and documents as `data:` URLs."""

import binascii
from base64 import b64decode
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from chat.conversations.images.relayed_images import relayed_image, require_counts
from chat.conversations.prompt import PromptDocument, PromptImage
from chat.errors import BadRequest
from chat.web.http.json_body import UnsupportedParameter

TEXT_PARTS = frozenset({"text", "input_text", "output_text", "refusal", "reasoning_text"})
MAX_SHOWN_TYPE_CHARS = 40
IMAGE_PARTS = frozenset({"image_url", "input_image"})
FILE_PARTS = frozenset({"file", "input_file"})
#: Of one message.
MAX_MESSAGE_DOCUMENTS = 10


class ImageAddress(Struct):
    url: str = ""


class FileData(Struct):
    """A file. The Responses API has its fields in the part itself."""

    filename: str | None = None
    file_data: str | None = None


class ContentPiece(FileData):
    """A part of a message, in the form of chat completions or of the Responses API."""

    type: str = "text"
    text: str | None = None
    refusal: str | None = None
    image_url: str | ImageAddress | None = None
    file: FileData | None = None


class Content(NamedTuple):
    text: str
    images: tuple[PromptImage, ...] = ()
    documents: tuple[PromptDocument, ...] = ()


def content_of(
    content: str | Sequence[ContentPiece] | None,
    where: str,
    *,
    has_images: bool = True,
    is_result: bool = False,
) -> Content:
    """Return the content of a message, or of the result of a tool.

    Raise `BadRequest` for a sound, or for an image or a file where there can be none. A result only
    names what can't be read, because the program can't take back what its tool found.
    """
    if isinstance(content, str | None):
        return Content(content or "")
    texts: list[str] = []
    images: list[PromptImage] = []
    documents: list[PromptDocument] = []
    for place, part in enumerate(content):
        at = f"{where}[{place}]"
        if part.type in TEXT_PARTS:
            texts.append(part.text or part.refusal or "")
        elif part.type in IMAGE_PARTS and has_images:
            images.append(_image(part, at))
        elif part.type in FILE_PARTS and has_images and (file := part.file or part).file_data:
            documents.append(document_of(file.file_data, file.filename or "", at))
        elif is_result:
            texts.append(f"[{part.type[:MAX_SHOWN_TYPE_CHARS]}]")
        else:
            kind = part.type[:MAX_SHOWN_TYPE_CHARS]
            accepted = "text, images and files as data" if has_images else "text only"
            raise BadRequest(f"{at}: this site's API accepts {accepted}, not {kind}.").at(at)
    return content_with("".join(texts), images, documents, where)


def content_with(
    text: str, images: Sequence[PromptImage], documents: Sequence[PromptDocument], where: str
) -> Content:
    """Return the content of one message. Raise `BadRequest` for too many images or documents."""
    if len(documents) > MAX_MESSAGE_DOCUMENTS:
        raise BadRequest(f"{where}: at most {MAX_MESSAGE_DOCUMENTS} files are possible.").at(where)
    try:
        require_counts([len(images)])
    except BadRequest as error:
        raise error.at(where) from None
    return Content(text, tuple(images), tuple(documents))


def image_at(url: str, where: str) -> PromptImage:
    """Return the image of a `data:` URL. Raise `BadRequest`, which names `where`."""
    try:
        return relayed_image(url)
    except BadRequest as error:
        raise error.at(where) from None


def document_of(data: str, name: str, where: str) -> PromptDocument:
    """Return a file in base64, with or without `data:` before it. Raise `BadRequest`."""
    head, comma, rest = data.partition(",")
    try:
        return PromptDocument(name, b64decode(rest if comma else head, validate=True))
    except (binascii.Error, ValueError):
        raise BadRequest(f"{where}: expected a file in base64.").at(where) from None


def _image(part: ContentPiece, where: str) -> PromptImage:
    address = part.image_url
    url = address.url if isinstance(address, ImageAddress) else address or ""
    if not url.startswith("data:"):
        words = f"{where}: send images as data: URLs in base64. This site fetches none by itself."
        raise UnsupportedParameter(words).at(where)
    return image_at(url, where)
