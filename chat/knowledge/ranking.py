"""Rank passages by words (BM25) and by vectors, and combine the two. Pure functions.

The figures behind each choice are in docs/knowledge.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chat.knowledge.index_format import Array, Words, word_numbers

#: The usual constants of BM25 (Robertson and Zaragoza, 2009).
SATURATION, LENGTH_WEIGHT = 1.2, 0.75
#: How rare a word is among few passages says little, so a share counts more, without the word.
UNSEEN_PASSAGES = 20
#: Passages that each of the two finds for the combined ranking.
CANDIDATES = 50
#: Rows that are multiplied at once. They fit into a processor's cache, and are too few for OpenBLAS
#: to use threads, which wait for each other: on a busy machine, 20 times as long.
ROWS_AT_ONCE = 128


@dataclass(frozen=True)
class WordIndex:
    """The words of a number of passages, sorted by word."""

    numbers: Array
    places: Array
    counts: Array
    passage_count: int

    @classmethod
    def of(cls, words: Words, passage_count: int) -> "WordIndex":
        order = words.numbers.argsort(kind="stable")
        return cls(words.numbers[order], words.places[order], words.counts[order], passage_count)

    @cached_property
    def length_penalty(self) -> Array:
        """Return the part of BM25 that depends on the length of each passage."""
        lengths = np.bincount(self.places, self.counts, self.passage_count)
        average = lengths.mean() or 1.0
        penalty = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * lengths / average)
        return penalty.astype("f4")

    @property
    def size_bytes(self) -> int:
        return self.numbers.nbytes + self.places.nbytes + self.counts.nbytes

    def scores(self, query: str) -> Array:
        """Return the BM25 score of each passage; 0 for those that have no word of the query."""
        scores = np.zeros(self.passage_count, "f4")
        for found, rarity in self._rarities(query):
            if found.start == found.stop:
                continue
            places, counts = self.places[found], self.counts[found].astype("f4")
            weight = counts * (SATURATION + 1) / (counts + self.length_penalty[places])
            scores[places] += rarity * weight  # each passage is there once
        return scores

    def shares(self, query: str) -> Array:
        """Return which share of the query's words each passage has, from 0 to 1.

        A word counts as much as it is rare. Unlike a score, a share means the same for each query.
        """
        shares, total = np.zeros(self.passage_count, "f4"), 0.0
        for found, rarity in self._rarities(query, UNSEEN_PASSAGES):
            total += rarity
            shares[self.places[found]] += rarity
        return shares / total if total else shares

    def _rarities(self, query: str, unseen: int = 0) -> Iterator[tuple[slice, float]]:
        """Yield where each word of the query is in the lists, and how rare it is."""
        for number in word_numbers(query):
            first = np.searchsorted(self.numbers, np.uint32(number), "left")
            last = np.searchsorted(self.numbers, np.uint32(number), "right")
            having = int(last - first)
            others = self.passage_count + unseen - having
            rarity = np.log1p((others + 0.5) / (having + 0.5))
            yield slice(int(first), int(last)), float(rarity)


@dataclass(frozen=True)
class VectorIndex:
    """A vector for each passage; zeros for those that have none."""

    rows: Array  # int8

    @cached_property
    def lengths(self) -> Array:
        squares = [np.einsum("ij,ij->i", part, part) for part in self._parts()]
        lengths = np.sqrt(np.concatenate(squares)) if squares else np.zeros(0, "f4")
        return np.where(lengths > 0, lengths, 1)

    def scores(self, query: Sequence[float]) -> Array:
        """Return the cosine of the query's vector with each passage's."""
        wanted = np.array(query, "f4")
        wanted /= np.linalg.norm(wanted) or 1.0
        products = [part @ wanted for part in self._parts()]
        scores: Array = np.concatenate(products) / self.lengths if products else self.lengths
        return scores

    def _parts(self) -> Iterator[Array]:
        for first in range(0, len(self.rows), ROWS_AT_ONCE):
            yield self.rows[first : first + ROWS_AT_ONCE].astype("f4")


def best(scores: Array, most: int = CANDIDATES) -> list[int]:
    """Return the places with the highest scores above 0, best first."""
    most = min(most, len(scores))
    if not most:
        return []
    top = np.argpartition(-scores, most - 1)[:most]
    ranked = top[np.lexsort((top, -scores[top]))]
    return [int(place) for place in ranked if scores[place] > 0]


def combined(rankings: Iterable[Array]) -> list[int]:
    """Return the best places of all rankings in one, by the sum of their scores.

    Each ranking's scores are stretched from 0, for the last of its candidates, to 1. Ranks alone
    would lose how far ahead the first is, such as the only passage with a part number.
    """
    sums: dict[int, float] = {}
    for scores in rankings:
        if not (places := best(scores)):
            continue
        lowest, highest = float(scores[places[-1]]), float(scores[places[0]])
        for place in places:
            share = (float(scores[place]) - lowest) / (highest - lowest) if highest > lowest else 1
            sums[place] = sums.get(place, 0.0) + share
    return sorted(sums, key=lambda place: (-sums[place], place))
