"""Words and patterns of rules: what they match, and that no text makes them slow."""

import re
from uuid import UUID

import pytest
from django.core.exceptions import ValidationError

from chat.review.cases import patterns
from chat.review.cases.patterns import Pattern
from chat.review.cases.rule_subjects import RuleSubject


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("knife", "Give me the KNIFE!"),
        ("knife", "(knife)"),
        ("burn down", "to burn\n  down a house"),
        ("weap*", "Weapons"),
        ("*bomb", "a firebomb"),
        ("Straße", "die STRAßE"),
        ("ｂｏｍｂ", "a bomb"),
        ("bomb", "a ｂｏｍｂ"),
        ("炸弹", "如何制造炸弹呢"),
        ("قنبلة", "كيف أصنع قنبلة؟"),
        ("c++", "in C++ it is"),
        ("one\ntwo", "two"),
        ("bomb", "a b\u200bomb"),
        ("bomb", "a bo\u00admb"),
        ("bomb", "a bo\u2060mb"),
        ("bomb", "a bo\U000e0020m\u3164b"),
        ("bomb", "a b\u043emb"),  # Cyrillic
        ("bomb", "a b\u03bfmb"),  # Greek
        ("Straße", "die STRASSE"),
        ("STRASSE", "die Straße"),
        ("self harm", "about self-harm"),
        ("self-harm", "about self harm"),
        ("self harm", "about self\u2011harm"),
        ("cafe", "Café"),
        ("قنبلة", "كيف أصنع القنبلة؟"),
        ("قنبلة", "وبالقنبلة"),
        ("قنبلة", "قُنْبُلَة"),
        ("أرنب", "ارنب"),
        ("бомба", "Бомба!"),
        ("бомба", "б\u006fмба"),  # Latin
    ],
)
def test_whole_words_match(wanted: str, text: str) -> None:
    assert patterns.words(wanted).search(text)


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("knife", "penknife"),
        ("weap", "weapon"),
        ("a.b", "axb"),
        ("قنبلة", "قنبلةة"),
        ("cop", "сор"),  # a Russian word
        ("self harm", "selfharm"),
    ],
)
def test_parts_of_words_do_not_match(wanted: str, text: str) -> None:
    assert not patterns.words(wanted).search(text)


def test_matches_are_marked_and_the_rest_is_kept() -> None:
    pieces = patterns.words("bad\nworse").pieces("bad bad, and worse")
    assert "".join(each.text for each in pieces) == "bad bad, and worse"
    assert [each.text for each in pieces if each.is_hit] == ["bad", "bad", "worse"]
    begun = patterns.words("glac*").pieces("Two glaciers, there")
    assert [each.text for each in begun if each.is_hit] == ["glaciers"]
    marked = patterns.pattern(r"\d{3}-\d").pieces("call 555-1")
    assert [(each.text, each.is_hit) for each in marked] == [("call ", False), ("555-1", True)]


def test_patterns_ignore_invisible_letters_only() -> None:
    phone = patterns.pattern(r"\b\d{3}-\d{4}\b")
    assert phone.search("call 555\u200b-12\u00ad34")
    assert not phone.search("call 555 1234")
    assert not patterns.pattern("cafe").search("Café")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(a", "Unclosed “(”"),
        ("a)", "without a"),
        ("[a", "Unclosed “[”"),
        ("*a", "before “*”"),
        ("a**", "“**” repeats"),
        ("(?=a)b", "Lookahead and lookbehind"),
        (r"(a)\1", "Backreferences can't be used"),
        ("a{5000}", "too large or in the wrong order"),
        ("[b-a]", "“b-a” isn't a valid character range"),
        ("a\\", "ends with a backslash"),
        (r"(?:\pL{1,100}){10}", "too large"),
        ("", "Enter a pattern"),
        ("a*", "matches any text"),
    ],
)
def test_an_invalid_pattern_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(said)):
        patterns.pattern(text)


@pytest.mark.parametrize("text", ["", "  \n ", "*", "* *", "\n".join(map(str, range(201)))])
def test_empty_or_too_many_words_are_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        patterns.words(text)


@pytest.mark.parametrize("evil", ["(a+)+$", "(a|a)*$", "(a*)*b", "(.*a){20}b", "a.{200}b"])
def test_every_pattern_takes_linear_time(evil: str) -> None:
    """A backtracking engine would never finish the first of these."""
    for length in (10_000, 100_000):
        patterns._compiled(evil).search("a" * length + "!")


def test_two_hundred_words_fit_the_memory_of_a_pattern() -> None:
    many = "\n".join(f"word{number}" for number in range(180))
    assert patterns.words(many).search("… word179 …")


def test_a_text_is_folded_once_for_all_rules() -> None:
    folded: list[str] = []

    def fold(text: str) -> str:
        folded.append(text)
        return text

    subject = RuleSubject(1, UUID(int=1), 1, "user", "Ein Gletscher, größer")
    rules = [Pattern("river", fold), Pattern("gletscher", fold), Pattern("Ein", str.lower)]
    assert [each.search(subject.text, subject.normalised) for each in rules] == [False, True, True]
    assert folded == [subject.text]
