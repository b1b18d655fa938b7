"""Measure how long a search takes in a collection that is in memory."""

import time
from collections.abc import Callable
from zlib import crc32

import numpy as np

from benchmarks.knowledge import collection
from chat.knowledge.index_format import Array, Words
from chat.knowledge.ranking import best
from chat.knowledge.search import ranked

DIMENSIONS = 1024
WORDS = 150  # of a passage
VOCABULARY = 30_000
QUESTION_WORDS = 8
SEARCHES = 100
PASSAGES_OF_AN_ANSWER = 8
LIMIT_MS = 150

Step = Callable[[str, list[float]], object]


def measure(passages: int) -> int:
    """Print the duration of a search; return 1 if it is above the limit."""
    choose = np.random.default_rng(7)
    vectors = collection.random_vectors(choose, passages, DIMENSIONS)
    searched = collection.of_words(_words(choose, passages), vectors)
    by_vectors = searched.vectors
    assert by_vectors
    steps: dict[str, Step] = {
        "a search": lambda words, vector: ranked([searched], words, vector, PASSAGES_OF_AN_ANSWER),
        "by words": lambda words, _vector: best(searched.words.scores(words)),
        "by vectors": lambda _words, vector: best(by_vectors.scores(vector)),
    }
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in steps}
    for _ in range(SEARCHES + 1):
        question = random_text(choose, QUESTION_WORDS)
        vector = choose.standard_normal(DIMENSIONS).tolist()
        for name, step in steps.items():
            times[name].append(_timed(step, question, vector))
    print(f"\n{passages:,} passages of {WORDS} words, {DIMENSIONS} dimensions; in ms:")
    print("                  p50     p95  CPU p50     p95    the first")
    for name, values in times.items():
        (first, _cpu), *rest = values  # the first search also prepares what later ones use
        figures = np.percentile(rest, [50, 95], axis=0).T.flatten()
        print(f"  {name:12}" + "".join(f"{each:8.1f}" for each in [*figures, first]), flush=True)
    slow = np.percentile([wall for wall, _cpu in times["a search"][1:]], 95)
    return int(slow > LIMIT_MS)


def random_text(choose: np.random.Generator, count: int) -> str:
    """Return so many random words."""
    return " ".join(map(_word, _ranks(choose, count)))


def _timed(step: Step, question: str, vector: list[float]) -> tuple[float, float]:
    """Return the milliseconds that pass, and those of the processor."""
    started, started_cpu = time.perf_counter(), time.process_time()
    step(question, vector)
    cpu = time.process_time() - started_cpu
    return (time.perf_counter() - started) * 1000, cpu * 1000


def _ranks(choose: np.random.Generator, count: int) -> Array:
    """Return words by their rank: the second most frequent is half as frequent as the first."""
    shares = np.cumsum(1 / np.arange(1, VOCABULARY + 1))
    ranks: Array = np.searchsorted(shares, choose.random(count) * shares[-1])
    return ranks


def _word(rank: int) -> str:
    return f"w{rank}"


def _words(choose: np.random.Generator, passages: int) -> Words:
    """Return what `encode_words` would store for texts of random words."""
    numbers = np.array([crc32(_word(rank).encode()) for rank in range(VOCABULARY)], "u4")
    keys = np.repeat(np.arange(passages), WORDS) * VOCABULARY + _ranks(choose, passages * WORDS)
    different, counts = np.unique(keys, return_counts=True)
    places, ranks = np.divmod(different, VOCABULARY)
    return Words(numbers[ranks], places.astype("u4"), np.minimum(counts, 255).astype("u1"))
