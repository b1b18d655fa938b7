"""Staff searches return the newest hits first, however old or common the words are."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.search.messages import search_backend
from chat.conversations.search.position import EVERYBODY, LAST, message_at
from chat.conversations.search.query import parse


def found(text: str, before: int = LAST, count: int = 20) -> list[int]:
    with connection.cursor() as cursor:
        return list(search_backend().newest(cursor, parse(text), EVERYBODY, before, count))


@pytest.fixture
def messages(alice: User, bob: User) -> list[Message]:
    """Create messages of two members over five years, most of them recent; newest first."""
    choose = random.Random(11)
    chats = [Conversation.objects.create(owner=each) for each in (alice, bob)]
    messages = []
    for number in range(300):
        days = choose.random() * (4 if number % 3 else 1800)
        words = ["river"] + ["heron"] * (days > 2) + ["quokka"] * (number % 50 == 0)
        messages.append(
            Message(
                conversation=choose.choice(chats),
                role="user",
                text=" ".join([*words, f"seen {number}"]),
                created_at=timezone.now() - timedelta(days=days),
            )
        )
    Message.objects.bulk_create(messages)
    return sorted(Message.objects.all(), key=_place, reverse=True)


def _place(message: Message) -> tuple[int, int]:
    return int(message.created_at.timestamp()), message.pk


@pytest.mark.parametrize("walk", [3, 1000])
@pytest.mark.parametrize(
    "words", ["river ", "heron ", "quokka ", "river quokka ", '"heron quokka"', "her"]
)
def test_pages_from_newest_to_oldest_miss_and_repeat_nothing(
    messages: list[Message], words: str, walk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.conversations.search.postgres_lookup.MIN_SCAN_ROWS", walk)
    terms = words.replace('"', "").split()
    wanted = [each.pk for each in messages if all(term in each.text for term in terms)]
    pages, before = [], LAST
    while page := found(words, before, 7):
        pages += [message_at(place) for place in page]
        before = page[-1]
    assert pages == wanted


def test_an_empty_site_has_no_hits(alice: User) -> None:
    assert found("river ") == []


def test_a_message_dated_before_1970_is_found(messages: list[Message]) -> None:
    oldest = messages[0]
    Message.objects.filter(pk=oldest.pk).update(
        text="a dodo", created_at=datetime(1960, 1, 1, tzinfo=UTC)
    )
    assert [message_at(place) for place in found("dodo ")] == [oldest.pk]
