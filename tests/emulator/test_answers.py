import random
import re

import pytest

from chat.emulator import Emulator
from chat.emulator.common import tokens
from chat.emulator.scripts import answers
from tests.emulator.exchange import ask

QUESTION = "Why do rivers bend, and who named the spring behind the chapel?"


PASSAGES = (
    '<passage number="1" document="Shop">\nOur shop is open, and we wrap your lamps.\n</passage>\n'
    '<passage number="2" document="Preise">\n営業時間は九時から六時までです。Zone 4 kostet 12 Euro.\n</passage>'
)


def every_plain_answer(question: str = QUESTION, message_count: int = 3) -> list[str]:
    return [answers.plain(question, message_count, random.Random(seed)) for seed in range(300)]


def test_a_plain_answer_is_short_and_fits_the_default_limit() -> None:
    for text in every_plain_answer():
        assert 80 <= len(text.split()) <= 160
        assert tokens.count(text) < 256


def test_a_plain_answer_says_that_it_is_an_emulator_and_how_to_connect_a_model() -> None:
    for text in every_plain_answer():
        assert "emulator" in text
        assert "model" in text
        assert "site settings" in text


def test_a_plain_answer_quotes_the_question_and_counts_the_messages() -> None:
    for text in every_plain_answer():
        assert f"> “{QUESTION}”" in text
        assert "3 messages" in text


def test_the_message_count_uses_the_singular() -> None:
    for text in every_plain_answer(message_count=1):
        assert "message**" in text


def test_plain_answers_vary() -> None:
    assert len(set(every_plain_answer())) > 100


def test_an_empty_message_is_not_quoted() -> None:
    assert all("“”" not in text for text in every_plain_answer(""))


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("two\n\n# lines", "two \\# lines"),
        ("*a* _b_ `c` [d](e)", "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e)"),
        ("<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"),
        (
            "see https://example.org or www.example.org",
            "see https\\://example.org or www\\.example.org",
        ),
        ("a@example.org", "a\\@example.org"),
        ("\u202etxt.exe\u0000\u001b[31m", "txt.exe \\[31m"),
        ("half \ud83d emoji", "half emoji"),
        ("family 👩\u200d🔬", "family 👩\u200d🔬"),
    ],
)
def test_a_quote_is_one_line_with_escaped_markdown(text: str, quoted: str) -> None:
    assert answers.quote(text) == quoted


def test_a_long_quote_is_shortened_between_words() -> None:
    quoted = answers.quote("word " * 100)
    assert len(quoted) < 100
    assert quoted.endswith("word …")


def test_the_markdown_answer_shows_every_construct() -> None:
    page = answers.markdown()
    for sign in (
        "# ",
        "###### ",
        "---\n",
        "- [x]",
        "|:-----|:------:|------:|",
        "```python",
        "````",
    ):
        assert sign in page
    for sign in ("> > ", "~~", "[^1]", "$$", "<details>", "النهر", "河", "🌊"):
        assert sign in page


def test_the_hostile_answer_contains_the_real_characters() -> None:
    page = answers.hostile()
    for character in ("\u202e", "\u200b", "\u2028", "\x00", "\x1b"):
        assert character in page
    assert "⟦" not in page


def test_the_quirks_are_grouped_by_token() -> None:
    groups = answers.quirks()
    assert len(groups) > 10
    assert all(line.startswith("{") for group in groups for line in group)


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("Do you sell lamps?", ["[1]"]),
        ("Do you repair bicycles, and your old radios?", []),
        ("Is it open?", ["[1]"]),
        ("How do I wrap lampshades?", ["[1]"]),
        ("What does wrapping cost?", []),
        ("What about 4?", ["[2]"]),
        ("営業時間は？", ["[2]"]),
        ("何曜日に修理しますか？", []),
    ],
)
async def test_only_passages_about_the_question_are_quoted(
    question: str, cited: list[str], emulator: Emulator
) -> None:
    reply = await ask(emulator, f"{question}\n\n{PASSAGES}")
    assert re.findall(r"\[\d\]", reply.text) == cited
    assert (answers.DOCUMENTS_SAY_NOTHING in reply.text) == (not cited)
