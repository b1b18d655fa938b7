"""Of several processes that notice the same at once, one tells it."""

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from types import ModuleType
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from chat.accounts.models import User
from chat.generations.models import Generation
from chat.quotas.models import Limit
from chat.quotas.payer import Payer
from chat.review.alerts import failures, spending
from tests.review.alerts.conftest import Told
from tests.support.patience import PATIENCE_SECONDS
from tests.support.quotas.spending import spend
from tests.support.review.analytics import ask

PROCESSES = 4


@pytest.fixture
def check_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[ModuleType, str, Callable[[], int]], int]:
    """Run a check several times at once; all have read before any of them calls the function."""

    def check(module: ModuleType, function: str, work: Callable[[], int]) -> int:
        together = threading.Barrier(PROCESSES)
        tell = getattr(module, function)

        def wait_and_tell(*about: Any) -> int:
            together.wait(timeout=PATIENCE_SECONDS)
            return int(tell(*about))

        def run(_number: int) -> int:
            try:
                return work()
            finally:
                connections.close_all()

        with monkeypatch.context() as patch, ThreadPoolExecutor(PROCESSES) as threads:
            patch.setattr(module, function, wait_and_tell)
            return sum(threads.map(run, range(PROCESSES)))

    return check


def test_one_tells_that_a_limit_is_nearly_spent(
    administrator: User, alice: User, told: Told, check_at_once: Callable[..., int]
) -> None:
    Limit.objects.create(scope="everyone", measure="dollars", amount=Decimal(20))
    spend(Payer(user_id=alice.pk), 17)
    assert check_at_once(spending, "_tell", spending.check_spending) == 1
    assert len(told(administrator)) == 1


def test_one_tells_that_answers_fail_and_one_that_it_is_over(
    administrator: User, alice: User, told: Told, check_at_once: Callable[..., int]
) -> None:
    for _ in range(failures.MIN_ANSWERS):
        ask(alice, timezone.now(), random.Random(1))
    Generation.objects.update(state="failed")
    assert check_at_once(failures, "_begin", failures.check_failures) == 1
    Generation.objects.update(state="complete")
    assert check_at_once(failures, "_end", failures.check_failures) == 1
    assert len(told(administrator)) == 2
