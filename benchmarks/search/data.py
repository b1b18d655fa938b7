"""Build a large site.

Word frequencies are those of a language: the second word is half as frequent as the first, and so
on. A few words are planted.
"""

import random
import string
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import accumulate, islice
from typing import Any

from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.search import postgres_index, sqlite_index

SEED = 7
MEMBERS = 50
OWN_SHARE = 0.1
PER_CONVERSATION = 20
LENGTHS = (12, 130)  # words of a question, of an answer
TEXTS = 20_000  # distinct ones
AT_ONCE = 5000

COMMON, FREQUENT = "the", "river"  # in nearly every message; in every third
# In five; only in other members' messages; in none.
RARE, FOREIGN, ABSENT = "quokka", "wombat", "okapi"
OLD = "narwhal"  # in all but the newest 5 %


def build(count: int) -> int:
    """Create that many messages; return the ID of the member who owns a tenth and will search."""
    call_command("migrate", verbosity=0)
    members = [
        User.objects.create(email=f"member-{number}@example.org").pk for number in range(MEMBERS)
    ]
    rows = _rows(random.Random(SEED), members, count)
    with connection.cursor() as cursor:
        with indexed_afterwards(cursor, count):
            while some := list(islice(rows, AT_ONCE)):
                Message.objects.bulk_create(some)
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM ANALYZE")
    return members[0]


@contextmanager
def indexed_afterwards(cursor: Any, count: int) -> Iterator[None]:
    """Make messages without the search index, which is much faster to fill at once."""
    is_sqlite = connection.vendor == "sqlite"
    if is_sqlite:
        sqlite_index.drop_triggers(cursor)
    else:
        _switch_triggers(cursor, "DISABLE")
    with timed(f"\n{connection.vendor}: {count:,} messages are made", count):
        yield
    with timed("the index of all of them is made", count), transaction.atomic():
        if is_sqlite:
            sqlite_index.repair(cursor)
            sqlite_index.make_triggers(cursor)
        else:
            postgres_index.refill(cursor)
            _switch_triggers(cursor, "ENABLE")


def _switch_triggers(cursor: Any, verb: str) -> None:
    cursor.execute(f"ALTER TABLE chat_message {verb} TRIGGER chat_search_insert_delete")


@contextmanager
def timed(what: str, count: int) -> Iterator[None]:
    started = time.perf_counter()
    yield
    seconds = time.perf_counter() - started
    print(f"{what} in {seconds:.0f} s, {count / seconds:,.0f} a second", flush=True)


def _rows(choose: random.Random, members: list[int], count: int) -> Iterator[Message]:
    """Yield messages of Alice (the first member) and the others, oldest first."""
    texts = list(texts_of(choose))
    conversations = {member: _conversations(member, count) for member in members}
    first, *others = members
    now = timezone.now()
    rare = {int(count * share) for share in (0.1, 0.3, 0.5, 0.7, 0.9)}
    for number in range(count):
        is_own = number in rare or choose.random() < OWN_SHARE
        planted = "" if is_own else FOREIGN
        if is_own and number < count * 0.95:
            planted = OLD
        if number in rare:
            planted += f" {RARE}"
        owner = first if is_own else choose.choice(others)
        yield Message(
            conversation=choose.choice(conversations[owner]),
            role=Message.Role.USER,
            text=f"{choose.choice(texts)} {planted}",
            created_at=now - timedelta(seconds=count - number),
        )


def _conversations(member: int, count: int) -> list[Conversation]:
    return Conversation.objects.bulk_create(
        Conversation(owner_id=member, title=f"Chat {number}")
        for number in range(max(1, count // MEMBERS // PER_CONVERSATION))
    )


def texts_of(choose: random.Random) -> Iterator[str]:
    words = [COMMON, "and", "of", FREQUENT]
    letters = string.ascii_lowercase
    words += ["".join(choose.choices(letters, k=choose.randint(3, 10))) for _ in range(30_000)]
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    for _ in range(TEXTS):
        yield " ".join(choose.choices(words, cum_weights=weights, k=choose.choice(LENGTHS)))
