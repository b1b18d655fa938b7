"""The meters are correct after any sequence of reservations and settlements."""

import os
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.accounts.models import User
from chat.errors import QuotaExceeded
from chat.quotas import ledger, next_requests
from chat.quotas.amounts import NOTHING, Amount
from chat.quotas.ledger import Estimate
from chat.quotas.models import Charge, Limit, Meter
from chat.quotas.payer import EVERYONE, Payer

pytestmark = pytest.mark.django_db(transaction=True)
PROCESSES = (1, 2, 3)
TOKENS = 5000


def estimate(tokens: int) -> Estimate:
    most = Amount(tokens + 10, tokens * 200, tokens * 3)
    return Estimate(10, tokens, Amount(10, 5, 1), most)


@dataclass
class Truth:
    """The expected meters, computed in the simplest way."""

    reserved: dict[uuid.UUID, tuple[int, int, Amount]] = field(default_factory=dict)
    used: dict[uuid.UUID, Amount] = field(default_factory=dict)
    spent: list[tuple[int, Amount]] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)

    def go_on(self, charge_id: uuid.UUID, tokens: int) -> None:
        """Note what a request has used, and reserve the next one if the limit allows it."""
        owner, process, reserved = self.reserved[charge_id]
        used = self.used.get(charge_id, NOTHING)
        used += Amount(min(tokens, reserved.tokens - used.tokens), tokens, tokens)
        with transaction.atomic():
            next_requests.note_used(charge_id, used)
        self.used[charge_id] = used
        self.reserved[charge_id] = owner, process, reserved | used
        with suppress(QuotaExceeded), transaction.atomic():
            payer, wanted = Payer(user_id=owner), estimate(tokens + 1)
            granted = next_requests.extend(charge_id, payer, wanted)
            self.reserved[charge_id] = owner, process, used + wanted.cut(granted)
        assert self.of(None).tokens <= TOKENS

    def returned_by(self, user: int | None) -> Amount:
        """Return what is returned if no running answer uses more."""
        total = self.held_by(user)
        for charge_id, (owner, _, _) in self.reserved.items():
            total -= self.used.get(charge_id, NOTHING) if user in {None, owner} else NOTHING
        return total

    def held_by(self, user: int | None) -> Amount:
        total = NOTHING
        for owner, _, amount in self.reserved.values():
            total += amount if user in {None, owner} else NOTHING
        return total

    def of(self, user: int | None) -> Amount:
        total = self.held_by(user)
        for owner, amount in self.spent:
            total += amount if user in {None, owner} else NOTHING
        return total


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(
            st.just("reserve"), st.integers(0, 1), st.integers(1, 900), st.sampled_from(PROCESSES)
        ),
        st.tuples(
            st.just("abort"), st.integers(0, 1), st.integers(1, 900), st.sampled_from(PROCESSES)
        ),
        st.tuples(st.just("go on"), st.integers(0, 50), st.integers(0, 900), st.just(0)),
        st.tuples(st.just("settle"), st.integers(0, 50), st.integers(0, 1200), st.just(0)),
        st.tuples(st.just("refund"), st.integers(0, 50), st.just(0), st.just(0)),
        st.tuples(st.just("again"), st.integers(0, 50), st.integers(0, 1200), st.just(0)),
        st.tuples(st.just("crash"), st.sampled_from(PROCESSES), st.just(0), st.just(0)),
    ),
    max_size=60,
)
EXAMPLES = int(os.environ.get("LEDGER_EXAMPLES", "25"))


@settings(
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(operations=OPERATIONS)
def test_meters_are_correct_after_any_sequence(
    alice: User, bob: User, operations: list[tuple[str, int, int, int]]
) -> None:
    Meter.objects.all().delete()
    Charge.objects.all().delete()
    Limit.objects.all().delete()
    Limit.objects.create(scope="everyone", measure="tokens", amount=TOKENS)
    people, truth, ended = [alice.pk, bob.pk], Truth(), []
    for name, a, b, c in operations:
        open_ids = list(truth.reserved)
        if name in {"reserve", "abort"}:
            charge_id = uuid.uuid4()
            with transaction.atomic():
                try:
                    granted = ledger.reserve(
                        charge_id, Payer(user_id=people[a]), estimate(b), model="m", process=c
                    )
                except QuotaExceeded:
                    needed = 10 + min(64, b)
                    own = truth.returned_by(people[a]).tokens
                    has_share = own and own + needed > TOKENS * ledger.RESERVED_SHARE
                    assert has_share or truth.of(None).tokens + needed > TOKENS
                    continue
                if name == "abort":
                    transaction.set_rollback(True)
                    continue
            amount = estimate(b).cut(granted)
            truth.reserved[charge_id] = (people[a], c, amount)
            truth.requests.append(people[a])
            assert truth.of(None).tokens <= TOKENS
        elif name == "crash":
            ledger.settle_orphans([each for each in PROCESSES if each != a])
            for each in [key for key, (_, process, _) in truth.reserved.items() if process == a]:
                owner, _, amount = truth.reserved.pop(each)
                truth.spent.append((owner, amount))
        elif name == "go on" and open_ids:
            charge_id = open_ids[a % len(open_ids)]
            truth.go_on(charge_id, b)
        elif name == "again" and ended:
            with transaction.atomic():
                # the second closer changes nothing
                ledger.settle([ended[a % len(ended)]], lambda _, b=b: Amount(b, b, b))
        elif name in {"settle", "refund"} and open_ids:
            charge_id = open_ids[a % len(open_ids)]
            owner, _, reserved = truth.reserved.pop(charge_id)
            amount = Amount(min(b, reserved.tokens), b * 7, b) if name == "settle" else NOTHING
            with transaction.atomic():
                ledger.settle([charge_id], lambda _, amount=amount: amount)
            truth.spent.append((owner, amount))
            ended.append(charge_id)
    for key, user in [(EVERYONE, None), *((f"user:{each}", each) for each in people)]:
        meter = Meter.objects.filter(key=key).first() or Meter(key=key)
        used = Amount(meter.tokens, meter.millineurons, meter.microdollars)
        running = [owner for owner, _, _ in truth.reserved.values() if user in {None, owner}]
        if _same_day(meter):  # at midnight all begins anew
            assert used == truth.of(user)
        assert meter.running == len(running)
        assert meter.reserved == truth.returned_by(user)
    charged = Charge.objects.filter(settled_at=None).count()
    assert charged == len(truth.reserved)


def _same_day(meter: Meter) -> bool:
    return meter.day is None or meter.used_at.date() == meter.day.date()


def test_the_rest_of_an_allowance_shortens_the_answer(alice: User) -> None:
    Limit.objects.create(scope="member", measure="tokens", amount=310)
    with transaction.atomic():
        granted = ledger.reserve(
            uuid.uuid4(), Payer(user_id=alice.pk), estimate(900), model="m", process=1
        )
    assert granted == 300
    with pytest.raises(QuotaExceeded), transaction.atomic():
        ledger.reserve(uuid.uuid4(), Payer(user_id=alice.pk), estimate(1), model="m", process=1)


@pytest.mark.parametrize(
    ("measure", "per"), [("requests", "minute"), ("tokens", "day"), ("dollars", "month")]
)
def test_usage_resets_with_the_next_period(alice: User, measure: str, per: str) -> None:
    Limit.objects.create(
        scope="member", measure=measure, amount=1 if measure == "requests" else 100
    )
    payer = Payer(user_id=alice.pk)
    with transaction.atomic():
        ledger.reserve(uuid.uuid4(), payer, estimate(90), model="m", process=1)
    ledger.settle_orphans([])
    Meter.objects.update(microdollars=100_000_000)
    with pytest.raises(QuotaExceeded) as caught, transaction.atomic():
        ledger.reserve(uuid.uuid4(), payer, estimate(90), model="m", process=1)
    assert caught.value.resets_at is not None
    back = {"minute": timedelta(minutes=1), "day": timedelta(days=1), "month": timedelta(days=31)}[
        per
    ]
    for meter in Meter.objects.all():
        before: datetime | None = getattr(meter, per)
        Meter.objects.filter(pk=meter.pk).update(**{per: before - back if before else None})
    with transaction.atomic():
        assert ledger.reserve(uuid.uuid4(), payer, estimate(90), model="m", process=1) == 90


def test_an_answer_settled_after_midnight_counts_for_the_previous_day(alice: User) -> None:
    charge_id, payer = uuid.uuid4(), Payer(user_id=alice.pk)
    with transaction.atomic():
        ledger.reserve(charge_id, payer, estimate(90), model="m", process=1)
    yesterday = timedelta(days=40)
    Charge.objects.update(created_at=Charge.objects.get().created_at - yesterday)
    Meter.objects.update(tokens=7, millineurons=7, microdollars=7)
    with transaction.atomic():
        ledger.settle([charge_id], lambda _: Amount(50, 50, 50))
    meter = Meter.objects.get(key=EVERYONE)
    assert (meter.tokens, meter.microdollars, meter.running) == (7, 7, 0)
