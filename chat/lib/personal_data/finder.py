"""Find personal data in a text: the one interface to all that is known of it.

Only what has a form that can be checked is found: no names, street addresses or dates of birth. It
takes time linear in the length of the text (tests/growth), but up to 16 milliseconds for a thousand
characters, so texts are read outside the event loop, and long ones in steps.
"""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b

from chat.lib.personal_data import accounts, emails, national_ids, phones
from chat.lib.personal_data.digits import runs
from chat.lib.personal_data.kinds import FoundValue, PersonalDataKind
from chat.lib.worker_thread import Steps, finished

#: Pieces whose values are known, by their digest: a history is read again with each question.
KNOWN_TEXTS = 512
#: A longer text is read in pieces.
PIECE_CHARS = 4_000
#: Around a piece, so much is read with it. No value is as long, together with what decides on it.
CONTEXT_CHARS = 400


def find(text: str, region: str = "") -> tuple[FoundValue, ...]:
    """Return the values in their order; none overlaps another.

    Phone numbers without a country code are those of the `region`, as its ISO code.
    """
    return finished(find_in_steps(text, region))


def find_in_steps(text: str, region: str = "") -> Steps[tuple[FoundValue, ...]]:
    """Find the values as `find` does, with a pause after each piece of the text."""
    if len(text) <= PIECE_CHARS:
        return _known(_Text(text, region))
    found: list[FoundValue] = []
    for begin in range(0, len(text), PIECE_CHARS):
        found += _in_piece(text, begin, found[-1].end if found else 0, region)
        yield
    return tuple(found)


def _in_piece(text: str, begin: int, after: int, region: str) -> Iterator[FoundValue]:
    """Yield the values that begin in a piece of the text, and after the last one before it."""
    start, end = max(0, begin - CONTEXT_CHARS), begin + PIECE_CHARS
    for each in _known(_Text(text[start : end + CONTEXT_CHARS], region)):
        if max(begin, after) <= start + each.start < end:
            yield FoundValue(each.kind, start + each.start, start + each.end)


def kinds_in(text: str, region: str = "") -> dict[PersonalDataKind, int]:
    """Return how many values of each kind the text has."""
    counts: dict[PersonalDataKind, int] = {}
    for each in find(text, region):
        counts[each.kind] = counts.get(each.kind, 0) + 1
    return counts


def _find(text: str, region: str) -> tuple[FoundValue, ...]:
    found: list[FoundValue] = []
    end = 0
    # Of two at the same place, the first one in this order counts.
    order = {kind: place for place, kind in enumerate(_PREFERRED)}
    for each in sorted(_all(text, region), key=lambda each: (each.start, order[each.kind])):
        if each.start >= end:
            found.append(each)
            end = each.end
    return tuple(found)


class _Text:
    """A text to look at. Once that is done, only its digest is kept."""

    def __init__(self, text: str, region: str) -> None:
        self.region = region
        self._text = text
        self._digest = blake2b(f"{region} {text}".encode("utf-8", "surrogatepass")).digest()

    def take(self) -> str:
        text, self._text = self._text, ""
        return text

    def __hash__(self) -> int:
        return hash(self._digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Text) and self._digest == other._digest


@lru_cache(maxsize=KNOWN_TEXTS)
def _known(text: _Text) -> tuple[FoundValue, ...]:
    return _find(text.take(), text.region)


_PREFERRED = (
    PersonalDataKind.EMAIL,
    PersonalDataKind.IBAN,
    PersonalDataKind.CARD,
    PersonalDataKind.NATIONAL_ID,
    PersonalDataKind.PHONE,
)


def _all(text: str, region: str) -> Iterator[FoundValue]:
    yield from emails.find(text)
    if not any(map(str.isdigit, text)):
        return
    yield from accounts.find_ibans(text)
    yield from national_ids.find(text)
    for run in runs(text):
        if accounts.is_card(run):
            yield FoundValue(PersonalDataKind.CARD, run.start, run.end)
        elif phones.is_phone(run, region):
            yield FoundValue(PersonalDataKind.PHONE, run.start, run.end)
