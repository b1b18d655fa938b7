"""Build a site of 5,000 people. Word frequencies are those of a language; models vary."""

import random
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count, islice
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from benchmarks.search.data import ABSENT, texts_of, timed
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.search import sqlite_index
from chat.conversations.search.messages import search_backend
from chat.generations.models import Generation
from chat.review import triggers
from chat.review.analytics import rollup
from chat.review.case_models import Case, Flag, Rule
from chat.review.models import ReviewScope

SEED = 7
PEOPLE = 5000
PUPILS = 150
PER_CONVERSATION = 10
FLAGGED = 0.05
AT_ONCE = 5000
MODELS = ("@cf/meta/llama-3.3-70b-instruct-fp8-fast", "@cf/openai/gpt-oss-20b")
OLD_MODEL, RARE_MODEL = "@cf/gone/old-model", "@cf/rare/model"
OLD, RARE = "narwhal", "quokka"  # in all but the newest 5 %; in five chats
STATES = (["complete"] * 94) + (["stopped"] * 4) + ["interrupted", "failed"]
MESSAGE = """
INSERT INTO chat_message (id, conversation_id, parent_id, role, text, reasoning, created_at)
VALUES (%s, %s, %s, %s, %s, '', %s)
"""
GENERATION = """
INSERT INTO chat_generation (
    id, owner_id, message_id, state, send_key, send_digest, base_length, model, omitted_messages,
    stop_requested, last_seen_at, started_at, ended_at, length, last_seq, finish_reason, error_code,
    error_message, error_retryable, total_tokens, cost_usd, gateway_log_id, gateway_cache_status,
    first_token_milliseconds, milliseconds, completion_tokens
) VALUES (
    %s, %s, %s, %s, %s, '', 0, %s, 0, %s, %s, %s, %s, 0, 0, '', %s, '', %s, 200, %s, '', '',
    %s, %s, 150
)
"""
CHARGE = """
INSERT INTO chat_charge (
    id, user_id, keys, model, is_temporary, prompt_tokens, created_at, settled_at, tokens,
    millineurons, microdollars
) VALUES (%s, %s, %s, %s, %s, 50, %s, %s, 200, 1000, %s)
"""


def build(messages: int) -> User:
    """Create that many messages; return a lead reviewer who may see everyone."""
    call_command("migrate", verbosity=0)
    choose = random.Random(SEED)
    people = User.objects.bulk_create(
        User(email=f"person-{number}@example.org", name=f"Person {number}")
        for number in range(PEOPLE)
    )
    group = Group.objects.create(name="Pupils")
    for each in choose.sample(people, PUPILS):
        each.groups.add(group)
    with connection.cursor() as cursor:
        search_backend().drop(cursor)
        triggers.drop(cursor, connection.vendor)
        triggers.drop_for_cases(cursor, connection.vendor)
        with timed(f"\n{connection.vendor}: {messages:,} messages are made", messages):
            _store(cursor, _rows(choose, people, messages))
        cursor.execute("ANALYZE")  # as the database does by itself eventually
        with timed("indexes and facts of all of them are made", messages), transaction.atomic():
            _reset_ids(cursor)
            search_backend().make(cursor)
            triggers.fill(cursor, connection.vendor)
            triggers.make(cursor, connection.vendor)
            triggers.make_for_cases(cursor, connection.vendor)
            _flag(choose)
            if connection.vendor == "sqlite":
                sqlite_index.make_triggers(cursor)
    with timed("all days are counted", messages):
        rollup.close_days(3600)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    lead = User.objects.create(email="lead@example.org")
    lead.user_permissions.add(Permission.objects.get(codename="lead_review"))
    ReviewScope.objects.create(reviewer=lead)
    return lead


def _flag(choose: random.Random) -> None:
    """Put one chat in twenty into the queue, open or resolved: a report and maybe a rule's flag."""
    rule = Rule.objects.create(name="A rule", kind=Rule.Kind.WORDS, text=ABSENT, is_enabled=False)
    chats = Conversation.objects.values_list("pk", flat=True)
    cases = Case.objects.bulk_create(
        Case(
            conversation_id=chat,
            state=choose.choice((1, 1, 2, 3, 3, 3)),
            severity=choose.choice((1, 2, 3)),
        )
        for chat in chats.iterator()
        if choose.random() < FLAGGED
    )
    Flag.objects.bulk_create(
        Flag(case=each, source=source, rule=rule if source == Flag.Source.RULE else None)
        for each in cases
        for source in (Flag.Source.REPORT, Flag.Source.RULE)[: choose.choice((1, 2))]
    )


def _reset_ids(cursor: Any) -> None:
    if connection.vendor == "postgresql":
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence('chat_message', 'id'), max(id)) FROM chat_message"
        )


def _store(
    cursor: Any, rows: Iterator[tuple[Conversation, list[Any], list[Any], list[Any]]]
) -> None:
    while some := list(islice(rows, AT_ONCE // PER_CONVERSATION)):
        with transaction.atomic():
            Conversation.objects.bulk_create(each[0] for each in some)
            cursor.executemany(MESSAGE, [row for each in some for row in each[1]])
            cursor.executemany(GENERATION, [row for each in some for row in each[2]])
            cursor.executemany(CHARGE, [row for each in some for row in each[3]])


def _rows(
    choose: random.Random, people: list[User], messages: int
) -> Iterator[tuple[Conversation, list[Any], list[Any], list[Any]]]:
    texts = list(texts_of(choose))
    ids, now = count(1), timezone.now()
    chats = messages // PER_CONVERSATION
    rare = {chats * share // 10 for share in (1, 3, 5, 7, 9)}
    for number in range(chats):
        at = now - timedelta(minutes=chats - number)
        owner = choose.choice(people)
        is_old = number < chats * 0.95
        chat = Conversation(
            owner=owner, title=choose.choice(texts)[:60], created_at=at, updated_at=at
        )
        words = (OLD if is_old else "") + (f" {RARE}" if number in rare else "")
        model = RARE_MODEL if number in rare else choose.choice(MODELS)
        if is_old and number % 3 == 0:
            model = OLD_MODEL
        yield chat, *_talk(choose, chat, ids, texts, words, model, at)


def _talk(
    choose: random.Random, chat: Conversation, ids: Iterator[int], texts: list[str], words: str,
    model: str, at: datetime,
) -> tuple[list[Any], list[Any], list[Any]]:  # fmt: skip
    def moment(value: datetime) -> Any:
        return connection.ops.adapt_datetimefield_value(value)

    key = Conversation._meta.pk.get_db_prep_value(chat.pk, connection)
    said, made, paid, parent = [], [], [], None
    for number in range(PER_CONVERSATION):
        own = next(ids)
        role = "assistant" if number % 2 else "user"
        said.append((own, key, parent, role, f"{choose.choice(texts)} {words}", moment(at)))
        parent = own
        if role == "assistant":
            one = Generation._meta.pk.get_db_prep_value(
                uuid.UUID(int=choose.getrandbits(128)), connection
            )
            state, cost = choose.choice(STATES), choose.random() / 1000
            wait = int(choose.lognormvariate(6.5, 0.7))
            made.append(
                (one, chat.owner_id, own, state, str(own), model, False,
                 moment(at), moment(at), moment(at), "x" if state == "failed" else "", False, cost,
                 wait, wait + choose.randrange(500, 9000))
            )  # fmt: skip
            keys = f'["everyone", "user:{chat.owner_id}"]'
            paid.append(
                (one, chat.owner_id, keys, model, False, moment(at), moment(at), int(cost * 1e6))
            )
    return said, made, paid
