"""Administrators are told when many answers fail, and once more when it is over."""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from chat.accounts.models import User
from chat.generations.models import Generation
from chat.quotas.models import Charge
from chat.review.alerts.failures import MIN_ANSWERS, check_failures
from tests.review.alerts.conftest import Told
from tests.support.review.analytics import ask

pytestmark = pytest.mark.django_db

FAILING = "More than 20% of recent answers failed."
WORKING = "Answers are working again."
Answer = Callable[..., None]


@pytest.fixture
def answer(alice: User) -> Answer:
    """Add answers that have ended in this state, so many minutes ago."""

    def add(number: int, state: str = "complete", minutes: int = 1) -> None:
        at = timezone.now() - timedelta(minutes=minutes)
        made = [ask(alice, at, random.Random(1)).pk for _ in range(number)]
        Generation.objects.filter(pk__in=made).update(state=state)

    return add


def test_it_is_told_once_when_it_begins_and_once_when_it_is_over(
    administrator: User, lead: User, answer: Answer, told: Told
) -> None:
    answer(8)
    answer(2, "failed")
    assert check_failures() == 0
    answer(1, "failed")
    assert (check_failures(), check_failures()) == (1, 0)
    assert told(administrator) == [FAILING]
    answer(15)
    assert check_failures() == 0  # still more than half of the share
    answer(10)
    assert (check_failures(), check_failures()) == (1, 0)
    assert told(administrator) == [FAILING, WORKING]
    assert told(lead) == []


def test_it_is_told_again_the_next_time(administrator: User, answer: Answer, told: Told) -> None:
    answer(10, "failed")
    check_failures()
    Charge.objects.all().delete()
    answer(1)
    check_failures()
    answer(10, "failed")
    assert check_failures() == 1
    assert told(administrator) == [FAILING, WORKING, FAILING]


def test_few_failures_say_nothing(administrator: User, answer: Answer) -> None:
    answer(MIN_ANSWERS - 1, "failed")
    assert check_failures() == 0


def test_silence_does_not_end_it(administrator: User, answer: Answer) -> None:
    answer(10, "failed")
    check_failures()
    Charge.objects.all().delete()
    assert check_failures() == 0


@pytest.mark.parametrize("state", ["stopped", "interrupted", "running"])
def test_only_failures_count(administrator: User, answer: Answer, state: str) -> None:
    answer(20, state)
    assert check_failures() == 0


def test_older_answers_do_not_count(administrator: User, answer: Answer, settings: Any) -> None:
    answer(10, "failed", minutes=20)
    assert check_failures() == 0
    settings.FAILED_ANSWERS_ALERT_MINUTES = 30
    assert check_failures() == 1


def test_the_share_is_a_setting_and_0_turns_it_off(
    administrator: User, answer: Answer, settings: Any
) -> None:
    answer(10, "failed")
    settings.FAILED_ANSWERS_ALERT_PERCENT = 0
    assert check_failures() == 0
    settings.FAILED_ANSWERS_ALERT_PERCENT = 99
    assert check_failures() == 1
