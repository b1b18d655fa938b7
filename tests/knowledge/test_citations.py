"""Citations of passages that were not given are dropped, however an answer arrives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.knowledge.citations import CitationFilter, citations_in, cited_numbers

CASES = [
    ("It rains [1].", "It rains [1]."),
    ("It rains [9].", "It rains."),
    ("It rains[9][1], often [2, 9, 3].", "It rains[1], often [2][3]."),
    ("It rains [1-3], [2 – 9] [8–9] [3-1].", "It rains [1][2][3], [2][3]."),
    (f"All [{', '.join(map(str, range(1, 31)))}].", "All [1][2][3]."),
    ("$x_{[7]} + y^[9] - \\[8]$ and [9].", "$x_{[7]} + y^[9] - \\[8]$ and."),
    ("【1】 and 【2†lines 3-4】 and 【9†a】.", "[1] and [2] and."),
    ("`a[9]` stays, and ``b`[9]`` too [9].", "`a[9]` stays, and ``b`[9]`` too."),
    ("```\nx[9]\n``` \n[9] end", "```\nx[9]\n``` \n end"),
    ("~~~\nx[9]\n```\n[9]\n~~~\n[9] ~~old~~ [9]", "~~~\nx[9]\n```\n[9]\n~~~\n ~~old~~"),
    ("an `open tick [9]\n[9] and [1]", "an `open tick [9]\n and [1]"),
    ("[9](https://a.example) [x] [] [1234] 1[", "[9](https://a.example) [x] [] [1234] 1["),
    ("It rains **[9]**.", "It rains."),
    (
        "It rains *[9]* and **[1]** and ***[9][2, 8] [3]***.",
        "It rains and **[1]** and ***[2] [3]***.",
    ),
    ("It **rains [9]** and **[9] [8]** **【9†a】**, ** [9] **.", "It **rains** and,."),
    ("`**[9]**` and *[9]* **[9]*", "`**[9]**` and ***"),
    ("**[9](https://a.example)** [9]", "**[9](https://a.example)**"),
    ("[1", "[1"),
    ("【unfinished", "【unfinished"),
]
GIVEN = frozenset({1, 2, 3})


def filtered(*pieces: str) -> str:
    reader = CitationFilter(GIVEN)
    return "".join(map(reader.feed, pieces)) + reader.rest()


@pytest.mark.parametrize(("text", "kept"), CASES)
def test_only_given_numbers_stay(text: str, kept: str) -> None:
    assert filtered(text) == kept
    assert filtered(*text) == kept


PIECES = st.lists(st.text(st.sampled_from("[]1239, -(`~\n【】†a{_**"), max_size=8), max_size=30)


@given(PIECES)
def test_the_pieces_make_no_difference(pieces: list[str]) -> None:
    assert filtered(*pieces) == filtered("".join(pieces))


@given(PIECES)
def test_text_without_citations_is_not_changed(pieces: list[str]) -> None:
    text = "".join(pieces).replace("[", "(").replace("【", "(")
    assert filtered(text) == text


def test_what_an_answer_cites_is_found() -> None:
    assert cited_numbers("One [1], `x[2]`, [3, 7].", GIVEN) == {1, 3}


def test_the_place_of_an_emphasised_citation_is_found() -> None:
    text = "It rains **[9][2]**, and [1]."
    assert citations_in(text, GIVEN) == [(text.index("[2]"), 2), (text.index("[1]"), 1)]


def test_little_is_held_back() -> None:
    reader = CitationFilter(GIVEN)
    assert reader.feed("Rain") == "Rain"
    assert len(reader.feed("【" + "x" * 500)) > 400
