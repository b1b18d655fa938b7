"""Find the passages of collections that a question is about."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from chat.knowledge.index_format import Array
from chat.knowledge.loaded import LoadedCollection, loaded
from chat.knowledge.passages import Passage
from chat.knowledge.ranking import combined

#: Passages of the document that a question may be about without naming it.
MOST_FIRST = 3
#: Among fewer passages, none can be many standard deviations above their mean.
LEAST_TO_COMPARE = 30


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that was found.

    `words` is the share of the question's words that it has. `similarity` is its vector's cosine
    with the question's, None without vectors. `distinction` is how far this is above the mean of
    all passages, in standard deviations, None for few passages.
    """

    document_id: uuid.UUID
    passage: Passage
    words: float = 0.0
    similarity: float | None = None
    distinction: float | None = None


def search(
    collection_ids: list[uuid.UUID],
    question: str,
    vector: Sequence[float] | None,
    embedding_model: str,
    most: int,
    first: uuid.UUID | None = None,
) -> list[FoundPassage]:
    """Return the passages that are nearest to the question, by its words and its vector.

    The caller has checked access to the collections. Without a vector, only words count. The best
    passages of the document `first` come before all others.
    """
    return ranked(loaded(collection_ids, embedding_model), question, vector, most, first)


def whole(
    collection_ids: list[uuid.UUID], embedding_model: str, most_characters: int
) -> list[FoundPassage] | None:
    """Return all passages in a fixed order; None if they are longer than `most_characters`."""
    collections = loaded(collection_ids, embedding_model)
    if sum(each.characters for each in collections) > most_characters:
        return None
    return [FoundPassage(*each) for collection in collections for each in collection.passages]


def ranked(
    collections: list[LoadedCollection],
    question: str,
    vector: Sequence[float] | None,
    most: int,
    first: uuid.UUID | None = None,
) -> list[FoundPassage]:
    """Return what `search` returns, among these collections."""
    if not any(each.passages for each in collections):
        return []
    rankings = [np.concatenate([each.words.scores(question) for each in collections])]
    if vector is not None:
        rankings.append(np.concatenate([_similarities(each, vector) for each in collections]))
    order = combined(rankings)
    if first is not None:
        order = _first(collections, order, first)
    shares = np.concatenate([each.words.shares(question) for each in collections])
    similarities = rankings[1] if vector is not None else None
    distinctions = _distinctions(similarities)
    return [
        FoundPassage(
            *_at(collections, place),
            words=float(shares[place]),
            similarity=None if similarities is None else float(similarities[place]),
            distinction=None if distinctions is None else float(distinctions[place]),
        )
        for place in order[:most]
    ]


def _distinctions(similarities: Array | None) -> Array | None:
    """Return None if there are too few passages to tell what is usual among them."""
    if similarities is None or len(similarities) < LEAST_TO_COMPARE:
        return None
    distinctions: Array = (similarities - similarities.mean()) / (similarities.std() or 1.0)
    return distinctions


def _at(collections: list[LoadedCollection], place: int) -> tuple[uuid.UUID, Passage]:
    """Return the passage at a place among those of all collections."""
    for collection in collections:
        if place < len(collection.passages):
            return collection.passages[place]
        place -= len(collection.passages)
    raise IndexError(place)


def _first(
    collections: list[LoadedCollection], order: list[int], document_id: uuid.UUID
) -> list[int]:
    """Return the order with the document's best passages before all others."""
    everything = chain.from_iterable(each.passages for each in collections)
    its = [place for place, (pk, _passage) in enumerate(everything) if pk == document_id]
    ranks = {place: rank for rank, place in enumerate(order)}
    chosen = sorted(its, key=lambda place: ranks.get(place, len(ranks) + place))[:MOST_FIRST]
    return [*chosen, *(place for place in order if place not in chosen)]


def _similarities(collection: LoadedCollection, vector: Sequence[float]) -> Array:
    """Return zeros if the collection's vectors are of another length, or if there are none."""
    index = collection.vectors
    if index is None or index.rows.shape[1] != len(vector):
        return np.zeros(len(collection.passages), "f4")
    return index.scores(vector)
