"""Deleted data is purged in small steps, by any process, even after a restart."""

from datetime import timedelta

import pytest
from django.test import AsyncClient, override_settings
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations import list_state
from chat.conversations.models import Conversation, Message, Rating
from chat.conversations.ratings import Opinion, rate
from chat.conversations.sizes import row_batches
from chat.conversations.turns import start_conversation
from chat.generations.deletion import purge
from chat.generations.deletion.soft_delete import delete, delete_account, delete_site
from chat.generations.models import Generation, LogPage
from chat.generations.process import server_process
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.support.generations.purge import sweep
from tests.support.generations.send import send
from tests.support.wait_for import until


def new_conversation(alice: User, length: int) -> Conversation:
    """Create a conversation of so many messages in one branch, with all related rows."""
    conversation, last = start_conversation(alice.pk), None
    for number in range(length):
        role = Message.Role.ASSISTANT if number % 2 else Message.Role.USER
        last = conversation.messages.create(parent=last, role=role, text=str(number))
        if number % 2:
            generation = Generation.objects.create(
                owner=alice, message=last, state="complete", send_key=f"{conversation.pk}-{number}"
            )
            LogPage.objects.create(generation=generation, first_seq=1, last_seq=1, frames=b"x")
            rate(last, alice.pk, Opinion(1))
    return conversation


def nothing_is_left() -> bool:
    kinds = (Conversation.all_objects, Message.objects, Generation.objects, LogPage.objects)
    return not any(kind.exists() for kind in (*kinds, Rating.objects))


def test_a_chat_that_can_still_be_restored_stays(alice: User) -> None:
    delete(new_conversation(alice, 4))
    assert sweep() == 0
    assert Message.objects.count() == 4


def test_after_the_undo_period_the_whole_chat_is_purged_and_nothing_else(alice: User) -> None:
    kept, gone = new_conversation(alice, 4), new_conversation(alice, 4)
    with override_settings(UNDO_SECONDS=0):
        delete(gone)
    sweep()
    assert set(Conversation.all_objects.all()) == {kept}
    assert Message.objects.count() == 4
    assert LogPage.objects.count() == Rating.objects.count() == 2


@override_settings(UNDO_SECONDS=0)
def test_a_long_chat_is_purged_in_steps_and_a_partial_purge_is_finished(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_batches, "MAX_ROWS", 10)
    delete(new_conversation(alice, 35))
    next(purge.steps())  # and then the process dies
    assert Message.objects.count() == 25
    assert not Message.objects.exclude(parent=None).exclude(parent__in=Message.objects.all())
    assert sweep() == 3
    assert nothing_is_left()


def test_undoing_in_time_restores_everything(alice: User) -> None:
    conversation = new_conversation(alice, 4)
    delete(conversation)
    assert list_state.restore(conversation)
    with override_settings(UNDO_SECONDS=0):
        delete(new_conversation(alice, 2))
    sweep()
    assert Message.objects.count() == 4
    assert not list_state.restore(conversation)  # it is not deleted


async def all_has_gone() -> bool:
    return not (await Message.objects.aexists() or await Conversation.all_objects.aexists())


@override_settings(UNDO_SECONDS=0)
async def test_a_running_process_purges_by_itself(
    alice: User, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_process, "PURGE_SECONDS", 0.05)
    response = await send(alice_client, text="Hello")
    assert await Message.objects.acount() == 2
    await alice_client.post(f"/chat/{response['X-Conversation-Id']}/deletion/")
    await until(all_has_gone)
    assert not await Generation.objects.aexists()


def test_the_undo_period_is_fixed_at_the_deletion(alice: User) -> None:
    conversation = new_conversation(alice, 2)
    with override_settings(UNDO_SECONDS=3600):
        delete(conversation)
    with override_settings(UNDO_SECONDS=0):
        sweep()
    purge_after = Conversation.all_objects.get().purge_after
    assert purge_after
    assert timedelta(minutes=59) < purge_after - timezone.now() < timedelta(minutes=61)


def test_deleting_an_account_purges_chats_of_visitors_of_its_sites(alice: User) -> None:
    owner = User.objects.create_user("zoe@example.org")
    vera = visitors.make(WidgetSite.objects.create(owner=owner, name="Shop")).user
    kept, _ = new_conversation(alice, 2), new_conversation(vera, 4)
    delete_account(owner)
    assert list(Conversation.objects.all()) == [kept]  # at once
    sweep()
    assert set(Message.objects.values_list("conversation", flat=True)) == {kept.pk}
    assert list(User.all_objects.all()) == [alice]
    assert not WidgetSite.objects.exists()


def test_deleting_a_website_purges_its_chats_and_nothing_else(alice: User) -> None:
    shop, other = (WidgetSite.objects.create(owner=alice, name=name) for name in ("Shop", "Other"))
    kept, _ = (
        new_conversation(visitors.make(other).user, 2),
        new_conversation(visitors.make(shop).user, 4),
    )
    new_conversation(visitors.make(shop).user, 2)
    delete_site(shop)
    assert list(WidgetSite.objects.all()) == [other]  # at once
    assert list(Conversation.objects.all()) == [kept]
    sweep()
    assert list(WidgetSite.all_objects.all()) == [other]
    assert set(Conversation.all_objects.all()) == {kept}
    assert User.all_objects.count() == 2


def test_nothing_is_purged_while_an_answer_is_running(alice: User) -> None:
    conversation = new_conversation(alice, 2)
    running = Generation.objects.filter(message__conversation=conversation)
    running.update(state="running")
    with override_settings(UNDO_SECONDS=0):
        delete(conversation)
    sweep()
    assert Message.objects.count() == 2
    running.update(state="stopped")
    sweep()
    assert nothing_is_left()
