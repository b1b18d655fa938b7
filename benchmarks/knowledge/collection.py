"""Make a loaded collection of texts, as the search has it in memory."""

from uuid import UUID

import numpy as np

from chat.knowledge.index_format import Array, Words, decode_words, encode_words
from chat.knowledge.loaded import LoadedCollection
from chat.knowledge.passages import Passage
from chat.knowledge.ranking import VectorIndex, WordIndex
from chat.lib.worker_thread import finished

_DOCUMENT = UUID(int=1)


def of_texts(texts: list[str], vectors: Array) -> LoadedCollection:
    """Return a collection in which each text is a passage."""
    return of_words(decode_words(finished(encode_words(texts))), vectors)


def of_words(words: Words, vectors: Array) -> LoadedCollection:
    """Return a collection whose passages are known by their places: `passage.start`."""
    count = len(vectors)
    passages = [(_DOCUMENT, Passage(place, place + 1)) for place in range(count)]
    return LoadedCollection(1, passages, WordIndex.of(words, count), VectorIndex(vectors))


def random_vectors(choose: np.random.Generator, count: int, dimensions: int) -> Array:
    return choose.integers(-127, 128, (count, dimensions), "i1")
