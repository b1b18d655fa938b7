"""Read text in any encoding."""

import codecs
import re
from contextlib import suppress

from chat.documents.reader.document_text import DocumentText, within

BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
ALONE = re.compile(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])")
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")
#: What text files do not contain: static/js/lib/text_files.js looks for the same.
BINARY = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
#: Python's codecs for names of hosts. A long text takes them its length squared.
NOT_OF_TEXTS = frozenset({"idna", "punycode"})


def text_of(content: bytes, most_characters: int) -> DocumentText:
    text = decoded(content)
    if text is None or BINARY.search(text):
        return DocumentText(problem="unsupported")
    return within(text, most_characters)


def decoded_as(content: bytes, charset: str) -> str | None:
    """Return the text in an encoding that its sender names; None if it isn't in that."""
    try:
        if codecs.lookup(charset).name in NOT_OF_TEXTS:
            return None
        text = content.decode(charset)
    except (LookupError, ValueError):
        return None
    return text.encode("utf-8", "replace").decode()  # some have halves of characters


def decoded(content: bytes) -> str | None:
    """Return the text in its likely encoding; None if there is none."""
    text = _decoded(content)
    if text is None:
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def _decoded(content: bytes) -> str | None:
    with suppress(UnicodeDecodeError):
        return content.decode()
    if _is_western(content):
        return content.decode("cp1252", "replace")
    from charset_normalizer import from_bytes  # only some files need it, and it takes a while

    match = from_bytes(content).best()
    return str(match) if match else None


def _is_western(content: bytes) -> bool:
    """Return whether most letters that aren't ASCII stand alone, as in French and German.

    In other languages they stand together. Short texts give no more away than that.
    """
    beyond = sum(map(len, BEYOND_ASCII.findall(content)))
    alone = len(ALONE.findall(content))
    return content[:2] not in BYTE_ORDER_MARKS and b"\0" not in content and alone * 2 > beyond
