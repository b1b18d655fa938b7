"""Expensive searches end at a time limit, and the database keeps working."""

import itertools
import os
from typing import Any

import pytest
from django.db import connection

from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.errors import SearchTooLong
from chat.conversations.models import Message
from chat.conversations.search import long_messages, sqlite_index, time_limit
from chat.conversations.search.messages import Order, find_messages
from chat.conversations.search.query import MAX_WORDS_IN_TERM, parse
from chat.review.search.conversation_search import ConversationFacets
from chat.review.search.conversation_search import search as search_of_all
from chat.review.staff.roles import Reviewer, Role

ON_POSTGRES = os.environ.get("DATABASE_URL", "").startswith("postgres")
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
MANY = ENDLESS.replace("FROM n)", "FROM n WHERE i < 100000)")


def run(statement: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        (count,) = cursor.fetchone()
    return int(count)


@pytest.mark.django_db(transaction=True)
def test_an_endless_statement_is_stopped_and_the_next_has_its_full_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time_limit, "SEARCH_SECONDS", 0.05)
    with pytest.raises(SearchTooLong), time_limit.time_limit():
        run(ENDLESS)
    assert run(MANY) == 100_000


def statement_timeout() -> Any:
    """Return PostgreSQL's limit for a statement; SQLite has none."""
    if not ON_POSTGRES:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return cursor.fetchone()


@pytest.mark.django_db(transaction=True)
def test_statements_after_a_search_have_the_usual_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = statement_timeout()
    monkeypatch.setattr(time_limit, "SEARCH_SECONDS", 60)
    with time_limit.time_limit() as deadline:
        assert run("SELECT 1") == 1
    monkeypatch.setattr(deadline, "_ends_at", 0.0)
    assert run(MANY) == 100_000
    assert statement_timeout() == usual


@pytest.mark.skipif(ON_POSTGRES, reason="PostgreSQL stops inside a statement by itself")
@pytest.mark.django_db
@pytest.mark.parametrize("order", Order)
def test_the_limit_applies_inside_a_single_message(
    alice: User, monkeypatch: pytest.MonkeyPatch, order: Order
) -> None:
    monkeypatch.setattr(sqlite_index, "INDEXED_WORDS", 200_000)
    chat = turns.start_conversation(alice.pk)
    chat.messages.create(role=Message.Role.USER, text="a " * 100_000 + "c b")
    while long_messages.index_next():
        pass
    ticks = itertools.count()
    with monkeypatch.context() as patch:  # a clock that each look moves on by a second
        patch.setattr(time_limit.time, "monotonic", lambda: float(next(ticks)))
        with pytest.raises(SearchTooLong):
            find_messages(alice.pk, parse('"a a a a a a a b" c '), order)
    assert find_messages(alice.pk, parse('"a c b"'), order).hits


@pytest.mark.django_db
def test_the_limit_applies_to_making_snippets(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = turns.start_conversation(alice.pk)
    chat.messages.create(role=Message.Role.USER, text="river")
    monkeypatch.setattr(time_limit, "SEARCH_SECONDS", 0)
    with pytest.raises(SearchTooLong):
        find_messages(alice.pk, parse("river "), Order.NEWEST)


@pytest.mark.django_db
def test_a_staff_search_has_the_same_limit(rita: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "chat.review.search.conversation_search._places",
        lambda *_: run(ENDLESS) and pytest.fail("it ended"),
    )
    monkeypatch.setattr(time_limit, "SEARCH_SECONDS", 0.05)
    with pytest.raises(SearchTooLong):
        search_of_all(
            Reviewer(rita.pk, Role.ADMINISTRATOR, None), parse("river "), ConversationFacets()
        )


@pytest.mark.parametrize("words", [["a"] * 96 + ["b"], [f"w{n}" for n in range(20)]])
def test_a_long_phrase_is_searched_in_parts(words: list[str]) -> None:
    terms = parse(f'"{" ".join(words)}"').terms
    assert max(len(term.words) for term in terms) == MAX_WORDS_IN_TERM
    wanted = {word for word in words if word in set(" ".join(words)[:199].split())}
    assert {word for term in terms for word in term.words} == wanted


@pytest.mark.django_db
def test_a_long_text_without_spaces_is_found(alice: User) -> None:
    chat = turns.start_conversation(alice.pk)
    text = "吾輩は猫である名前はまだ無いどこで生れたかとんと見当がつかぬ"
    chat.messages.create(role=Message.Role.USER, text=f"{text}。")
    for end in range(1, len(text) + 1):
        assert find_messages(alice.pk, parse(text[:end]), Order.NEWEST).hits, end
    assert not find_messages(alice.pk, parse(text[:20] + "犬"), Order.NEWEST).hits
