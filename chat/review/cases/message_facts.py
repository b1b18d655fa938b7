"""Note facts about messages, for filters and figures: kinds of personal data, and the language.

New messages wait for this in the queue of the rules. Past ones are looked at in the background:
once, again when the site's country changes, on which phone numbers depend, and again when a version
of the program notes something else.
"""

from collections.abc import Sequence

from django.db import transaction

from chat.conversations.models import Message
from chat.review.cases import languages, personal_data
from chat.review.cases.rule_subjects import NEWEST, ids_before, present
from chat.review.personal_data_models import PersonalDataScan
from chat.review.staff import privacy
from chat.site_settings import effective

PAST_AT_ONCE = 100
#: Of several messages; other work in the background waits for them. A longer one comes alone.
BYTES_AT_ONCE = 100_000
#: Increase it to look at all past messages again. 1: languages.
VERSION = 1


def note(ids: Sequence[int]) -> None:
    """Look at these messages, and store what is found, in place of what was known."""
    texts = list(
        present(Message.objects.filter(pk__in=ids, hidden_at=None)).values_list("pk", "text")
    )
    kinds = {message_id: personal_data.kinds_in(message_id, text) for message_id, text in texts}
    told = {message_id: languages.language_in(message_id, text) for message_id, text in texts}
    with transaction.atomic():
        having = [message_id for message_id in kinds if kinds[message_id] or told[message_id]]
        there = Message.objects.select_for_update(no_key=True).filter(pk__in=having).order_by("pk")
        still = set(there.values_list("pk", flat=True)) if having else set()
        personal_data.store(kinds, still)
        languages.store(told, still)
    languages.add_to_chats(still)


def are_complete() -> bool:
    """Return whether all past messages have been looked at, for the site's country of now."""
    region = effective.phone_region()
    scans = PersonalDataScan.objects.filter(region=region, version=VERSION, before=None)
    return scans.exists()


def note_past() -> bool:
    """Look at the next past messages; return False if there are none left."""
    now = {"region": effective.phone_region(), "version": VERSION}
    scan = PersonalDataScan.objects.order_by("id").first()
    if scan is None or (scan.region, scan.version) != tuple(now.values()):
        values = {**now, "before": NEWEST}
        scan, _is_new = PersonalDataScan.objects.update_or_create(pk=1, defaults=values)
    if scan.before is None or not privacy.is_reading_allowed():
        return False
    ids = ids_before(scan.before, PAST_AT_ONCE, BYTES_AT_ONCE)
    note(ids)
    # If it was started again meanwhile, this keeps that.
    step = PersonalDataScan.objects.filter(pk=scan.pk, before=scan.before, **now)
    step.update(before=ids[-1] if ids else None)
    return bool(ids)
