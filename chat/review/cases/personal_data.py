"""Note which kinds of personal data messages have, for filters; and match them in rules.

New messages wait for this in the queue of the rules. Past ones are looked at in the background,
once, and again when the site's country changes, on which phone numbers depend.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence

from django.db import transaction

from chat.conversations.models import Message
from chat.lib.fair_work import in_steps
from chat.lib.personal_data import finder
from chat.lib.personal_data.kinds import FoundValue, PersonalDataKind
from chat.review.cases.patterns import MAX_SHOWN, MatchedPiece
from chat.review.cases.rule_subjects import ids_before, present
from chat.review.personal_data_models import MessagePersonalData, PersonalDataScan
from chat.review.staff import privacy
from chat.site_settings import effective

log = logging.getLogger(__name__)

#: Of a text, so much is looked at; it takes at most a second.
MAX_CHARS = 100_000
PAST_AT_ONCE = 100
#: Of several messages; other work in the background waits for them. A longer one comes alone.
BYTES_AT_ONCE = 100_000
NEWEST = (1 << 63) - 1  # comes after any message


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


def note(ids: Sequence[int]) -> None:
    """Look for personal data in these messages, and store which kinds each one has."""
    texts = present(Message.objects.filter(pk__in=ids, hidden_at=None)).values_list("pk", "text")
    found = {message_id: _kinds_in(message_id, text) for message_id, text in texts}
    _store(found)


def note_past() -> bool:
    """Look at the next past messages; return False if there are none left."""
    region = effective.phone_region()
    scan = PersonalDataScan.objects.order_by("id").first()
    if scan is None or scan.region != region:
        values = {"region": region, "before": NEWEST}
        scan, _is_new = PersonalDataScan.objects.update_or_create(pk=1, defaults=values)
    if scan.before is None or not privacy.is_reading_allowed():
        return False
    ids = ids_before(scan.before, PAST_AT_ONCE, BYTES_AT_ONCE)
    note(ids)
    # If it was started again meanwhile, this keeps that.
    step = PersonalDataScan.objects.filter(pk=scan.pk, region=region, before=scan.before)
    step.update(before=ids[-1] if ids else None)
    return bool(ids)


def _kinds_in(message_id: int, text: str) -> Mapping[PersonalDataKind, int]:
    try:
        return finder.kinds_in(text[:MAX_CHARS], effective.phone_region())
    except Exception as error:  # of a library that reads a text of anybody
        log.warning("message %d was not looked at: %s", message_id, type(error).__name__)
        return {}


@transaction.atomic
def _store(found: Mapping[int, Mapping[PersonalDataKind, int]]) -> None:
    """Store what was found in messages that are still there, in place of what was known."""
    having = [message_id for message_id, kinds in found.items() if kinds]
    there = Message.objects.select_for_update(no_key=True).filter(pk__in=having).order_by("pk")
    still = set(there.values_list("pk", flat=True)) if having else set()
    MessagePersonalData.objects.filter(message__in=list(found)).delete()
    MessagePersonalData.objects.bulk_create(
        MessagePersonalData(message_id=message_id, kind=kind, count=count)
        for message_id in still
        for kind, count in found[message_id].items()
    )
