"""`manage.py prune` does at once what the server processes do bit by bit."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from chat.accounts.models import Invitation, User
from chat.accounts.sessions import expired_sessions
from chat.accounts.sessions.session_store import SessionStore, UserSession
from chat.conversations.models import Conversation, Message, UnindexedMessage
from chat.conversations.search.position import LONG_MESSAGE
from chat.generations.models import Generation, LogPage
from chat.generations.process import server_process
from chat.review.models import AccessLogEntry, AuditSeal
from chat.widget_sites.models import UsedIdentity, WidgetSite
from tests.support.database.database_faults import HOW, NO_WRITES

PAST = timezone.now() - timedelta(days=100)


def pruned() -> str:
    said = StringIO()
    call_command("prune", stdout=said)
    return said.getvalue()


def chat_of(owner: User, **facts: Any) -> Conversation:
    chat = Conversation.objects.create(owner=owner, title="Chat", **facts)
    chat.messages.create(role="user", text="Hello")
    return chat


def add_ended_answer(chat: Conversation) -> Generation:
    answer = chat.messages.create(role="assistant", text="Hi")
    ended = {"state": "complete", "ended_at": PAST, "model": "m"}
    keys = {"send_key": str(answer.pk), "send_digest": "x"}
    generation = Generation.objects.create(owner=chat.owner, message=answer, **ended, **keys)
    page = {"first_seq": 1, "last_seq": 2, "frames": b"x", "written_at": PAST}
    LogPage.objects.create(generation=generation, **page)
    return generation


def test_everything_that_is_due_goes_and_the_rest_stays(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expired_sessions, "AT_ONCE", 2)
    kept = chat_of(alice)
    add_ended_answer(kept)
    kept.messages.create(role="user", text="deleted", deleted_at=PAST)
    long_text = kept.messages.create(role="user", text="long " * LONG_MESSAGE)
    chat_of(alice, purge_after=PAST)
    User.objects.filter(pk=bob.pk).update(closed_at=PAST, is_active=False)
    chat_of(bob)
    for _ in range(5):
        SessionStore().create()
    UserSession.objects.update(expire_date=PAST)
    Invitation.objects.create(email="x@example.org", digest="x", expires_at=PAST)
    site = WidgetSite.objects.create(owner=alice, name="Shop", origins=[])
    UsedIdentity.objects.create(site=site, jti="x", expires_at=PAST)
    AccessLogEntry.objects.create(at=PAST, reader=1, owner=2, kind="read", reason="why")
    assert UnindexedMessage.objects.filter(message=long_text).exists()

    said = pruned()

    assert list(Conversation.all_objects.all()) == [kept]
    assert sorted(Message.objects.values_list("text", flat=True))[:2] == ["Hello", "Hi"]
    assert Message.objects.count() == 3
    for model in (LogPage, UserSession, Invitation, UsedIdentity, UnindexedMessage):
        assert not model.objects.exists(), model
    assert not User.all_objects.filter(pk=bob.pk).exists()
    assert AuditSeal.objects.count() >= 99
    assert "5  chat_usersession" in said
    assert "Deleted " in said
    assert pruned() == "Deleted 0 rows.\n"


def test_hooks_of_all_packages_run_until_nothing_is_left(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []
    left = iter([True, True, False, False])
    monkeypatch.setattr(server_process, "periodic_tasks", [lambda: called.append("task")])
    monkeypatch.setattr(server_process, "background_jobs", [lambda: next(left)])
    pruned()
    assert called == ["task"]
    assert next(left, None) is False


@pytest.mark.parametrize("how", HOW)
def test_a_database_that_takes_no_writes_is_told(transactional_db: None, how: str) -> None:
    with NO_WRITES[how]():
        with pytest.raises(CommandError, match="The database is unavailable"):
            pruned()
