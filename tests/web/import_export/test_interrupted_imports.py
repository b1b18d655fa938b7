"""What a dead process was importing or copying takes up no room, and is never shown."""

import io
from collections.abc import Iterator

import pytest
from asgiref.sync import sync_to_async
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models.functions import Now
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations import drafts
from chat.conversations.models import Conversation
from chat.conversations.sizes import storage
from chat.generations.deletion import turn_deletion
from chat.generations.models import Worker
from chat.generations.process import workers
from chat.import_export import import_reader
from chat.import_export.import_storage import DraftImport
from chat.lib import process_identity
from tests.import_export.trees import exported, new_conversation
from tests.support.generations.purge import sweep


@pytest.fixture
def dead_worker(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """Let drafts be of a process that is found dead afterwards."""
    worker = Worker.objects.create(
        host="gone", pid=0, process_started="1", pid_scope=workers._pid_scope(), heartbeat_at=Now()
    )
    monkeypatch.setattr(process_identity, "worker_id", worker.pk)
    yield worker
    monkeypatch.undo()


def killed_import(owner: User, file: bytes) -> DraftImport:
    """Store a whole import, and die before it is shown."""
    data = io.BytesIO(file)
    import_reader.check(data)
    draft = DraftImport(owner.pk)
    for conversation in import_reader.conversations_in(data):
        for _ in draft.add(conversation):
            pass
    return draft


async def test_after_a_killed_import_the_next_one_has_room_at_once(
    alice: User, dead_worker: Worker, alice_client: AsyncClient, settings: Settings
) -> None:
    file = await sync_to_async(lambda: exported(new_conversation(alice)))()
    await Conversation.all_objects.all().adelete()
    await sync_to_async(killed_import)(alice, file)
    size = await sync_to_async(storage.used_bytes)(alice.pk)
    settings.MAX_MEMBER_BYTES = size + size // 2
    upload = SimpleUploadedFile("x.json", file)
    response = await alice_client.post("/settings/import/", {"file": upload})
    assert response.status_code in (200, 302), response.content.decode()
    assert await Conversation.objects.acount() == 1
    assert await Conversation.all_objects.acount() == 1


def test_drafts_of_dead_processes_are_purged_and_others_stay(
    alice: User, dead_worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = new_conversation(alice)
    copying = turn_deletion.branch_off(alice.pk, chat.pk, chat.messages.last().pk)
    next(copying), next(copying)
    killed_import(alice, exported(chat))
    living = workers.register()
    kept = killed_import(alice, exported(chat))
    assert Conversation.all_objects.count() == 4
    workers.close_orphans()
    sweep()
    assert not Worker.objects.filter(pk=dead_worker.pk).exists()
    assert set(Conversation.all_objects.values_list("draft_of", flat=True)) == {None, living.pk}
    assert kept.publish() == 1
    assert Conversation.objects.filter(draft_of=None).count() == 2
    copying.close()


def test_an_import_whose_process_was_taken_for_dead_is_not_shown_in_part(
    alice: User, dead_worker: Worker
) -> None:
    draft = killed_import(alice, exported(new_conversation(alice)))
    workers.close_orphans()
    with pytest.raises(drafts.DraftGone):
        draft.publish()
    assert Conversation.objects.count() == 1


def test_a_failed_import_takes_no_room_of_the_next(alice: User, dead_worker: Worker) -> None:
    draft = killed_import(alice, exported(new_conversation(alice)))
    draft.abandon()
    sweep()
    assert Conversation.all_objects.count() == 1
