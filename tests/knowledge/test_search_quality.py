"""The search finds what a question is about, by words, vectors and both."""

from collections.abc import Sequence

import pytest

from benchmarks.knowledge import collection, embedders, part_numbers
from benchmarks.knowledge.questions import Question
from chat.knowledge.index_format import decode_vectors, encode_vectors
from chat.knowledge.loaded import LoadedCollection
from chat.knowledge.search import ranked

FIRST = 5  # passages


@pytest.fixture(scope="module")
def questions() -> list[tuple[Question, Sequence[float]]]:
    embedder = next(embedders.available())
    return [(each, embedder.of_question(each.text)) for each in part_numbers.build(30).questions]


@pytest.fixture(scope="module")
def machines() -> LoadedCollection:
    texts = part_numbers.build(30).texts
    vectors = encode_vectors(next(embedders.available()).of_texts(texts))
    return collection.of_texts(texts, decode_vectors(vectors, len(texts)))


@pytest.mark.parametrize("has_vector", [False, True])
def test_a_question_with_a_name_or_a_code_finds_its_document(
    has_vector: bool,
    machines: LoadedCollection,
    questions: list[tuple[Question, Sequence[float]]],
) -> None:
    missed = [
        each.text
        for each, vector in questions
        if each.answer
        not in [
            hit.passage.start
            for hit in ranked([machines], each.text, vector if has_vector else None, FIRST)
        ]
    ]
    assert missed == []
