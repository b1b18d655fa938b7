"""Tell in which language a text is written, or that it can't be told: of short and mixed texts."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from django.conf import settings
from django.conf.locale import LANG_INFO
from django.utils.translation import gettext as _

from chat.lib import language_model

#: The start of a text says enough; it takes about a millisecond.
MAX_CHARS = 1000
MIN_LETTERS = 4
#: How probable the language has to be. Of questions that are told, nearly all are right then.
MIN_PROBABILITY = 0.6
#: Parts with so many letters in different languages make a text a mixed one.
MIN_PART_LETTERS = 40
FENCE = "```"
NONE = ""
#: Django names its scripts only.
CHINESE = "zh"
#: Languages that may be told: those that Django names and the model knows. Rare languages would
#: mostly be told in place of others.
CODES = frozenset({*(code for code in LANG_INFO if "-" not in code), CHINESE}) - {
    "ast", "ckb", "dsb", "hsb", "ia", "io", "nb", "os", "udm",
}  # fmt: skip
_NO_LANGUAGE = "zxx"


def language_of(text: str) -> str:
    """Return the ISO 639 code of the language of a text; empty if it is none or can't be told.

    Code between fences and addresses don't count.
    """
    words = _prose(text).split()
    letters = _letters(words)
    if letters < MIN_LETTERS:
        return NONE
    language = _language(words)
    if language and letters >= 2 * MIN_PART_LETTERS:
        middle = len(words) // 2
        parts = {_language(part) for part in (words[:middle], words[middle:]) if part}
        if parts - {language, NONE}:
            return NONE
    return language


def name_of(code: str) -> str:
    """Return what people call a language; its code if it has no name here."""
    if code == CHINESE:
        return _("Chinese")
    return _(LANG_INFO[code]["name"]) if code in LANG_INFO else code


def _prose(text: str) -> str:
    """Return the start of a text without code and addresses."""
    outside = " ".join(text.split(FENCE)[::2]) if FENCE in text else text
    return " ".join(word for word in outside[:MAX_CHARS].split() if "://" not in word)


def _letters(words: list[str]) -> int:
    return sum(letter.isalpha() for word in words for letter in word)


def _language(words: list[str]) -> str:
    language, probability = _classifier()(" ".join(words))
    return language if language != _NO_LANGUAGE and probability >= MIN_PROBABILITY else NONE


@cache
def _classifier() -> Callable[[str], tuple[str, float]]:
    """Load the model with the first text, without the languages that are never told."""
    from py3langid.langid import LanguageIdentifier

    tables = language_model.load(Path(settings.DATA_DIR) / "languages", {*CODES, _NO_LANGUAGE})
    identifier = LanguageIdentifier(
        tables.weights,
        tables.priors,
        tables.codes,
        tables.transitions,
        tables.features,
        norm_probs=True,
        tk_row=tables.rows,
    )
    classify: Callable[[str], tuple[str, float]] = identifier.classify
    return classify
