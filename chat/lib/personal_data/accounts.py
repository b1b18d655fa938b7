"""Find bank accounts (IBAN) and payment cards, by their check digits."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from chat.lib.personal_data.digits import DigitRun
from chat.lib.personal_data.kinds import FoundValue, PersonalDataKind

#: A country, two check digits, and the rest in groups.
_IBAN = re.compile(r"(?<!\w)[A-Za-z]{2}\d\d(?:[ \u00a0\u202f-]?[A-Za-z0-9]){11,30}", re.ASCII)
_IBAN_BLANKS = re.compile("[ \u00a0\u202f-]")
#: The first digits of cards with a number of so many digits.
_CARDS = (
    (re.compile("4"), {16, 19}),  # Visa; article numbers have 13, as its oldest cards had
    (re.compile("5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), {16}),  # Mastercard
    (re.compile("3[47]"), {15}),  # American Express
    (re.compile("6011|64[4-9]|65"), {16, 19}),  # Discover
    (re.compile("35(?:2[89]|[3-8])"), {16}),  # JCB
    (re.compile("30[0-5]|36|38"), {14}),  # Diners Club
    (re.compile("62"), {16, 17, 18, 19}),  # UnionPay
    (re.compile("50(?:18|20|38)|6304|6759|676[1-3]"), {16}),  # Maestro
)
_CARD_GROUPS = re.compile(r"\d+(?:[ \u00a0\u202f-]\d+){0,5}")


def find_ibans(text: str) -> Iterator[FoundValue]:
    match = _IBAN.search(text)
    while match:
        end = _end_of_iban(match[0])
        after = match.start() + end
        is_whole = after >= len(text) or not text[after].isalnum()
        is_one = end and is_whole and _ibans().is_valid(_IBAN_BLANKS.sub("", match[0][:end]))
        if is_one:
            yield FoundValue(PersonalDataKind.IBAN, match.start(), after)
        # What follows may be in the match, too: the next one of a list, or one after other words.
        match = _IBAN.search(text, after if is_one else match.start() + 1)


def _end_of_iban(run: str) -> int:
    """Return where the IBAN ends in a run, by the length that its country's have; 0 if none has."""
    left = _lengths().get(run[:2].upper(), 0)
    for place, char in enumerate(run if left else "", start=1):
        left -= char.isalnum()
        if not left:
            return place
    return 0


def is_card(run: DigitRun) -> bool:
    digits = run.digits
    fits = any(len(digits) in lengths and begin.match(digits) for begin, lengths in _CARDS)
    return fits and bool(_CARD_GROUPS.fullmatch(run.text)) and _passes_luhn(digits)


def _passes_luhn(digits: str) -> bool:
    from stdnum import luhn

    return bool(luhn.is_valid(digits)) and len(set(digits)) > 1


@cache
def _ibans() -> Any:
    from stdnum import iban

    return iban


@cache
def _lengths() -> dict[str, int]:
    """Return how long the IBAN of each country is."""
    lengths = {}
    for first in map(chr, range(ord("A"), ord("Z") + 1)):
        for second in map(chr, range(ord("A"), ord("Z") + 1)):
            known = _ibans()._ibandb.info(f"{first}{second}00")[0][1].get("bban", "")
            if known:
                lengths[first + second] = 4 + sum(map(int, re.findall(r"(\d{1,2})!", known)))
    return lengths
