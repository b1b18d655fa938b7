"""Split a large JSON array into its elements without decoding it as a whole."""

import re
from collections.abc import Iterator

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
    count = data.count(b"{") + data.count(b"[")
    return count > MANY_BRACKETS and count * BYTES_PER_BRACKET > len(data)


def has_more_values(data: bytes, most: int) -> bool:
    """Return whether `data` has more than about `most` values, whatever is in its strings."""
    if sum(map(data.count, BEFORE_VALUES)) <= most:
        return False  # at a fraction of the cost, even if some are in strings
    place = count = 0
    while count <= most and (match := NEXT_VALUE.match(data, place)):
        place = match.end()
        count += 1
    return count > most


def elements(data: bytes) -> Iterator[bytes]:
    """Yield the arrays and objects in the JSON array `data`; for an object, the object itself.

    The brackets are only counted, so each element must still be decoded. An array that isn't closed
    ends with its last complete element, and then raises `ValueError`.
    """
    is_array = data.lstrip()[:1] == b"["
    place, depth, start = 0, 0, 0
    while match := NEXT_BRACKET.match(data, place):
        place = match.end()
        if match[1] in OPENING:
            if depth == is_array:
                start = place - 1
            depth += 1
            continue
        depth -= 1
        if depth == is_array:
            yield data[start:place]
        if depth <= 0:
            return
    raise ValueError("the array has no end")
