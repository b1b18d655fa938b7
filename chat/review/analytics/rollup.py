"""Count daily usage.

Messages and costs come from charges, which outlive messages; results, chats and ratings come from
what is stored. A day is recounted until an hour after its end; then its figures stay, whatever is
deleted.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from chat.conversations.models import Conversation, Rating
from chat.generations.models import Generation
from chat.quotas.models import Charge
from chat.review.analytics import message_counts
from chat.review.analytics.histogram import FIRST_TOKEN, SPEED
from chat.review.analytics.models import (
    NOBODY,
    DailyErrors,
    DailyLanguages,
    DailyTopics,
    DailyUsage,
    RolledUpDay,
)
from chat.review.utc_days import ONE_DAY, day_of, end_of, start_of, today

SETTLES = timedelta(hours=1)  # by then, the last answers of the day have ended
FRESH = timedelta(seconds=30)  # how long a count of the current day is reused
CHORE_SECONDS = 2.0  # for days that were not counted, for example after an update
AT_ONCE = 500
SITE = "site:"
PERSONA = "message__conversation__persona"
CHARGED = ("id", "user", "keys", "model", "settled_at", "tokens", "millineurons", "microdollars")
ENDED = (
    "id", "owner", "model", "state", "error_code",
    "first_token_milliseconds", "milliseconds", "completion_tokens", PERSONA,
)  # fmt: skip


class RollupKey(NamedTuple):
    """The key of a usage row; those of errors have no persona."""

    owner: int
    site: str
    model: str
    persona: UUID | None = None


def recount() -> None:
    """Count today, and yesterday until it is closed."""
    for day in (today() - ONE_DAY, today()):
        counted = RolledUpDay.objects.filter(day=day).first()
        if counted and (counted.is_closed or _is_fresh(counted)):
            continue
        count(day)


def close_days(seconds: float = CHORE_SECONDS) -> None:
    """Count past days for up to `seconds`. Every process does this."""
    until = time.monotonic() + seconds
    for day in open_days():
        if time.monotonic() > until:
            return
        count(day)


def open_days() -> list[date]:
    """Return the past days that are not closed yet."""
    first = Charge.objects.order_by("created_at").values_list("created_at", flat=True).first()
    if first is None:
        return []
    day, days = day_of(first), []
    closed = set(RolledUpDay.objects.filter(is_closed=True).values_list("day", flat=True))
    while _is_over(day):
        if day not in closed:
            days.append(day)
        day += ONE_DAY
    return days


@transaction.atomic
def count(day: date) -> None:
    """Replace the figures of `day`, unless it is closed."""
    RolledUpDay.objects.get_or_create(day=day)
    counted = RolledUpDay.objects.select_for_update().get(day=day)
    if counted.is_closed:
        return
    is_over = _is_over(day)
    counts, errors = _counts(day)
    DailyUsage.objects.filter(day=day).delete()
    DailyErrors.objects.filter(day=day).delete()
    rows = (DailyUsage(day=day, **place._asdict(), **row) for place, row in counts.items())
    DailyUsage.objects.bulk_create(rows, batch_size=AT_ONCE)
    DailyErrors.objects.bulk_create(
        DailyErrors(
            day=day,
            owner=place.owner,
            site=place.site,
            model=place.model,
            code=code,
            count=number,
        )
        for (place, code), number in errors.items()
    )
    _count_messages(day)
    counted.counted_at, counted.is_closed = timezone.now(), is_over
    counted.save()


def _count_messages(day: date) -> None:
    """Replace the figures of languages and topics."""
    begin, end = start_of(day), end_of(day)
    DailyLanguages.objects.filter(day=day).delete()
    DailyLanguages.objects.bulk_create(
        (
            DailyLanguages(day=day, **each._asdict(), count=number)
            for each, number in message_counts.languages(begin, end).items()
        ),
        batch_size=AT_ONCE,
    )
    DailyTopics.objects.filter(day=day).delete()
    DailyTopics.objects.bulk_create(
        (
            DailyTopics(day=day, **each._asdict(), **row)
            for each, row in message_counts.topics(begin, end).items()
        ),
        batch_size=AT_ONCE,
    )


Counts = dict[RollupKey, Counter[str]]


def _counts(day: date) -> tuple[Counts, Counter[tuple[RollupKey, str]]]:
    counts: Counts = defaultdict(Counter)
    errors: Counter[tuple[RollupKey, str]] = Counter()
    begin, end = start_of(day), end_of(day)
    for charge, result in _charges(begin, end):
        place = _place(charge, result)
        row = counts[place]
        row["messages"] += 1
        if charge["settled_at"]:
            for name in ("tokens", "millineurons", "microdollars"):
                row[name] += charge[name]
        if result and result["state"] != Generation.State.RUNNING:
            _count_result(row, result)
            if result["error_code"] and result["state"] != Generation.State.STOPPED:
                errors[place._replace(persona=None), result["error_code"]] += 1
    rows = {(place.owner, place.site): place for place in counts}
    for owner, site in _chats(begin, end):
        place = rows.setdefault((owner, site), RollupKey(owner, site, ""))
        counts[place]["chats"] += 1
    for place, value in _opinions(begin, end):
        counts[place]["good" if value > 0 else "bad"] += 1
    return counts, errors


def _charges(
    begin: datetime, end: datetime
) -> Iterator[tuple[dict[str, Any], dict[str, Any] | None]]:
    """Yield each charge with the result of its answer, if that is stored."""
    charges = Charge.objects.filter(created_at__gte=begin, created_at__lt=end).values(*CHARGED)
    rows: Iterator[Any] = iter(charges.order_by("created_at").iterator(AT_ONCE))
    while some := list(islice(rows, AT_ONCE)):
        generations = Generation.objects.filter(pk__in=[each["id"] for each in some]).values(*ENDED)
        results = {each["id"]: each for each in generations}
        for each in some:
            yield each, results.get(each["id"])


def _place(charge: dict[str, Any], result: dict[str, Any] | None) -> RollupKey:
    keys = charge["keys"]
    site = next((key.removeprefix(SITE) for key in keys if key.startswith(SITE)), "")
    owner = charge["user"] or (result["owner"] if result else NOBODY)
    if result is None:
        return RollupKey(owner, site, charge["model"])
    return RollupKey(owner, site, result["model"], result[PERSONA])


def _count_result(row: Counter[str], result: dict[str, Any]) -> None:
    row["answers"] += 1
    if result["state"] != Generation.State.COMPLETE:
        row[result["state"]] += 1
    if result["first_token_milliseconds"] is not None:
        step = FIRST_TOKEN.step_of(result["first_token_milliseconds"])
        row[FIRST_TOKEN.columns[step]] += 1
    tokens, milliseconds = result["completion_tokens"], result["milliseconds"]
    if tokens and milliseconds:
        row[SPEED.columns[SPEED.step_of(tokens * 1000 / milliseconds)]] += 1


def _chats(begin: datetime, end: datetime) -> Iterable[tuple[int, str]]:
    """Yield owner and site of new chats, through the index on the stats' time."""
    made = Conversation.objects.filter(
        stats__updated_at__gte=begin, created_at__gte=begin, created_at__lt=end
    )
    for owner, site in made.values_list("owner", "owner__visitor__site__key"):
        yield owner, site or ""


def _opinions(begin: datetime, end: datetime) -> Iterable[tuple[RollupKey, int]]:
    """Yield ratings, attributed to the chat's owner and the answer's last model."""
    opinions = Rating.objects.filter(rated_at__gte=begin, rated_at__lt=end)
    opinions = opinions.select_related("message__conversation__owner__visitor__site")
    ratings = list(opinions.defer("message__text", "message__reasoning"))
    models: dict[int, str] = dict(
        Generation.objects.filter(message__in=[each.message_id for each in ratings])
        .order_by("started_at")
        .values_list("message", "model")
    )
    for each in ratings:
        owner = each.message.conversation.owner
        site = owner.visitor.site.key if owner.is_visitor else ""
        persona = each.message.conversation.persona_id
        yield RollupKey(owner.pk, site, models.get(each.message_id, ""), persona), each.value


def _is_fresh(counted: RolledUpDay) -> bool:
    return counted.counted_at is not None and counted.counted_at > timezone.now() - FRESH


def _is_over(day: date) -> bool:
    return end_of(day) + SETTLES <= timezone.now()
