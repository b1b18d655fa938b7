"""Split a large JSON array into its elements without decoding it as a whole."""

import re
from collections.abc import Iterator

from chat.import_export.json_text import CHUNK_BYTES, Source

#: Everything up to the next bracket, or the next value, outside a string. They never go back, so
#: `match` is linear. A search isn't: where nothing follows, it tries again from each byte.
NEXT_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)
NEXT_VALUE = re.compile(rb'(?:[^",\[{]++|"(?:[^"\\]++|\\.)*+")*+[,\[{]', re.DOTALL)
OPENING = b"[{"
#: One of them comes before each value.
BEFORE_VALUES = (b",", b"[", b"{")
#: Values that one chat may consist of, for each message that it may have; memory is limited by it.
VALUES_PER_MESSAGE = 120
#: Exports have a bracket in about 75 bytes, source code in about 30.
BYTES_PER_BRACKET = 8
MANY_BRACKETS = 100_000


def has_too_many_brackets(data: bytes) -> bool:
    """Return whether `data` has so many brackets that it can't be an export."""
    return _are_too_many(_brackets(data), len(data))


def _brackets(data: bytes) -> int:
    return data.count(b"{") + data.count(b"[")


def _are_too_many(count: int, length: int) -> bool:
    return count > MANY_BRACKETS and count * BYTES_PER_BRACKET > length


def has_more_values(data: bytes, most: int) -> bool:
    """Return whether `data` has more than about `most` values, whatever is in its strings."""
    if sum(map(data.count, BEFORE_VALUES)) <= most:
        return False  # at a fraction of the cost, even if some are in strings
    place = count = 0
    while count <= most and (match := NEXT_VALUE.match(data, place)):
        place = match.end()
        count += 1
    return count > most


class TooManyBrackets(ValueError):
    """It can't be an export."""


def elements(stream: Source) -> Iterator[bytes]:
    """Yield the arrays and objects in a JSON array; for an object, the object itself.

    The brackets are only counted, so each element must still be decoded. An array that isn't closed
    ends with its last complete element, and then raises `ValueError`.
    """
    buffer = _Buffer(stream)
    is_array = buffer.first() == b"["
    place, depth, start = 0, 0, 0
    while True:
        match = NEXT_BRACKET.match(buffer.text, place)
        if not match:
            # What is before the element is not needed any more.
            dropped = start if depth > is_array else place
            if not buffer.read_on(dropped):
                raise ValueError("the array has no end")
            place, start = place - dropped, 0
            continue
        place = match.end()
        if match[1] in OPENING:
            if depth == is_array:
                start = place - 1
            depth += 1
            continue
        depth -= 1
        if depth == is_array:
            yield buffer.text[start:place]
        if depth <= 0:
            return


class _Buffer:
    """The part of a stream in which an element is looked for."""

    def __init__(self, stream: Source) -> None:
        self._stream = stream
        self._bytes = self._brackets = 0
        self.text = b""

    def first(self) -> bytes:
        while not self.text.strip() and self.read_on(len(self.text)):
            pass
        return self.text.lstrip()[:1]

    def read_on(self, dropped: int) -> bool:
        """Drop what was read, and read on; return whether there was more.

        As much is read as is kept, because it is searched again: that takes linear time.
        """
        kept = self.text[dropped:]
        more = self._stream.read(max(CHUNK_BYTES, len(kept)))
        self._bytes += len(more)
        self._brackets += _brackets(more)
        if _are_too_many(self._brackets, self._bytes):
            raise TooManyBrackets("there are too many brackets")
        self.text = kept + more
        return bool(more)
