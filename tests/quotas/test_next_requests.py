"""An answer that asks its model again keeps only what it has used, and never exceeds a limit."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from django.db import connection, transaction

from chat.accounts.models import User
from chat.errors import Conflict, QuotaExceeded
from chat.quotas import ledger, next_requests
from chat.quotas.amounts import NOTHING, Amount
from chat.quotas.ledger import Estimate
from chat.quotas.models import Charge, Limit, Meter
from chat.quotas.payer import EVERYONE, Payer

pytestmark = pytest.mark.django_db(transaction=True)


def estimate(prompt: int, tokens: int) -> Estimate:
    least, most = Amount(prompt, prompt, prompt), Amount(*[prompt + tokens] * 3)
    return Estimate(prompt, tokens, least, most)


@transaction.atomic
def reserve(user: User, prompt: int, tokens: int) -> uuid.UUID:
    charge_id = uuid.uuid4()
    ledger.reserve(
        charge_id, Payer(user_id=user.pk), estimate(prompt, tokens), model="m", process=1
    )
    return charge_id


@transaction.atomic
def note(charge_id: uuid.UUID, tokens: int) -> None:
    next_requests.note_used(charge_id, Amount(tokens, tokens, tokens))


@transaction.atomic
def extend(charge_id: uuid.UUID, user: User, prompt: int, tokens: int) -> int:
    return next_requests.extend(charge_id, Payer(user_id=user.pk), estimate(prompt, tokens))


@transaction.atomic
def settle(charge_id: uuid.UUID, tokens: int) -> None:
    ledger.settle([charge_id], lambda _: Amount(tokens, tokens, tokens))


def limit(amount: int, scope: str = "member") -> None:
    Limit.objects.create(scope=scope, measure="tokens", amount=amount)


def meter() -> Meter:
    return Meter.objects.get(key=EVERYONE)


def test_what_a_request_has_reserved_and_not_used_is_free_for_the_next(alice: User) -> None:
    limit(500)
    charge_id = reserve(alice, 100, 300)
    note(charge_id, 120)
    assert (meter().tokens, meter().reserved.tokens) == (400, 280)
    assert extend(charge_id, alice, 150, 300) == 230
    assert (meter().tokens, meter().reserved.tokens) == (500, 380)
    settle(charge_id, 333)
    assert (meter().tokens, meter().reserved, meter().running) == (333, NOTHING, 0)


def test_a_request_that_uses_more_than_was_reserved_counts_at_once(alice: User) -> None:
    charge_id = reserve(alice, 100, 100)
    note(charge_id, 350)
    note(charge_id, 350)
    note(charge_id, 40)  # never less
    charge = Charge.objects.get()
    assert (charge.tokens, charge.used_tokens) == (350, 350)
    assert (meter().tokens, meter().reserved) == (350, NOTHING)


def test_a_refusal_changes_nothing(alice: User) -> None:
    limit(500)
    charge_id = reserve(alice, 100, 300)
    note(charge_id, 390)
    with pytest.raises(QuotaExceeded) as caught:
        extend(charge_id, alice, 150, 300)
    words = str(caught.value.public)
    assert words == "This answer can't go on. What is left of your daily limit isn't enough."
    assert (meter().tokens, meter().reserved.tokens) == (400, 10)


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        ("member", "your limit is reserved for your other"),
        ("everyone", "limit is reserved for other"),
    ],
)
def test_a_refusal_says_if_other_answers_hold_the_rest(alice: User, scope: str, words: str) -> None:
    limit(1000, scope)
    charge_id = reserve(alice, 100, 100)
    Meter.objects.update(tokens=700, reserved_tokens=700)  # of others
    note(charge_id, 150)
    with pytest.raises(QuotaExceeded) as caught:
        extend(charge_id, alice, 400, 300)
    assert words in str(caught.value.public)
    assert "draft" not in str(caught.value.public)


def test_an_answer_that_has_ended_is_not_extended(alice: User) -> None:
    charge_id = reserve(alice, 100, 100)
    settle(charge_id, 50)
    for work in (lambda: note(charge_id, 70), lambda: extend(charge_id, alice, 9, 9)):
        with pytest.raises(Conflict):
            work()
    assert (meter().tokens, meter().reserved) == (50, NOTHING)


def test_the_first_answer_of_a_shared_limit_may_go_on(alice: User) -> None:
    limit(1000, "everyone")
    charge_id = reserve(alice, 100, 500)
    note(charge_id, 300)
    assert extend(charge_id, alice, 200, 500) == 500


def test_answers_that_race_never_exceed_a_limit(alice: User) -> None:
    limit(4000)
    ends: list[int] = []

    def answer(seed: int) -> None:
        chance, used = Random(seed), 0
        try:
            charge_id = reserve(alice, 200, 400)
            try:
                for _round in range(4):
                    used += chance.randint(150, 264)
                    note(charge_id, used)
                    assert meter().tokens <= 4000
                    extend(charge_id, alice, 200, chance.randint(64, 400))
                    assert meter().tokens <= 4000
            except QuotaExceeded:
                pass
            settle(charge_id, used)
            ends.append(used)
        except QuotaExceeded:
            ends.append(0)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(answer, range(18)))
    assert len(ends) == 18
    assert meter().tokens == sum(ends) <= 4000
    assert (meter().reserved, meter().running) == (NOTHING, 0)
