"""Turn what a tool of an MCP server returned into text for a model: foreign, cut, and marked."""

import binascii
from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress

from chat.knowledge.given import foreign_block, without_tags
from chat.lib.text import clean, one_line
from chat.tools.mcp.protocol import CallResult, ResultPart

#: Less than what the tool loop cuts at, so that the block's end is part of it.
MAX_BYTES = 11_000
MAX_ERROR_CHARS = 1000
#: Of one call.
MAX_IMAGES = 4
LEFT_OUT = "\n(The rest was left out.)"
#: What a model isn't given is named.
NAMES = {"image": "[image]", "audio": "[audio]"}


def text_of(result: CallResult) -> str:
    """Return a result as a model reads it."""
    text = _cut("\n".join(_parts(result)).strip(), MAX_BYTES)
    return foreign_block(text) if text else "The tool returned nothing."


def error_of(result: CallResult) -> str:
    """Return what a tool said about its failure."""
    text = "\n".join(_parts(result)).strip()
    return failure(text) if text else "The tool failed without a reason."


def images_of(result: CallResult) -> list[bytes]:
    """Return the pictures of a result, whatever they are. What can't be decoded is left out."""
    images: list[bytes] = []
    for each in result.content:
        if each.type == "image" and len(images) < MAX_IMAGES:
            with suppress(binascii.Error, ValueError):
                images.append(b64decode(each.data, validate=True))
    return images


def failure(text: str) -> str:
    return f"The tool failed.\n{foreign_block(_cut(clean(text), MAX_ERROR_CHARS))}"


def _parts(result: CallResult) -> Iterator[str]:
    for each in result.content:
        yield _part(each)
    # Servers repeat it as a text for clients that don't know it.
    structured = bytes(result.structuredContent).decode(errors="replace")
    if structured != "null" and not any(each.text for each in result.content):
        yield clean(structured)


def _part(content: ResultPart) -> str:
    if content.type == "text":
        return clean(content.text)
    if content.type in NAMES:
        return NAMES[content.type]
    if content.type == "resource" and content.resource:
        if content.resource.text is not None:
            return clean(content.resource.text)
        return f"[file: {one_line(content.resource.uri)}]"
    if content.type == "resource_link":
        return f"[link: {one_line(f'{content.name} {content.uri}')}]"
    return f"[{one_line(content.type)}]"


def _cut(text: str, most: int) -> str:
    text = without_tags(text)  # longer than the text
    kept = text.encode()[:most].decode(errors="ignore")
    return kept if len(kept) == len(text) else kept + LEFT_OUT
