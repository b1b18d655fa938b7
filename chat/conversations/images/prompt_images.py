"""Find the images of a prompt, choose those to send, and load them."""

from base64 import b64encode
from dataclasses import replace

from chat.conversations.attached_files import (
    AttachedFile,
    image_digests,
    split_files,
    without_originals,
)
from chat.conversations.images.models import StoredImage
from chat.conversations.prompt import PromptImage, PromptMessage
from chat.conversations.sizes.image_tokens import image_tokens
from chat.lib.pictures.picture_format import CONTENT_TYPES

#: Images of earlier questions to resend, newest first.
MAX_OLDER_IMAGES = 8
MAX_OLDER_BYTES = 6_000_000


def with_images(user_id: int, messages: list[PromptMessage]) -> list[PromptMessage]:
    """Return the messages with the images that the questions' texts name, still without content.

    Of an image that is not stored any more, a note remains in the text. What names the originals
    of files tells a model nothing, so it is left out.
    """
    messages = [_without_originals(each) for each in messages]
    named = [_named_by(each) for each in messages]
    digests = {digest for each in named for digest in each}
    if not digests:
        return messages
    rows = StoredImage.objects.images().filter(owner=user_id, digest__in=digests).defer("content")
    known = {row.digest: row for row in rows}
    return [
        _with_images(message, known) if each else message
        for message, each in zip(messages, named, strict=True)
    ]


def limited(messages: list[PromptMessage]) -> list[PromptMessage]:
    """Return the messages with notes for the images of older questions that would be too many."""
    last_question = max((at for at, each in enumerate(messages) if each.role == "user"), default=0)
    count = size = 0
    kept = list(messages)
    for at in range(last_question - 1, -1, -1):
        count += len(messages[at].images)
        size += sum(each.size_bytes for each in messages[at].images)
        if count > MAX_OLDER_IMAGES or size > MAX_OLDER_BYTES:
            kept[at] = messages[at].without_images()
    return kept


def loaded(user_id: int, messages: list[PromptMessage]) -> list[PromptMessage]:
    """Return the messages with the content of their images."""
    digests = {image.digest for each in messages for image in each.images}
    rows = StoredImage.objects.images().filter(owner=user_id, digest__in=digests)
    urls = {row.digest: _data_url(row) for row in rows.only("digest", "kind", "content")}
    return [_loaded(each, urls) if each.images else each for each in messages]


def _without_originals(message: PromptMessage) -> PromptMessage:
    if message.role != "user" or " file:" not in message.content:
        return message
    return replace(message, content=without_originals(message.content))


def _named_by(message: PromptMessage) -> list[str]:
    return image_digests(message.content) if message.role == "user" else []


def _with_images(message: PromptMessage, known: dict[str, StoredImage]) -> PromptMessage:
    text, files = split_files(message.content)
    images = [_image(each, known.get(each.image)) for each in files if each.image]
    kept = "".join(each.block for each in files if not each.image)
    return replace(message, content=f"{text}{kept}".rstrip("\n"), images=tuple(images))


def _image(file: AttachedFile, row: StoredImage | None) -> PromptImage:
    if row is None:
        return PromptImage(file.name, file.image)
    tokens = image_tokens(row.width, row.height)
    return PromptImage(file.name, row.digest, tokens, row.size_bytes)


def _loaded(message: PromptMessage, urls: dict[str, str]) -> PromptMessage:
    known = [replace(each, url=urls.get(each.digest, "")) for each in message.images]
    missing = replace(message, images=tuple(each for each in known if not each.url))
    shown = tuple(each for each in known if each.url)
    return replace(message, content=missing.without_images().content, images=shown)


def _data_url(row: StoredImage) -> str:
    return f"data:{CONTENT_TYPES[row.kind]};base64,{b64encode(row.content).decode()}"
