"""Note which kinds of personal data messages have, and match them in rules."""

import logging
from collections.abc import Callable, Collection, Mapping, Set

from chat.lib.fair_work import in_steps
from chat.lib.personal_data import finder
from chat.lib.personal_data.kinds import FoundValue, PersonalDataKind
from chat.review.cases.patterns import MAX_SHOWN, MatchedPiece
from chat.review.personal_data_models import MessagePersonalData
from chat.site_settings import effective

log = logging.getLogger(__name__)

#: Of a text, so much is looked at; it takes at most a second.
MAX_CHARS = 100_000


class KindsPattern:
    """Match texts with personal data of some kinds, like a `Pattern` of words."""

    def __init__(self, kinds: Collection[str]) -> None:
        self._kinds = frozenset(kinds)

    def search(self, text: str, _known: dict[Callable[[str], str], str] | None = None) -> bool:
        return bool(self._found(text))

    def pieces(self, text: str) -> list[MatchedPiece]:
        """Return the whole text, split at its first matches."""
        pieces, end = [], 0
        for each in self._found(text)[:MAX_SHOWN]:
            pieces.append(MatchedPiece(text[end : each.start], False))
            pieces.append(MatchedPiece(text[each.start : each.end], True))
            end = each.end
        return [each for each in (*pieces, MatchedPiece(text[end:], False)) if each.text]

    def _found(self, text: str) -> list[FoundValue]:
        found = finder.find(text[:MAX_CHARS], effective.phone_region())
        return [each for each in found if each.kind in self._kinds]


async def look_in_steps(key: str, text: str) -> None:
    """Look for what a rule will ask for, which may take a second; it is remembered for a while.

    `key` is who sent the text: see `in_steps`.
    """
    await in_steps(key, finder.find_in_steps(text[:MAX_CHARS], effective.phone_region()))


def kinds_in(message_id: int, text: str) -> Mapping[PersonalDataKind, int]:
    """Return how many values of each kind a message has; a failure is logged, and is none."""
    try:
        return finder.kinds_in(text[:MAX_CHARS], effective.phone_region())
    except Exception as error:  # of a library that reads a text of anybody
        log.warning("message %d was not looked at: %s", message_id, type(error).__name__)
        return {}


def store(found: Mapping[int, Mapping[PersonalDataKind, int]], still: Set[int]) -> None:
    """Store the kinds in messages that are `still` there, in place of what was known."""
    MessagePersonalData.objects.filter(message__in=list(found)).delete()
    MessagePersonalData.objects.bulk_create(
        MessagePersonalData(message_id=message_id, kind=kind, count=count)
        for message_id in found.keys() & still
        for kind, count in found[message_id].items()
    )
