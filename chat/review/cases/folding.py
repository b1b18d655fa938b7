"""Normalise texts for rules, so that letters which look or sound the same are the same.

Words ignore what the search ignores (chat/lib/words.py), and how ß is written. A letter of another
alphabet counts as the one it looks like in a word that is mostly in another alphabet; a word in one
alphabet stays what it is.
"""

import re
import unicodedata

from chat.lib import words
from chat.lib.combining import limit_marks
from chat.lib.text import INVISIBLE

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f]")
_WORD = re.compile("[0-9A-Za-z\u0370-\u03ff\u0400-\u052f]+")
_LATIN = re.compile("[A-Za-z]")
#: Cyrillic and Greek letters, and the Latin ones that they look like.
_CYRILLIC, _ITS_LATIN = "аеорсухіјѕԁԛԝкмтвнАВЕКМНОРСТУХІЈЅԚԜ", "aeopcyxijsdqwkmtbhABEKMHOPCTYXIJSQW"
_GREEK, _OF_GREEK = "οανρτυικχεγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oavptuikxeyABEZHIKMNOPTYX"
_TO_LATIN = str.maketrans(_CYRILLIC + _GREEK, _ITS_LATIN + _OF_GREEK)
_TO_CYRILLIC = str.maketrans(_ITS_LATIN, _CYRILLIC)


def without_invisible(text: str) -> str:
    """Return `text` in compatible letters without invisible ones, as patterns read it."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", limit_marks(_INVISIBLE.sub("", text)))


def fold_words(text: str) -> str:
    """Return `text` as words of rules are compared; upper and lower case stay."""
    if text.isascii():
        return text
    bare = words.without_marks(_INVISIBLE.sub("", text)).replace("ß", "ss").replace("ẞ", "SS")
    return _WORD.sub(_as_it_looks, bare) if _FOREIGN.search(bare) else bare


def _as_it_looks(word: re.Match[str]) -> str:
    latin, foreign = (len(letters.findall(word[0])) for letters in (_LATIN, _FOREIGN))
    if not latin or not foreign:
        return word[0]
    return word[0].translate(_TO_LATIN if latin >= foreign else _TO_CYRILLIC)
