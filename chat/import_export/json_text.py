"""Read JSON whose text isn't clean UTF-8: other programs, editors and databases spoil it.

A byte order mark is skipped, and UTF-16 is read. Where decoding fails, surrogates are repaired:
pairs become their character, and halves and other invalid bytes U+FFFD.
"""

import codecs
import re
from typing import Protocol, TypeVar

import msgspec

T = TypeVar("T")

CHUNK_BYTES = 256 * 1024
#: The first bytes of a text in UTF-16, with a mark or with a bracket, and their codec.
UTF_16 = {
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    b"[\0": "utf-16-le",
    b"{\0": "utf-16-le",
    b"\0[": "utf-16-be",
    b"\0{": "utf-16-be",
}
HALF = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
PAIR = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")
#: An escape: of a pair, of a half, or any other.
ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)


class Source(Protocol):
    """A binary file; the last piece is empty."""

    def read(self, size: int, /) -> bytes: ...


class Utf8Stream:
    """The text of a binary file in UTF-8, without a byte order mark."""

    def __init__(self, file: Source) -> None:
        self._file = file
        start = file.read(CHUNK_BYTES)
        name = UTF_16.get(start[:2])
        self._decoder = codecs.getincrementaldecoder(name)("replace") if name else None
        self._ahead = self._decoded(start).removeprefix(codecs.BOM_UTF8)

    @property
    def beginning(self) -> bytes:
        """Return some of the text, without reading it."""
        return self._ahead

    def read(self, size: int = CHUNK_BYTES) -> bytes:
        """Return the next bytes, about `size`; none at the end."""
        text, self._ahead = self._ahead, b""
        while len(text) < size and (more := self._file.read(size - len(text))):
            text += self._decoded(more)
        return text

    def read_all(self) -> bytes:
        return b"".join(iter(self.read, b""))

    def _decoded(self, read: bytes) -> bytes:
        return self._decoder.decode(read).encode("utf-8", "replace") if self._decoder else read


def utf8(data: bytes) -> bytes:
    """Return a whole text like `Utf8Stream`."""
    name = UTF_16.get(data[:2])
    text = data.decode(name, "replace").encode("utf-8", "replace") if name else data
    return text.removeprefix(codecs.BOM_UTF8)


def decode(data: bytes, kind: type[T]) -> T:
    """Return the value; raise msgspec's errors, also for text that isn't JSON."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError):
        return msgspec.json.decode(repaired(data), type=kind)


def repaired(data: bytes) -> bytes:
    """Return the JSON with characters in the place of surrogates and of invalid bytes."""
    data = ESCAPE.sub(lambda found: rb"\ufffd" if found[1] else found[0], data)
    data = PAIR.sub(lambda found: _joined(found[0]), data)
    data = HALF.sub("\ufffd".encode(), data)
    return data.decode("utf-8", "replace").encode()


def _joined(pair: bytes) -> bytes:
    halves = pair.decode("utf-8", "surrogatepass")
    return halves.encode("utf-16", "surrogatepass").decode("utf-16").encode()
