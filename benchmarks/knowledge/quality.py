"""Measure how often the passage that answers a question is found, and how far up."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.knowledge import collection
from benchmarks.knowledge.embedders import Embedder
from benchmarks.knowledge.questions import Question, QuestionSet
from chat.emulator.requests import reranking
from chat.knowledge.index_format import decode_vectors, encode_vectors
from chat.knowledge.ranking import VectorIndex, best
from chat.knowledge.search import ranked

MOST = 10
RERANKED = 30

Rank = Callable[[Question, Sequence[float]], list[int]]


def measure(title: str, questions: QuestionSet, embedder: Embedder) -> None:
    """Print a table: recall@1, recall@5 and MRR@10 of each way to search, by kind of question."""
    vectors = embedder.of_texts(questions.texts)
    asked = [(each, embedder.of_question(each.text)) for each in questions.questions]
    kinds = sorted({each.kind for each in questions.questions})
    print(f"\n{len(questions.texts):,} passages, {len(asked)} {title}\n")
    print(f"| | {' | '.join(['all', *kinds])} |\n|---{'|---' * (len(kinds) + 1)}|")
    for name, rank in _ways(questions.texts, vectors).items():
        ranks = [(each.kind, _rank(rank(each, vector), each.answer)) for each, vector in asked]
        cells = [
            _figures([rank for of, rank in ranks if kind in ("", of)]) for kind in ["", *kinds]
        ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _ways(texts: list[str], vectors: Any) -> dict[str, Rank]:
    exact = VectorIndex(np.array(vectors, "f4"))
    searched = collection.of_texts(texts, decode_vectors(encode_vectors(vectors), len(texts)))
    assert searched.vectors
    by_vectors = searched.vectors

    def found(question: Question, vector: Sequence[float] | None, most: int = MOST) -> list[int]:
        hits = ranked([searched], question.text, vector, most)
        return [hit.passage.start for hit in hits]

    def reranked(question: Question, vector: Sequence[float]) -> list[int]:
        return _reranked(question.text, texts, found(question, vector, RERANKED))

    return {
        "words": lambda question, _vector: found(question, None),
        "vectors, not rounded": lambda _question, vector: best(exact.scores(vector), MOST),
        "vectors": lambda _question, vector: best(by_vectors.scores(vector), MOST),
        "both": found,
        f"both, {RERANKED} reranked by the emulator": reranked,
    }


def _reranked(question: str, texts: list[str], places: list[int]) -> list[int]:
    contexts = [{"text": texts[place]} for place in places]
    scored = reranking.result({"query": question, "contexts": contexts})["response"]
    return [places[each["id"]] for each in scored]


def _rank(found: list[int], answer: int) -> int | None:
    """Return at which rank the answer is, from 1; None if it is not among the first ten."""
    return found.index(answer) + 1 if answer in found[:MOST] else None


def _figures(ranks: list[int | None]) -> str:
    found = [rank for rank in ranks if rank]
    first, five = (sum(rank <= most for rank in found) / len(ranks) for most in (1, 5))
    return f"{first:.3f} {five:.3f} {sum(1 / rank for rank in found) / len(ranks):.3f}"
