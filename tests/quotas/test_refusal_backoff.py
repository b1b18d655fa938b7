"""Repeated refusals are delayed more and more; the first is immediate."""

import pytest

from chat.generations.send import refusal_backoff


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(refusal_backoff, "time", made)
    return made


def test_each_consecutive_refusal_is_delayed_longer_up_to_a_maximum(clock: Clock) -> None:
    delays = [refusal_backoff.delay_seconds("user:1") for _ in range(7)]
    assert delays == [0, 0.25, 0.5, 1, 2, 2, 2]
    assert refusal_backoff.delay_seconds("user:2") == 0


def test_the_delay_ends_after_a_while(clock: Clock) -> None:
    for _ in range(3):
        refusal_backoff.delay_seconds("user:1")
    clock.now += refusal_backoff.FORGET_SECONDS + 1
    assert refusal_backoff.delay_seconds("user:1") == 0


def test_only_so_many_people_are_remembered(clock: Clock) -> None:
    for number in range(refusal_backoff.MAX_REMEMBERED + 50):
        refusal_backoff.delay_seconds(f"user:{number}")
    assert len(refusal_backoff._refused) == refusal_backoff.MAX_REMEMBERED
