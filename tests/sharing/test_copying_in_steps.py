"""Copying a long shared chat does not block others, and is all or nothing."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import DatabaseError
from django.test import AsyncClient, Client

from chat.accounts.models import User
from chat.conversations import branches, redaction, turns
from chat.conversations.errors import StorageFull
from chat.conversations.models import Conversation, Message
from chat.database import bulk_writes, threads
from chat.errors import Conflict, NotFound, RateLimitExceeded
from chat.generations.deletion import purge
from chat.sharing import links
from chat.sharing import redaction as shared
from chat.sharing.continue_chat import copy_shared_chat
from chat.sharing.models import SharedLink
from chat.web.http import shared_limits
from chat.web.sharing.views import public as views
from tests.support.database.bulk_steps import run_steps

LONG = "漢" * 10_000  # 30 KB


async def test_other_writes_run_between_the_steps_of_a_copy(
    bob: User, bob_client: AsyncClient, link: SharedLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = [LONG, *["水" * 300] * 250]
    link.turns = [{"role": "user", "text": text} for text in said]
    await link.asave()
    steps: list[int] = []
    run = threads.writer.run

    async def counted(work: Any, *given: Any) -> Any:
        count = await Message.objects.acount()
        assert not await Conversation.objects.filter(owner=bob).aexists()
        found = await run(work, *given)
        steps.append(await Message.objects.acount() - count)
        return found

    monkeypatch.setattr(threads.writer, "run", counted)
    made = await bob_client.post(f"/s/{link.token}/continuation/")
    monkeypatch.undo()
    assert made.status_code == 302
    copy = await Conversation.objects.aget(owner=bob)
    copied = [each async for each in copy.messages.order_by("id")]
    assert [each.text for each in copied] == said
    assert [each.parent_id for each in copied] == [None, *[each.pk for each in copied[:-1]]]
    assert sum(steps) == len(said)
    assert max(steps) <= 33  # of 900 bytes, 30 KB


async def test_each_member_makes_one_copy_at_a_time(
    alice: User,
    bob: User,
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    link: SharedLink,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = f"/s/{link.token}/continuation/"
    monkeypatch.setitem(bulk_writes._running, bob.pk, None)
    assert (await bob_client.post(path)).status_code == 409
    assert not await Conversation.all_objects.filter(owner=bob).aexists()
    assert (await alice_client.post(path)).status_code == 302
    monkeypatch.undo()
    assert (await bob_client.post(path)).status_code == 302


def test_a_copy_is_complete_or_absent(
    bob: User, bob_browser: Client, link: SharedLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    link.turns = [{"role": "user", "text": LONG}] * 3
    link.save()
    chain = branches.link_messages

    def breaks(made: list[Message], last: Message | None) -> None:
        if last:
            raise DatabaseError
        chain(made, last)

    monkeypatch.setattr(branches, "link_messages", breaks)
    bob_browser.raise_request_exception = False
    assert bob_browser.post(f"/s/{link.token}/continuation/").status_code == 500
    assert Conversation.all_objects.get(owner=bob).messages.count() == 1
    assert not Conversation.objects.filter(owner=bob).exists()
    Conversation.all_objects.exclude(purge_after=None).update(purge_after="2020-01-01T00:00:00Z")
    list(purge.steps())
    assert not Conversation.all_objects.filter(owner=bob).exists()


def test_text_hidden_meanwhile_is_not_in_the_copy(
    bob: User, conversation: Conversation, link: SharedLink
) -> None:
    steps = copy_shared_chat(link, bob.pk)
    next(steps), next(steps)
    for each, words in redaction.redact(conversation.messages.get(text="What is water?")):
        shared.redact(each, words)
    copy = run_steps(steps)
    found = turns.path_of(copy.messages.order_by("id").last())
    assert [each.text for each in found] == ["", "It is **wet**.", "And ice?", "It is hard."]
    assert [bool(each.hidden_at) for each in found] == [True, False, False, False]
    assert "water" not in Conversation.objects.get(owner=bob).title


@pytest.mark.parametrize("end", ["revoked", "out of date"])
def test_a_link_that_ends_meanwhile_is_not_copied(bob: User, link: SharedLink, end: str) -> None:
    steps = copy_shared_chat(link, bob.pk)
    next(steps)
    found = SharedLink.objects.all()
    found.delete() if end == "revoked" else found.update(expires_at="2020-01-01T00:00:00Z")
    with pytest.raises(NotFound):
        run_steps(steps)
    assert not Conversation.objects.filter(owner=bob).exists()


def test_a_link_that_is_updated_meanwhile_is_not_copied(bob: User, link: SharedLink) -> None:
    steps = copy_shared_chat(link, bob.pk)
    next(steps)
    links.update(SharedLink.objects.get())
    with pytest.raises(Conflict):
        run_steps(steps)
    assert not Conversation.objects.filter(owner=bob).exists()


def test_with_full_storage_nothing_is_copied(bob: User, link: SharedLink, settings: Any) -> None:
    settings.MAX_MEMBER_BYTES = 10
    with pytest.raises(StorageFull):
        run_steps(copy_shared_chat(link, bob.pk))
    assert not Conversation.all_objects.filter(owner=bob).exists()


class TestPatience:
    @pytest.fixture(autouse=True)
    def _two_copies_an_hour(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(views, "COPIES_PER_HOUR", 2)

    def test_copies_are_rate_limited(
        self, bob: User, bob_browser: Client, link: SharedLink
    ) -> None:
        path = f"/s/{link.token}/continuation/"
        statuses = [bob_browser.post(path).status_code for _ in range(3)]
        assert statuses == [302, 302, 429]
        assert int(bob_browser.post(path)["Retry-After"]) > 0
        assert Conversation.objects.filter(owner=bob).count() == 2

    def test_an_unknown_link_is_not_counted(self, bob_browser: Client, link: SharedLink) -> None:
        for _ in range(3):
            assert bob_browser.post("/s/guess/continuation/").status_code == 404
        assert bob_browser.post(f"/s/{link.token}/continuation/").status_code == 302

    def test_concurrent_uses_are_all_counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A value read before counting may be outdated by then."""
        monkeypatch.setattr(cache, "get", lambda *_given: 0)
        for _ in range(2):
            shared_limits.require_rate("continued", "1", 2, shared_limits.HOUR_SECONDS)
        with pytest.raises(RateLimitExceeded):
            shared_limits.require_rate("continued", "1", 2, shared_limits.HOUR_SECONDS)
