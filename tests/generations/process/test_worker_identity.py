"""A process is judged by its pid only where its pid can be looked up, else by its heartbeat."""

import asyncio
import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from chat.database import identity as identity
from chat.generations.models import Worker
from chat.generations.process import workers
from chat.generations.process.server_process import ServerProcess
from chat.lib import process_identity

pytestmark = pytest.mark.django_db


def registered_in(namespace: str, monkeypatch: pytest.MonkeyPatch) -> Worker:
    """Register this process as if it were in another PID namespace, where its pid is unknown."""
    with monkeypatch.context() as patched:
        patched.setattr(process_identity, "pid_namespace", lambda: namespace)
        worker = workers.register()
    Worker.objects.filter(pk=worker.pk).update(pid=2**22 - 1)
    return worker


def fall_silent(worker: Worker) -> None:
    before = timezone.now() - timedelta(seconds=60)
    Worker.objects.filter(pk=worker.pk).update(heartbeat_at=before)


@pytest.mark.parametrize("namespace", ["this boot pid:[1]", ""])
def test_a_process_of_another_namespace_lives_while_it_beats(
    namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = registered_in(namespace, monkeypatch)
    workers.close_orphans()
    assert Worker.objects.filter(pk=worker.pk).exists()
    fall_silent(worker)
    workers.close_orphans()
    assert not Worker.objects.exists()


def test_a_living_process_of_this_namespace_may_fall_silent() -> None:
    worker = workers.register()
    fall_silent(worker)
    workers.close_orphans()
    assert Worker.objects.exists()


def test_a_copy_of_the_database_does_not_take_the_originals_process_for_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fall_silent(workers.register())
    monkeypatch.setattr(workers, "database_identity", lambda: "a restored copy")
    workers.close_orphans()
    assert not Worker.objects.exists()


def test_a_copied_file_is_another_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Connection:
        vendor = "sqlite"
        settings_dict = {"NAME": str(tmp_path / "site.sqlite3")}

    monkeypatch.setattr(identity, "connection", Connection)
    original, copy = tmp_path / "site.sqlite3", tmp_path / "copy.sqlite3"
    original.write_bytes(b"data")
    before = identity.database_identity()
    copy.write_bytes(original.read_bytes())
    assert identity.database_identity() == before
    copy.replace(original)
    assert identity.database_identity() != before


def test_the_kernel_names_the_boot_and_the_namespace() -> None:
    if not Path("/proc/self/ns/pid").exists():
        pytest.skip("no /proc with PID namespaces")
    boot, namespace = process_identity.pid_namespace().split()
    assert boot == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert namespace == os.readlink("/proc/self/ns/pid")


def test_a_proc_of_another_namespace_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "self").symlink_to("1")
    monkeypatch.setattr(process_identity, "PROC", tmp_path)
    assert process_identity.pid_namespace() == ""


def test_a_process_taken_for_dead_returns_with_the_key_that_its_charges_name() -> None:
    worker = workers.register()
    Worker.objects.all().delete()
    assert not workers.record_heartbeat(worker)
    workers.register_again(worker)
    assert workers.record_heartbeat(worker)
    assert Worker.objects.get().pk == worker.pk


async def test_a_process_that_was_silent_itself_does_not_judge_others_by_their_silence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "DEAD_AFTER_SECONDS", 3600)
    here = ServerProcess()
    here.worker, here._beat_at = Worker(), asyncio.get_running_loop().time()
    monkeypatch.setattr(workers, "record_heartbeat", lambda worker: True)
    await here._beat()
    assert here._is_beating
    here._beat_at -= 3601
    assert not here._is_beating
    await here._beat()
    assert not here._is_beating
    here._silent_until -= 3601
    assert here._is_beating
