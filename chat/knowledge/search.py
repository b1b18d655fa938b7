"""Find the passages of collections that a question is about."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chat.knowledge.index_format import Array
from chat.knowledge.loaded import LoadedCollection, loaded
from chat.knowledge.passages import Passage
from chat.knowledge.ranking import combined


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that was found."""

    document_id: uuid.UUID
    passage: Passage


def search(
    collection_ids: list[uuid.UUID],
    question: str,
    vector: Sequence[float] | None,
    embedding_model: str,
    most: int,
) -> list[FoundPassage]:
    """Return the passages that are nearest to the question, by its words and its vector.

    The caller has checked access to the collections. Without a vector, only words count.
    """
    return ranked(loaded(collection_ids, embedding_model), question, vector, most)


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
) -> list[FoundPassage]:
    """Return what `search` returns, among these collections."""
    if not any(each.passages for each in collections):
        return []
    rankings = [np.concatenate([each.words.scores(question) for each in collections])]
    if vector is not None:
        rankings.append(np.concatenate([_similarities(each, vector) for each in collections]))
    return [_hit(collections, place) for place in combined(rankings)[:most]]


def _hit(collections: list[LoadedCollection], place: int) -> FoundPassage:
    """Return the passage at a place among those of all collections."""
    for collection in collections:
        if place < len(collection.passages):
            return FoundPassage(*collection.passages[place])
        place -= len(collection.passages)
    raise IndexError(place)


def _similarities(collection: LoadedCollection, vector: Sequence[float]) -> Array:
    """Return zeros if the collection's vectors are of another length, or if there are none."""
    index = collection.vectors
    if index is None or index.rows.shape[1] != len(vector):
        return np.zeros(len(collection.passages), "f4")
    return index.scores(vector)
