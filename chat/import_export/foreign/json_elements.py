"""Split a large JSON array into its elements without decoding it as a whole."""

import re
from collections.abc import Iterator
from itertools import islice

#: Everything up to the next bracket outside a string. It never goes back, so it is linear.
NEXT_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)
NEXT_VALUE = re.compile(rb'(?:[^",\[{]++|"(?:[^"\\]++|\\.)*+")*+[,\[{]', re.DOTALL)
OPENING = b"[{"
#: Exports have a bracket in about 75 bytes, source code in about 30.
BYTES_PER_BRACKET = 8
MANY_BRACKETS = 100_000


def has_too_many_brackets(data: bytes) -> bool:
    """Return whether `data` has so many brackets that it can't be an export."""
    count = data.count(b"{") + data.count(b"[")
    return count > MANY_BRACKETS and count * BYTES_PER_BRACKET > len(data)


def has_more_values(data: bytes, most: int) -> bool:
    """Return whether `data` has more than about `most` values, whatever is in its strings."""
    return next(islice(NEXT_VALUE.finditer(data), most, None), None) is not None


def elements(data: bytes) -> Iterator[bytes]:
    """Yield the arrays and objects in the JSON array `data`; for an object, the object itself.

    The brackets are only counted, so each element must still be decoded. An array that isn't closed
    ends with its last complete element, and then raises `ValueError`.
    """
    is_array = data.lstrip()[:1] == b"["
    place, depth, start = 0, 0, 0
    while found := NEXT_BRACKET.match(data, place):
        place = found.end()
        if found[1] in OPENING:
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
