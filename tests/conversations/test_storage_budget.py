"""A member's storage is added up now and then, and yet never exceeded."""

import time

import pytest
from pytest_django import Settings

from chat.conversations.errors import StorageFull
from chat.conversations.sizes import storage

MOST, PROCESSES = 10_000_000, 8


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> list[int]:
    """What a member has stored, and how often that was added up."""
    settings.MAX_MEMBER_BYTES = MOST
    state = [0, 0]

    def add_up(_user_id: int, _most: int | None = None) -> int:
        state[1] += 1
        return state[0]

    monkeypatch.setattr(storage, "used_bytes", add_up)
    return state


def test_with_much_room_it_is_added_up_once(used: list[int]) -> None:
    for _ in range(20):
        storage.require_storage(1, 1000)
    assert used[1] == 1
    storage.require_storage(2, 1000)
    assert used[1] == 2


def test_with_little_room_each_time(used: list[int]) -> None:
    used[0] = MOST - 20_000
    for _ in range(5):
        storage.require_storage(1, 1000)
    assert used[1] == 5


def test_many_processes_together_do_not_exceed_it(used: list[int]) -> None:
    """Each has a budget of its own, none sees the others' until it adds up again."""
    budgets: list[dict[int, tuple[int, int, float]]] = [{} for _ in range(PROCESSES)]
    for turn in range(100_000):
        storage._budgets.clear()
        storage._budgets.update(budgets[turn % PROCESSES])
        try:
            storage.require_storage(1, 5000)
        except StorageFull:
            break
        used[0] += 5000 + storage.CONVERSATION_BYTES
        budgets[turn % PROCESSES] = dict(storage._budgets)
    assert MOST - 100_000 < used[0] <= MOST + storage.CONVERSATION_BYTES


def test_a_new_limit_counts_at_once(used: list[int], settings: Settings) -> None:
    storage.require_storage(1, 1000)
    used[0], settings.MAX_MEMBER_BYTES = 5000, 5000
    with pytest.raises(StorageFull):
        storage.require_storage(1, 1000)


def test_a_budget_is_forgotten_after_a_while(
    used: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    storage.require_storage(1, 1000)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + storage.BUDGET_SECONDS + 1)
    storage.require_storage(1, 1000)
    assert used[1] == 2
