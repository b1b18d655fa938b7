"""The binary formats of a document's index, for `DocumentIndex`.

- `passages`: MessagePack.
- `words`: for each different word of each passage, its number, its passage and how often it is
  there, as three arrays one after the other.
- `vectors`: a row of bytes for each passage, from -127 to 127. They lose nothing that a search
  would notice (docs/knowledge.md).

A word is known by a number of 32 bits. Two words that share one are a miss of some millions of
words, which costs a search no more than a word that two texts have in common by chance.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

import msgspec
import numpy as np

from chat.knowledge.passages import Passage
from chat.lib.words import words_of
from chat.lib.worker_thread import Steps

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

MOST_REPEATS = 255
_passages = msgspec.msgpack.Decoder(list[Passage])


class Words(NamedTuple):
    """The words of passages: number, passage and count of each, in no order."""

    numbers: Array  # uint32
    places: Array  # uint32
    counts: Array  # uint8


def encode_passages(passages: Sequence[Passage]) -> bytes:
    return msgspec.msgpack.encode(passages)


def decode_passages(content: bytes | memoryview) -> list[Passage]:
    return _passages.decode(content)


def word_numbers(text: str) -> Counter[int]:
    """Return how often each word of a text is in it."""
    return Counter(crc32(word.encode()) for word in words_of(text))


def encode_words(texts: Iterable[str]) -> Steps[bytes]:
    numbers: list[int] = []
    places: list[int] = []
    counts: list[int] = []
    for place, text in enumerate(texts):
        words = word_numbers(text)
        numbers += words.keys()
        places += [place] * len(words)
        counts += (min(count, MOST_REPEATS) for count in words.values())
        yield
    parts = (np.array(numbers, "<u4"), np.array(places, "<u4"), np.array(counts, "u1"))
    return b"".join(part.tobytes() for part in parts)


def decode_words(content: bytes | memoryview) -> Words:
    count = len(content) // 9
    return Words(
        np.frombuffer(content, "<u4", count),
        np.frombuffer(content, "<u4", count, 4 * count),
        np.frombuffer(content, "u1", count, 8 * count),
    )


def encode_vectors(vectors: Sequence[Sequence[float]]) -> bytes:
    """Return the vectors, each scaled so that its largest number is 127."""
    rows = np.array(vectors, "f4")
    largest = np.abs(rows).max(axis=1, keepdims=True)
    scaled = rows * (127 / np.where(largest > 0, largest, 1))
    return np.rint(scaled).astype("i1").tobytes()


def decode_vectors(content: bytes | memoryview, count: int) -> Array:
    """Return `count` rows."""
    return np.frombuffer(content, "i1").reshape(count, -1)
