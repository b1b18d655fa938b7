"""The language of a text is told, unless the text is short or mixed."""

import time

import pytest

from chat.lib import languages
from chat.lib.languages import CODES, language_of, name_of

QUESTIONS = {
    "ar": "ما هي عاصمة فرنسا؟",
    "de": "Wie heißt die Hauptstadt von Frankreich?",
    "en": "What is the capital of France?",
    "es": "¿Cuál es la capital de Francia y cuántos habitantes tiene?",
    "fi": "Mikä on Ranskan pääkaupunki, ja paljonko siellä on asukkaita?",
    "fr": "Quelle est la capitale de la France ?",
    "ja": "フランスの首都はどこですか。",
    "pl": "Jaka jest stolica Francji i ilu ma mieszkańców?",
    "ru": "Как называется столица Франции и сколько там жителей?",
    "tr": "Fransa'nın başkenti neresidir ve nüfusu kaçtır?",
    "uk": "Як називається столиця Франції та скільки там мешканців?",
    "zh": "法国的首都是哪里?",
}


@pytest.mark.parametrize("code", QUESTIONS)
def test_the_language_of_a_question_is_told(code: str) -> None:
    assert language_of(QUESTIONS[code]) == code


@pytest.mark.parametrize(
    "text",
    ["", "ok", "Hello", "danke", "12345 67890", "😀😀", "https://example.org/a/b", "\ud800", "\0" * 9,
     "asdf qwer lkj asdlkfj"],
)  # fmt: skip
def test_short_texts_and_what_is_no_language_have_none(text: str) -> None:
    assert language_of(text) == ""


def test_a_text_in_two_languages_has_none() -> None:
    german = "Bitte hilf mir bei diesem Brief an die Verwaltung meiner Stadt. "
    english = "Please help me with this letter to the people who run my town."
    assert language_of(german) == "de"
    assert language_of(english) == "en"
    assert language_of(german + english) == ""


def test_code_and_addresses_do_not_count() -> None:
    code = "```python\nfor each in os.listdir(): print(each) # what is in this folder\n```"
    assert language_of(f"Erkläre mir bitte kurz diesen Code: {code}") == "de"
    assert language_of("https://example.org/what-is-the-capital-of-france") == ""


def test_a_long_text_takes_no_longer_than_its_start() -> None:
    language_of(QUESTIONS["en"])
    text = f"{QUESTIONS['en']} " * 30_000
    started = time.process_time()
    assert language_of(text) == "en"
    assert time.process_time() - started < 1


def test_all_languages_that_may_be_told_have_a_name() -> None:
    assert all(name_of(code) and name_of(code) != code for code in CODES)
    assert name_of("xx") == "xx"
    assert languages.name_of("zh") == "Chinese"
