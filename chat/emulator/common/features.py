"""Describe a text by its words and their letters, so that texts with similar words are similar.

There is no understanding in it: words that mean the same but share no letters have nothing in
common. A feature is the hash of a word or of a group of its letters.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from math import log, sqrt
from zlib import crc32

from chat.lib.words import words_of

#: The rest of a text changes nothing, as with a real model, which reads some thousand characters.
MAX_CHARS = 4000
CACHED_WORDS = 8192

GROUP_LENGTHS = (3, 4, 5)
COMMON_WEIGHT = 0.1
NUMBER_WEIGHT = 1.5
#: A word of this length, or a longer one, has its full weight.
FULL_LENGTH = 6

_COMMON_WORDS = """
a about after all also an and any are as at be because been before between both but by can could
did do does during each for from had has have he her him his how i if in into is it its like
many may more most much no not of on one only or other our out over she should so some such than
that the their them then there these they this those through to under up was we were what when
where which while who whom whose why will with would you your
aber als am auf aus bei bis das dass dem den der des die durch ein eine einem einen einer eines
er es fur hat hatte haben ich ihr im ist kann man mit nach nicht noch nur oder sich sie sind
uber um und unter vom von vor wann war waren warum was welche welchem welchen welcher
welches wenn wer wie wird wo wurde wurden zu zum zur zwischen
al como con cual cuales cuando de del desde donde el en entre era esta este fue fueron ha han
hasta la las lo los mas o para pero por que quien quienes se segun ser si sin sobre son su sus
tambien un una y
au aux avec ce ces cette dans du elle est et etait etre il ils je le les leur mais ne ou par pas
plus pour qu quel quelle qui sa ses sont sur une vous
من في على الى عن ما هو هي ان كان كانت التي الذي هذا هذه مع او كم متى اين ماذا لا لم قد تم كيف
"""
COMMON = frozenset(_COMMON_WORDS.split())

#: In Japanese, endings and particles are written in it, most other words are not.
HIRAGANA = frozenset(map(chr, range(0x3041, 0x30A0)))


def features_of(text: str, seed: int = 0) -> dict[int, float]:
    """Return the weight of each feature. Rare and long words count more than common ones.

    The same text and seed have the same features; another seed gives them other hashes.
    """
    weights: defaultdict[int, float] = defaultdict(float)
    for word, count in Counter(words_of(text[:MAX_CHARS])).items():
        weight = _weight_of(word) * (1 + log(count))
        whole, *groups = _hashes_of(word, seed)
        weights[whole] += weight
        if groups:  # together they weigh as much as the word
            each = weight / sqrt(len(groups))
            for group in groups:
                weights[group] += each
    return dict(weights)


def vector_of(features: Mapping[int, float], dimensions: int) -> list[float]:
    """Return the features as a vector of that length, in which they share places at random."""
    vector = [0.0] * dimensions
    for feature, weight in features.items():
        vector[(feature >> 1) % dimensions] += weight if feature & 1 else -weight
    return vector


@lru_cache(CACHED_WORDS)
def _hashes_of(word: str, seed: int) -> tuple[int, ...]:
    """Return the hashes of the word itself and of its groups of letters."""
    return tuple(_hash(feature, seed) for feature in (f" {word} ", *_groups_of(word)))


@lru_cache(CACHED_WORDS)
def _weight_of(word: str) -> float:
    if word in COMMON or all(char in HIRAGANA for char in word):
        return COMMON_WEIGHT
    if any(char.isdigit() for char in word) and len(word) > 1:
        return NUMBER_WEIGHT
    return min(1.0, (len(word) + 1) / (FULL_LENGTH + 1))


def _groups_of(word: str) -> list[str]:
    """Return the groups of letters, in a fixed order; those at the ends include the end."""
    if len(word) < min(GROUP_LENGTHS) or word in COMMON:
        return []
    ends = f"<{word}>"
    places = [
        (place, length) for length in GROUP_LENGTHS for place in range(len(ends) - length + 1)
    ]
    return list(dict.fromkeys(ends[place : place + length] for place, length in places))


def _hash(feature: str, seed: int) -> int:
    return crc32(feature.encode("utf-8", "surrogatepass"), seed)
