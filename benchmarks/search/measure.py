"""Measure the site's own code, from the query to the results."""

import time
from collections.abc import Callable
from datetime import timedelta
from itertools import product
from statistics import median
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from benchmarks.search.data import ABSENT, COMMON, FOREIGN, FREQUENT, OLD, RARE
from chat.conversations.models import Conversation, Message
from chat.conversations.search.messages import FoundMessages, Order, find_messages
from chat.conversations.search.query import parse

NEWEST_MS, BEST_MS = 50, 200
QUERIES = {
    "in nearly all messages": f"{COMMON} ",
    "in every third": f"{FREQUENT} ",
    "in five of them": f"{RARE} ",
    "nowhere": f"{ABSENT} ",
    "in all of others, none of one's own": f"{FOREIGN} ",
    "two common words": f"{COMMON} {FREQUENT} ",
    "a beginning, while typing": FREQUENT[:3],
    "common in old ones only": f"{OLD} ",
    "common words in quotes": f'"{COMMON} {FREQUENT}"',
}
# Reported, but without a limit.
WITHOUT_LIMIT = {"common in old ones only", "common words in quotes"}
KEPT = 2000


def searching(user_id: int, repeats: int) -> int:
    """Print the duration of a results page; return 1 if it is above the limit for any query."""
    own = Message.objects.filter(conversation__owner=user_id).count()
    print(f"\nA page of 20 among {own:,} own messages, in ms: median, slowest of {repeats}")
    passed = []
    for (name, text), order in product(QUERIES.items(), Order):
        found, times = _timed(lambda text=text, order=order: _search(user_id, text, order), repeats)
        limit = NEWEST_MS if order is Order.NEWEST else BEST_MS
        is_judged = name not in WITHOUT_LIMIT
        verdict = "" if not is_judged else "ok" if median(times) <= limit else "TOO LONG"
        if verdict == "TOO LONG":
            passed.append(f"{name}, {order}")
        count = f"{len(found.hits):3} hits"
        print(f"  {name:38}{order:8}{median(times):8.1f}{max(times):8.1f}  {count}  {verdict}")
    print("Passed: " + "; ".join(passed) if passed else "Within all limits.", flush=True)
    return 1 if passed else 0


def _search(user_id: int, text: str, order: Order) -> FoundMessages:
    connection.close()  # each request opens its own
    connection.ensure_connection()
    return find_messages(user_id, parse(text), order)


def keeping(user_id: int) -> None:
    """Print the cost of an insertion with and without the index."""
    conversation = Conversation.objects.filter(owner=user_id).first()
    texts = list(Message.objects.order_by("id").values_list("text", flat=True)[:KEPT])
    length = sum(map(len, texts)) / len(texts)
    with_index = _insert(conversation, texts)
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in _without_index():
            cursor.execute(statement)
        without = _insert(conversation, texts)
        transaction.set_rollback(True)
    print(
        f"storing a message of {length:.0f} characters: {with_index:.3f} ms, "
        f"without the index {without:.3f} ms",
        flush=True,
    )


def _without_index() -> list[str]:
    if connection.vendor == "postgresql":
        return ["ALTER TABLE chat_message DISABLE TRIGGER USER"]
    return ["DROP TRIGGER chat_search_insert"]


def _insert(conversation: Conversation | None, texts: list[str]) -> float:
    """Return the milliseconds per insertion; everything is rolled back."""
    assert conversation
    with transaction.atomic():
        started = time.perf_counter()
        for number, text in enumerate(texts):
            said_at = timezone.now() + timedelta(microseconds=number)
            Message.objects.create(
                conversation=conversation, role="user", text=text, created_at=said_at
            )
        seconds = time.perf_counter() - started
        transaction.set_rollback(True)
    return seconds * 1000 / len(texts)


def _timed(work: Callable[[], Any], repeats: int) -> tuple[Any, list[float]]:
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        found = work()
        times.append((time.perf_counter() - started) * 1000)
    return found, times
