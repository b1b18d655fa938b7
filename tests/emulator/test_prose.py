import random

import pytest

from chat.emulator.common import tokens
from chat.emulator.scripts.prose import Writer


def written(token_count: int, seed: int = 1) -> str:
    return "".join(Writer(random.Random(seed)).chapters(token_count))


@pytest.mark.parametrize("token_count", [1, 40, 500, 2000])
def test_a_text_has_the_requested_length_up_to_the_end_of_a_sentence(token_count: int) -> None:
    text = written(token_count)
    assert token_count <= tokens.count(text) <= token_count + 60
    assert text.endswith((".", "”")) or token_count == 1


def test_sixteen_thousand_tokens_repeat_no_paragraph() -> None:
    paragraphs = written(16_000).split("\n\n")
    assert len(paragraphs) > 150
    assert len(set(paragraphs)) == len(paragraphs)


def test_sentences_are_rarely_repeated() -> None:
    sentences = written(16_000).replace("\n\n", " ").split(". ")
    assert len(set(sentences)) > 0.98 * len(sentences)


def test_a_text_has_headings() -> None:
    assert written(2000).count("## ") >= 3


def test_no_placeholder_is_left_unfilled() -> None:
    assert not set("{}") & set(written(16_000))


def test_every_sentence_starts_with_a_capital() -> None:
    for paragraph in written(4000).split("\n\n"):
        start = paragraph.removeprefix("## ").lstrip("“")
        assert start[0].isupper()


def test_the_same_seed_gives_the_same_text() -> None:
    assert written(300, seed=5) == written(300, seed=5) != written(300, seed=6)


def test_reasoning_consists_of_whole_sentences() -> None:
    text = Writer(random.Random(1)).musings(100)
    assert tokens.count(text) >= 100
    assert text.endswith(".")
