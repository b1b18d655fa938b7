"""A row that can't be deleted never keeps others from being deleted, and is reported."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import models
from django.utils import timezone

from chat.accounts.models import Invitation, User
from chat.accounts.sessions.session_store import SessionStore, UserSession
from chat.conversations.images.models import StoredImage
from chat.conversations.models import Conversation, Message
from chat.database import housekeeping, threads
from chat.generations.deletion.soft_delete import delete_account, delete_site
from chat.generations.models import Generation, LogPage
from chat.generations.process import server_process, workers
from chat.lib import metrics
from chat.widget_sites import visitors
from chat.widget_sites.models import UsedIdentity, VisitorToken, WidgetSite
from tests.support.database.undeletable import undeletable
from tests.support.generations.purge import sweep

PAST = timezone.now() - timedelta(days=100)


def prune() -> str:
    """Run `manage.py prune`; return its error."""
    try:
        call_command("prune", stdout=StringIO())
    except CommandError as error:
        return str(error)
    return ""


def chat_of(owner: User, **facts: Any) -> Conversation:
    chat = Conversation.objects.create(owner=owner, **facts)
    chat.messages.create(role="user", text="Hello")
    return chat


def test_a_chat_that_cannot_be_purged_does_not_stop_chats_websites_and_accounts(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    stuck = chat_of(alice, purge_after=PAST - timedelta(days=1))  # the first in the queue
    chat_of(alice, purge_after=PAST)
    site = WidgetSite.objects.create(owner=alice, name="Shop")
    chat_of(visitors.make(site).user)
    delete_site(site)
    chat_of(bob)
    delete_account(bob)
    with undeletable(stuck.messages.get()):
        sweep()
        assert list(Conversation.all_objects.all()) == [stuck]
        assert not WidgetSite.all_objects.exists()
        assert list(User.all_objects.all()) == [alice]
        assert housekeeping.failing() == {"chat_conversation": 1}
        sweep()
    assert metrics.housekeeping_failing.collect()[0].samples[0].value == 1
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(errors) == 1  # not again while it pauses
    assert f"chat_conversation {stuck.pk} failed" in errors[0].getMessage()
    assert "this row stays" in errors[0].getMessage()


def test_what_failed_is_tried_again_later_and_then_forgotten(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(housekeeping, "_clock", lambda: now)
    stuck = chat_of(alice, purge_after=PAST)
    with undeletable(stuck):
        for pause in (60, 120, 240):
            sweep()
            assert housekeeping.left_out("chat_conversation") == [stuck.pk]
            now += pause - 1
            assert housekeeping.left_out("chat_conversation") == [stuck.pk]
            now += 1
            assert housekeeping.left_out("chat_conversation") == []
    sweep()
    assert not Conversation.all_objects.exists()
    assert housekeeping.failing() == {}


def test_an_account_and_a_website_that_cannot_be_deleted_do_not_stop_others(
    alice: User, bob: User
) -> None:
    stuck_site, site = (WidgetSite.objects.create(owner=bob, name=name) for name in ("A", "B"))
    rita = User.objects.create_user("rita@example.org")
    delete_site(stuck_site)
    delete_site(site)
    delete_account(alice)
    delete_account(rita)
    with undeletable(stuck_site, alice):
        sweep()
        assert set(User.all_objects.all()) == {alice, bob}
        assert list(WidgetSite.all_objects.all()) == [stuck_site]
        assert "1 of chat_user, 1 of chat_widgetsite" in prune()
    assert prune() == ""
    assert list(User.all_objects.all()) == [bob]


def test_an_image_that_cannot_be_deleted_does_not_keep_its_chat(alice: User) -> None:
    chat = chat_of(alice, purge_after=PAST)
    facts = {"owner": alice, "kind": "png", "width": 1, "height": 1, "size_bytes": 1}
    stuck, other = (
        StoredImage.objects.create(digest=each, content=b"x", unsent_since=None, **facts)
        for each in "ab"
    )
    for image in (stuck, other):
        image.uses.create(message=chat.messages.get())
    with undeletable(stuck):
        sweep()
        assert not Conversation.all_objects.exists()
        assert list(StoredImage.objects.all()) == [stuck]
        assert "1 of chat_storedimage" in prune()
    assert prune() == ""
    assert not StoredImage.objects.exists()


def sessions(alice: User) -> list[UserSession]:
    for _ in range(3):
        SessionStore().create()
    UserSession.objects.update(expire_date=PAST)
    return list(UserSession.objects.all())


def invitations(alice: User) -> list[Invitation]:
    return [Invitation.objects.create(email=x, digest=x, expires_at=PAST) for x in "abc"]


def deleted_messages(alice: User) -> list[Message]:
    chat = Conversation.objects.create(owner=alice)
    return [chat.messages.create(role="user", text=x, deleted_at=PAST) for x in "abc"]


def log_pages(alice: User) -> list[LogPage]:
    answer = Conversation.objects.create(owner=alice).messages.create(role="assistant")
    generation = Generation.objects.create(
        owner=alice, message=answer, state="complete", ended_at=PAST, send_key="k"
    )
    page = {"frames": b"x", "written_at": PAST, "generation": generation}
    return [LogPage.objects.create(first_seq=x, last_seq=x, **page) for x in (1, 2, 3)]


def used_identities(alice: User) -> list[UsedIdentity]:
    site = WidgetSite.objects.create(owner=alice, name="Shop")
    return [UsedIdentity.objects.create(site=site, jti=x, expires_at=PAST) for x in "abc"]


def visitor_tokens(alice: User) -> list[VisitorToken]:
    visitor = visitors.make(WidgetSite.objects.create(owner=alice, name="Shop"))
    facts = {"visitor": visitor, "kind": VisitorToken.Kind.COOKIE, "expires_at": PAST}
    return [VisitorToken.objects.create(digest=x, **facts) for x in "abc"]


def idle_visitors(alice: User) -> list[User]:
    site = WidgetSite.objects.create(owner=alice, name="Shop")
    made = [visitors.make(site) for _ in range(3)]
    site.visitors.update(last_seen_at=PAST)
    return [each.user for each in made]


@pytest.mark.parametrize(
    "make",
    [
        sessions, invitations, deleted_messages, log_pages, used_identities, visitor_tokens,
        idle_visitors,
    ],
)  # fmt: skip
def test_of_each_kind_only_the_row_that_cannot_be_deleted_is_left(
    alice: User, make: Callable[[User], list[models.Model]]
) -> None:
    rows = make(alice)
    manager = getattr(type(rows[0]), "all_objects", type(rows[0])._default_manager)
    keys = [each.pk for each in rows]
    with undeletable(rows[1]):
        assert f"1 of {rows[1]._meta.db_table}" in prune()
        assert [each.pk for each in manager.filter(pk__in=keys)] == [keys[1]]
    assert prune() == ""
    assert not manager.filter(pk__in=keys).exists()


def test_a_task_that_fails_does_not_stop_the_tasks_after_it(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[str] = []

    def fail() -> bool:
        raise ValueError

    def work() -> bool:
        done.append("work")
        return False

    async def fail_to_send() -> None:
        raise ValueError

    async def deliver() -> None:
        done.append("deliver")

    async def a_round() -> None:
        process = server_process.ServerProcess()
        await process._clean_up()
        await process._run_background_jobs()
        for job in server_process.network_jobs:
            await server_process._run_job(job)

    monkeypatch.setattr(server_process, "periodic_tasks", [fail, work])
    monkeypatch.setattr(server_process, "background_jobs", [fail, work])
    monkeypatch.setattr(server_process, "network_jobs", [fail_to_send, deliver])
    asyncio.run(a_round())
    threads.close_all()
    assert done == ["work", "work", "deliver"]
    assert "test_undeletable_rows.fail failed" in caplog.text
    assert caplog.text.count(".fail failed") == 1  # the second time, it was still pausing


def test_an_answer_that_cannot_be_closed_does_not_keep_others_open(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = Conversation.objects.create(owner=alice)
    first, second = (
        Generation.objects.create(
            owner=alice,
            message=chat.messages.create(role="assistant"),
            state="running",
            send_key=str(number),
        )
        for number in range(2)
    )
    close = workers.close_from_pages

    def refuse_first(generation: Generation, state: str) -> bool:
        if generation == first:
            raise ValueError
        return close(generation, state)  # type: ignore[arg-type]

    monkeypatch.setattr(workers, "close_from_pages", refuse_first)
    assert workers.close_orphans() == 1
    second.refresh_from_db()
    assert second.state == "interrupted"
