"""Members find their own messages by words, at once."""

import os
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.models import Conversation, Message, UnindexedMessage
from chat.conversations.search import long_messages, sqlite_index
from chat.conversations.search.messages import Cursor, FoundMessages, Order, find_messages
from chat.conversations.search.position import LONG_MESSAGE
from chat.conversations.search.query import parse
from chat.conversations.sizes.row_batches import MAX_BYTES
from chat.generations.deletion.soft_delete import delete
from chat.lib.words import words_of
from tests.support.variants import examples

pytestmark = pytest.mark.django_db
ON_POSTGRES = os.environ.get("DATABASE_URL", "").startswith("postgresql")


@pytest.fixture
def conversation(alice: User) -> Conversation:
    return turns.start_conversation(alice.pk)


def say(conversation: Conversation, *texts: str) -> list[Message]:
    return [conversation.messages.create(role=Message.Role.USER, text=text) for text in texts]


def search(
    user: User, query: str, order: Order = Order.NEWEST, at: Cursor | None = None
) -> FoundMessages:
    return find_messages(user.pk, parse(query), order, at or Cursor())


def found(user: User, query: str, order: Order = Order.NEWEST) -> list[str]:
    return [hit.message.text for hit in search(user, query, order).hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("river ", ["The river bends"]),
        ("BENDS the", ["The river bends"]),
        ("riv", ["Rivers", "The river bends"]),
        ('"river bends"', ["The river bends"]),
        ('"bends river"', []),
        ("cafe", ["Café Öl & Ärger"]),
        ("öl ÄRGER ", ["Café Öl & Ärger"]),
        ("京都", ["東京都の川"]),
        ("川", ["東京都の川"]),
        ("東京都の", ["東京都の川"]),
        ("京東", []),
        ("한국", ["한국에서 왔어요"]),
        ("احمد", ["قال أَحْمَد شيئا"]),
        ("example", ["mail bob@example.org, 3.14"]),
        ("3 14 ", ["mail bob@example.org, 3.14"]),
        ("%", []),
        ("' OR 1=1 --", []),
        ('"*:()^{} NEAR', []),
        ("\0", []),
        ("🙂", []),
        ("", []),
        ("x " * 5000, []),
    ],
)
def test_messages_are_found_by_their_words(
    conversation: Conversation, alice: User, query: str, expected: list[str]
) -> None:
    say(
        conversation,
        "The river bends",
        "Rivers",
        "Café Öl & Ärger",
        "東京都の川",
        "한국에서 왔어요",
        "قال أَحْمَد شيئا",
        "mail bob@example.org, 3.14",
    )
    for order in Order:
        assert sorted(found(alice, query, order)) == sorted(expected)


def test_newest_first_sorts_by_the_time_of_the_message(
    conversation: Conversation, alice: User
) -> None:
    now = timezone.now()
    for days, text in ((1, "river one"), (3, "river three"), (2, "river two"), (9000, "river old")):
        conversation.messages.create(role="user", text=text, created_at=now - timedelta(days=days))
    expected = ["river one", "river two", "river three", "river old"]
    assert found(alice, "river") == expected


def test_the_best_match_comes_first(conversation: Conversation, alice: User) -> None:
    say(conversation, "delta delta delta", f"one delta {'and much else ' * 50}", "nothing")
    say(conversation, *["nothing of it"] * 5)
    assert found(alice, "delta ", Order.BEST)[0] == "delta delta delta"


@pytest.mark.parametrize("order", Order)
def test_all_pages_together_contain_each_hit_once(
    conversation: Conversation, alice: User, order: Order
) -> None:
    texts = [f"river {number}" for number in range(45)]
    say(conversation, *texts)
    seen: list[str] = []
    cursor: Cursor | None = Cursor()
    while cursor:
        page = search(alice, "river ", order, cursor)
        assert len(page.hits) <= 20
        seen += [hit.message.text for hit in page.hits]
        say(conversation, "river said meanwhile")
        cursor = page.next
    assert sorted(seen) == sorted(texts)


def test_with_many_hits_only_the_newest_are_ranked_and_the_page_says_so(
    conversation: Conversation, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.conversations.search.messages.MAX_RANKED", 30)
    say(conversation, "river river river", *[f"a river {number}" for number in range(30)])
    page = search(alice, "river ", Order.BEST)
    assert page.is_cut
    assert page.next
    last = search(alice, "river ", Order.BEST, page.next)
    assert (last.next, len(last.hits)) == (None, 10)
    assert "river river river" not in [hit.message.text for hit in page.hits + last.hits]


def test_hits_among_old_messages_are_found(
    conversation: Conversation, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.conversations.search.postgres_lookup.MIN_SCAN_ROWS", 10)
    monkeypatch.setattr("chat.conversations.search.postgres.STRETCHES", (100, 30))
    say(conversation, "an old quokka", "a second quokka", *["nothing"] * 20, "a third quokka")
    say(conversation, *["nothing"] * 120)
    for order in Order:
        texts = found(alice, "quokka", order)
        assert texts == ["a third quokka", "a second quokka", "an old quokka"]
    say(conversation, *["a new quokka"] * 19)
    assert found(alice, "quokka") == ["a new quokka"] * 19 + ["a third quokka"]


def test_an_edited_message_is_found_by_its_new_words(
    conversation: Conversation, alice: User
) -> None:
    (message,) = say(conversation, "")
    assert found(alice, "otter") == []
    Message.objects.filter(pk=message.pk).update(text="an otter", reasoning="and a badger")
    assert found(alice, "otter") == ["an otter"]
    assert found(alice, "badger") == []
    Message.objects.filter(pk=message.pk).update(text="a seal")
    assert found(alice, "otter") == []
    message.refresh_from_db()
    message.created_at = datetime(1960, 1, 1, tzinfo=UTC)
    message.save()
    assert found(alice, "seal") == ["a seal"]


def test_messages_stored_in_bulk_are_found(conversation: Conversation, alice: User) -> None:
    Message.objects.bulk_create(
        Message(conversation=conversation, role="user", text=text) for text in ("river", "delta")
    )
    assert found(alice, "delta") == ["delta"]


def test_a_deleted_message_is_no_longer_found(conversation: Conversation, alice: User) -> None:
    kept = turns.start_conversation(alice.pk)
    say(kept, "a river that stays")
    say(conversation, "a river", "another river")
    delete(conversation)
    assert found(alice, "river") == ["a river that stays"]
    alice.delete()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM chat_search")
        assert cursor.fetchone() == (0,)


def test_another_members_messages_are_not_found(
    conversation: Conversation, alice: User, bob: User
) -> None:
    say(conversation, "a sentinel river")
    say(turns.start_conversation(bob.pk), "a plain river")
    for order in Order:
        assert found(alice, "river", order) == ["a sentinel river"]
        assert found(bob, "river", order) == ["a plain river"]
        for query in ("sentinel", f"{alice.pk}_sentinel", f'"{alice.pk} sentinel"', "sent", "*"):
            assert found(bob, query, order) == []


def test_a_message_with_very_many_words_is_stored_and_found(
    conversation: Conversation, alice: User
) -> None:
    words = " ".join(f"word{number}" for number in range(130_000))
    say(conversation, words)
    assert not search(alice, "word77 ").hits  # not yet: nobody waits while its words are found
    assert long_messages.index_next()
    assert search(alice, "word77 ").hits
    assert search(alice, '"word77 word78"').hits
    assert not long_messages.index_next()


def test_a_long_message_deleted_or_changed_before_indexing_is_not_found(
    conversation: Conversation, alice: User
) -> None:
    long = "river " * (LONG_MESSAGE // 5)
    gone, changed, kept = say(conversation, long, long, long)
    gone.delete()
    Message.objects.filter(pk=changed.pk).update(text="short")
    while long_messages.index_next():
        pass
    assert [hit.message.pk for hit in search(alice, "river ").hits] == [kept.pk]
    Message.objects.filter(pk=kept.pk).update(text="")
    assert search(alice, "river ").hits == []
    assert [hit.message.pk for hit in search(alice, "short ").hits] == [changed.pk]


def test_only_the_beginning_of_a_very_long_message_is_indexed(
    conversation: Conversation, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise one message could lock the database for long."""
    monkeypatch.setattr(sqlite_index, "INDEXED_WORDS", LONG_MESSAGE)
    say(conversation, "first " + "river " * LONG_MESSAGE + "last ")
    while long_messages.index_next():
        pass
    assert search(alice, '"first river"').hits
    assert bool(search(alice, "last ").hits) == ON_POSTGRES  # there all of its words are few


@pytest.mark.skipif(ON_POSTGRES, reason="there the message is locked meanwhile")
def test_a_message_that_changes_owner_while_it_is_indexed_stays_queued(
    conversation: Conversation, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(conversation, "river")
    long_messages.reindex(alice.pk)
    words_by_owner = sqlite_index._words

    def hand_over_meanwhile(owner_id: int, text: str) -> str:
        long_messages.reindex(alice.pk)
        Conversation.objects.update(owner=bob)
        return words_by_owner(owner_id, text)

    with monkeypatch.context() as patch:
        patch.setattr(sqlite_index, "_words", hand_over_meanwhile)
        assert long_messages.index_next()
    assert found(bob, "river ") == []
    assert long_messages.index_next()
    assert found(bob, "river ") == ["river"]
    assert not long_messages.index_next()


def test_waiting_messages_are_indexed_in_batches(conversation: Conversation, alice: User) -> None:
    say(conversation, *["river " * (MAX_BYTES // 12)] * 3)
    long_messages.reindex(alice.pk)
    waiting = []
    while long_messages.index_next():
        waiting.append(UnindexedMessage.objects.count())
    assert waiting == [1, 0]


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=80))
def test_every_word_of_a_message_finds_it(
    conversation: Conversation, alice: User, text: str
) -> None:
    (message,) = say(conversation, text)
    for written in [*text.split(), text]:
        query = parse(written)
        if query:
            hits = find_messages(alice.pk, query, Order.NEWEST).hits
            assert message.pk in {hit.message.pk for hit in hits}, written
    message.delete()


@pytest.mark.skipif(not ON_POSTGRES, reason="SQLite calls the function of Python")
@settings(
    max_examples=examples(300),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.text(st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="\0")))
@example("river" + "\u0315\u0300" * 100_000 + "bank \u093c\u0315\u093c")
def test_postgres_splits_words_like_python(db: None, text: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM chat_search_words(%s)", [text])
        assert [word for (word,) in cursor.fetchall()] == words_of(text)
