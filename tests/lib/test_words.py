"""Words, queries and snippets, for any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.conversations.search.query import MAX_QUERY_CHARS, MAX_TERMS, Term, parse
from chat.conversations.search.snippet import LENGTH, MORE, snippet
from chat.lib.words import words_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The river, bends!", ["the", "river", "bends"]),
        ("Café Ärger STRASSE", ["cafe", "arger", "strasse"]),
        ("cafe\u0301 co\u00adoperate", ["cafe", "cooperate"]),
        ("snake_case v2.0 a@b.org", ["snake", "case", "v2", "0", "a", "b", "org"]),
        ("東京都", ["東京", "京都", "都"]),
        ("カメラ3台", ["カメ", "メラ", "ラ", "3", "台"]),
        ("한국에서", ["한국", "국에", "에서", "서"]),
        ("ΟΔΟΣ οδός", ["οδοσ", "οδοσ"]),
        ("أَحْمَد احمد", ["احمد", "احمد"]),
        ("…?! 🙂 –\0\n", []),
        ("x" * 100, ["x" * 64]),
    ],
)
def test_a_text_is_split_into_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("river", [Term(("river",), is_open=True)]),
        ("river ", [Term(("river",))]),
        ("ri", [Term(("ri",))]),
        ("The river ", [Term(("the",)), Term(("river",))]),
        ('"the river" bend', [Term(("the", "river")), Term(("bend",), is_open=True)]),
        ('bend "the ri', [Term(("bend",)), Term(("the", "ri"))]),
        ("„der Fluss“", [Term(("der", "fluss"))]),
        ("東京都", [Term(("東京", "京都"))]),
        ("東", [Term(("東",), is_open=True)]),
        ('"see 東京"', [Term(("see", "東京"))]),
        ("river river ", [Term(("river",))]),
        ('" " OR AND NOT* ^:-', [Term((word,)) for word in ("or", "and", "not")]),
        ("?! … 🙂", []),
        ("", []),
    ],
)
def test_a_query_is_parsed_into_terms(text: str, terms: list[Term]) -> None:
    assert list(parse(text).terms) == terms


def test_a_query_is_limited_in_length() -> None:
    assert len(parse("a b c d e f g h i j k l m n").terms) == MAX_TERMS
    assert parse("river " * 2000) == parse("river ")
    assert len(parse("x" * 10_000).terms[0].words[0]) <= MAX_QUERY_CHARS


@settings(deadline=None)
@given(TEXT)
def test_any_text_is_a_valid_query(text: str) -> None:
    for term in parse(text).terms:
        assert term.words
        assert all(word and word == words_of(word)[0] for word in term.words), term


@settings(deadline=None)
@given(TEXT, TEXT)
def test_a_snippet_is_a_part_of_the_text_without_signs_of_markdown(text: str, query: str) -> None:
    pieces = [piece.text for piece in snippet(text, parse(query))]
    shown = iter("".join(piece for piece in pieces if piece != MORE))
    rest = iter(text)
    assert all(each in rest for each in shown if not each.isspace())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## A **wide** river\n\n- *one* ~~two~~", "A wide [river] one two"),
        ("> river\n> - done", "[river] done"),
        ("```python\nriver = a * b or c || d\n```\nend", "[river] = a * b or c || d end"),
        ("| river | km |\n|---|--:|\n| Rhine | 1 |", "[river] km Rhine 1"),
        ("a [river](https://example.org/x) and ![map](m.png)[^1]", "a [river] and map"),
        ("<details>\n<summary>A river</summary>\nb <kbd>Esc</kbd>", "A [river] b Esc"),
        ("A river of H<sub>2</sub>O, x<sup>2</sup>", "A [river] of H2O, x2"),
        (
            "`river`s cost $5 * 2, snake_case, #1 and 3 < 4",
            "[river]s cost $5 * 2, snake_case, #1 and 3 < 4",
        ),
        (r"A \*river\* of \#1, C:\new", "A *[river]* of #1, C:\\new"),
        ("river|km\n|:--|:--|\n**end**", "[river]|km end"),
        ("see [here](https://example.org/river)", "see [here](https://example.org/[river])"),
    ],
)
def test_signs_of_markdown_are_left_out_unless_they_match(text: str, expected: str) -> None:
    assert " ".join(shown(text, "river").split()) == expected


@settings(deadline=None)
@given(TEXT.map(str.split).filter(bool), st.data())
def test_a_snippet_marks_each_word_of_its_text(words: list[str], data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(words))
    query = parse(f'"{word} ')
    if query:
        pieces = snippet(" ".join(words), query)
        assert any(piece.is_hit for piece in pieces)


def shown(text: str, query: str) -> str:
    return "".join(
        f"[{each.text}]" if each.is_hit else each.text for each in snippet(text, parse(query))
    )


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("The river bends.", "riv", "The [river] bends."),
        ("The river bends.", "bends the ", "[The] river [bends]."),
        ("A Café.\n\n A  cafe\u0301!", "cafe", "A [Café]. A [cafe\u0301]!"),
        ("東京都庁は新宿", "京都", "東[京都]庁は新宿"),
        ("drivers drive", "drive ", "drivers [drive]"),
        ("<b>river</b>", "river", "<b>[river]</b>"),
        ("no hit here", "else", "no hit here"),
        ("½ river", "river", "½ [river]"),
    ],
)
def test_hits_are_marked_in_a_snippet(text: str, query: str, expected: str) -> None:
    assert shown(text, query) == expected


def test_a_late_hit_is_in_the_middle_of_the_snippet() -> None:
    text = f"{'before ' * 1000}river{' after' * 1000}"
    found = shown(text, "river ")
    assert found.startswith("…before ")
    assert "[river]" in found
    assert found.endswith("…")
    assert len(found) < LENGTH + 10
