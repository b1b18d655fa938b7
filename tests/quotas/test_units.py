"""Amounts, the windows of meters, and the share of a limit that is left."""

from datetime import UTC, datetime

import pytest

from chat.quotas.allowance import NEARLY_SPENT, Allowance, Remaining
from chat.quotas.amounts import NOTHING, Amount
from chat.quotas.limits import EffectiveLimit
from chat.quotas.models import Limit, Meter
from chat.quotas.payer import EVERYONE, Payer
from chat.quotas.units import Measure, window_end, window_start

NOON = datetime(2026, 12, 31, 12, 30, 45, 500, tzinfo=UTC)


@pytest.mark.parametrize(
    ("window", "start", "end"),
    [
        ("minute", datetime(2026, 12, 31, 12, 30, tzinfo=UTC), datetime(2026, 12, 31, 12, 31, tzinfo=UTC)),
        ("day", datetime(2026, 12, 31, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
        ("month", datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
        ("", None, None),
    ],
)  # fmt: skip
def test_a_window_is_a_minute_a_day_or_a_month_in_utc(
    window: str, start: datetime | None, end: datetime | None
) -> None:
    assert window_start(window, NOON) == start
    assert window_end(window, NOON) == end


def test_a_month_of_31_days_ends_after_its_last_day() -> None:
    first = datetime(2027, 1, 1, tzinfo=UTC)
    assert window_end("month", first) == datetime(2027, 2, 1, tzinfo=UTC)
    assert window_end("month", datetime(2027, 2, 28, 23, tzinfo=UTC)) == datetime(
        2027, 3, 1, tzinfo=UTC
    )


def test_amounts_are_rounded_up_so_that_small_answers_are_not_free() -> None:
    assert Amount.of(3, 0.0001, 0.0000001) == Amount(3, 1, 1)
    assert Amount.of(0, 1.5, 0.25) == Amount(0, 1500, 250_000)
    assert Amount.of(0, 0.1 + 0.2, 0) == Amount(0, 300, 0)  # and not for an error of floats
    assert Amount(0, 0, 0) == NOTHING


def test_the_larger_and_the_smaller_of_two_amounts_are_taken_by_unit() -> None:
    one, other = Amount(1, 5, 9), Amount(2, 4, 9)
    assert one | other == Amount(2, 5, 9)
    assert one & other == Amount(1, 4, 9)
    assert one + other == Amount(3, 9, 18)
    assert one - other == Amount(-1, 1, 0)


def meter() -> Meter:
    found = Meter(key=EVERYONE)
    found.advance(NOON)
    found.add(Amount(100, 200, 300), NOON)
    return found


def used(meter: Meter) -> tuple[int, int, int]:
    return meter.tokens, meter.millineurons, meter.microdollars


def test_a_meter_counts_until_its_window_ends() -> None:
    found = meter()
    found.requests = 7
    found.advance(NOON.replace(second=59))
    assert (found.requests, *used(found)) == (7, 100, 200, 300)
    found.advance(NOON.replace(minute=31))
    assert (found.requests, *used(found)) == (0, 100, 200, 300)
    found.advance(NOON.replace(day=30))
    assert used(found) == (0, 0, 300)
    found.advance(NOON.replace(month=11, day=30))
    assert used(found) == (0, 0, 0)


def test_what_belongs_to_an_earlier_window_is_not_counted() -> None:
    found = meter()
    found.add(Amount(1, 2, 3), NOON.replace(day=30))
    assert used(found) == (100, 200, 303)
    found.add(Amount(1, 2, 3), NOON.replace(month=11, day=30))
    assert used(found) == (100, 200, 303)


def test_a_meter_is_never_below_nothing() -> None:
    found = meter()
    found.add(Amount(-101, -201, -301), NOON)
    assert used(found) == (0, 0, 0)
    found.reserved = Amount(-1, 5, -3)
    assert found.reserved == Amount(0, 5, 0)


def left_of(most: int, used_parts: int, measure: Measure = Measure.TOKENS) -> Remaining:
    limit = EffectiveLimit("user:1", Limit.Scope.MEMBER, measure, most)
    return Remaining(limit, used_parts, None)


def test_a_limit_is_nearly_spent_when_a_fifth_is_left() -> None:
    assert NEARLY_SPENT == 0.2
    for used_parts, is_nearly in ((799, False), (800, True), (1000, True), (2000, True)):
        assert Allowance([left_of(1000, used_parts)], None).is_nearly_spent == is_nearly, used_parts
    assert not Allowance([], None).is_nearly_spent
    assert not Allowance([left_of(10, 10, Measure.REQUESTS)], None).is_nearly_spent
    assert left_of(1000, 2000).share == 0
    assert left_of(0, 0).share == 0


def test_limits_are_shown_in_their_own_unit() -> None:
    shown = [
        (left_of(3_500_000, 250_000, Measure.DOLLARS), 3.5, 0.25),
        (left_of(3000, 1500, Measure.NEURONS), 3, 1.5),
        (left_of(3000, 1500, Measure.TOKENS), 3000, 1500),
    ]
    for remaining, most, used_amount in shown:
        assert (remaining.most, remaining.used) == (most, used_amount)


@pytest.mark.parametrize(
    ("payer", "keys", "individual"),
    [
        (Payer(user_id=7, address="a"), ["address:a", "group:3", "user:7"], "user:7"),
        (
            Payer(site="s", visitor="v", address="a"),
            ["address:a", "group:3", "site:s", "site_address:s:a", "visitor:v", "visitors"],
            "site_address:s:a",
        ),
        (Payer(site="s", visitor="v"), ["group:3", "site:s", "visitor:v", "visitors"], "visitor:v"),
        (Payer(address="a"), ["address:a", "group:3"], "address:a"),
        (Payer(user_id=7, api_key_id=9), ["api_key:9", "group:3", "user:7"], "user:7"),
        (Payer(), ["group:3"], "everyone"),
    ],
)
def test_an_answer_counts_on_every_meter_of_its_payer(
    payer: Payer, keys: list[str], individual: str
) -> None:
    assert payer.keys([3]) == ["everyone", *keys]
    assert payer.individual_key == individual
