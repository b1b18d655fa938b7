"""Keep the indexes of the collections that are searched in memory, as long as they are current.

Each process has its own copies. A collection's version tells whether one is old, so an index needs
no messages between processes. Those that were not used for the longest time make room for others.
"""

import threading
import time
import uuid
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from django.conf import settings

from chat.knowledge.index_format import Array, Words, decode_passages, decode_vectors, decode_words
from chat.knowledge.models import Collection, DocumentIndex
from chat.knowledge.passages import Passage
from chat.knowledge.ranking import VectorIndex, WordIndex

#: A copy that took longer than this to read is used for ten times as long, even if it is old: while
#: many files are added, a large collection would be read anew for each question. Deleted documents
#: are found no more in any case (excerpts.py).
SLOW_SECONDS, KEEP_FACTOR = 0.3, 10
#: Of a passage and its place in lists, besides words and vectors.
PASSAGE_BYTES = 250


@dataclass(frozen=True)
class LoadedCollection:
    """The passages of a collection, by document, with what they are found by."""

    version: int
    passages: list[tuple[uuid.UUID, Passage]]
    words: WordIndex
    vectors: VectorIndex | None  # None if no document has any
    read_at: float = 0.0  # monotonic time
    read_seconds: float = 0.0

    def is_good(self, version: int) -> bool:
        """Return whether it is current, or too expensive to be read again so soon."""
        is_slow = self.read_seconds > SLOW_SECONDS
        keep_until = self.read_at + KEEP_FACTOR * self.read_seconds
        return self.version == version or (is_slow and time.monotonic() < keep_until)

    @property
    def size_bytes(self) -> int:
        vectors = self.vectors.rows.nbytes if self.vectors else 0
        return self.words.size_bytes + vectors + PASSAGE_BYTES * len(self.passages)

    @cached_property
    def characters(self) -> int:
        return sum(passage.end - passage.start for _document_id, passage in self.passages)


_loaded: OrderedDict[tuple[uuid.UUID, str], LoadedCollection] = OrderedDict()
_lock = threading.Lock()  # also keeps two threads from loading the same one


def loaded(collection_ids: list[uuid.UUID], embedding_model: str) -> list[LoadedCollection]:
    """Return the collections that still exist, in the order of their ids."""
    current = Collection.objects.filter(pk__in=collection_ids).order_by("pk")
    versions = current.values_list("pk", "version")
    with _lock:
        return [_load(pk, version, embedding_model) for pk, version in versions]


def forget() -> None:
    """Drop all copies."""
    with _lock:
        _loaded.clear()


def _load(collection_id: uuid.UUID, version: int, embedding_model: str) -> LoadedCollection:
    key = collection_id, embedding_model
    known = _loaded.pop(key, None)
    if known is None or not known.is_good(version):
        known = _read(collection_id, version, embedding_model)
    _loaded[key] = known
    size = sum(each.size_bytes for each in _loaded.values())
    while size > settings.KNOWLEDGE_MEMORY_BYTES and len(_loaded) > 1:
        _key, oldest = _loaded.popitem(last=False)
        size -= oldest.size_bytes
    return known


def _read(collection_id: uuid.UUID, version: int, embedding_model: str) -> LoadedCollection:
    """Read a collection. A change meanwhile raises its version, so it is read again next time."""
    begun = time.monotonic()
    passages: list[tuple[uuid.UUID, Passage]] = []
    words: list[Words] = []
    vectors: dict[int, Array] = {}
    indexes = DocumentIndex.objects.filter(document__collection=collection_id)
    for row in indexes.order_by("document__name", "document_id").iterator(chunk_size=50):
        first = len(passages)
        of_document = decode_passages(row.passages)
        passages += ((row.document_id, each) for each in of_document)
        numbers, places, counts = decode_words(row.words)
        words.append(Words(numbers, places + np.uint32(first), counts))
        if row.vectors and row.embedding_model == embedding_model:
            vectors[first] = decode_vectors(row.vectors, len(of_document))
    empty = Words(np.zeros(0, "u4"), np.zeros(0, "u4"), np.zeros(0, "u1"))
    together = Words(*(np.concatenate(parts) for parts in zip(empty, *words, strict=True)))
    index, rows = WordIndex.of(together, len(passages)), _vectors(vectors, len(passages))
    now = time.monotonic()
    return LoadedCollection(version, passages, index, rows, now, now - begun)


def _vectors(parts: dict[int, Array], count: int) -> VectorIndex | None:
    """Return the vectors in one array, in which other passages have zeros."""
    if not parts:
        return None
    dimensions = next(iter(parts.values())).shape[1]
    rows = np.zeros((count, dimensions), "i1")
    for first, part in parts.items():
        if part.shape[1] == dimensions:
            rows[first : first + len(part)] = part
    return VectorIndex(rows)
