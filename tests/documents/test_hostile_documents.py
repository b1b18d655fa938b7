"""A hostile file ends the process that reads it, or tells nothing, and harms nobody else."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from chat.documents import reading
from chat.documents.errors import DocumentUnreadable
from chat.documents.reader import landlock
from chat.documents.reading import read_for_message
from tests.support.documents.hostile import HOSTILE
from tests.support.documents.samples import WORDS
from tests.support.variants import later

#: What the process may still do, once it is in its sandbox.
CONFINED = """
import ctypes, os, resource, socket, sys, threading
from chat.documents.reader import sandbox
file, parent = sys.argv[1], os.getppid()
sandbox.enter()
def tried(what, *given):
    try:
        what(*given)
    except (OSError, MemoryError) as error:
        return type(error).__name__
    return "allowed"
def ring():
    if ctypes.CDLL(None).syscall(425, 8, ctypes.create_string_buffer(120)) < 0:
        raise PermissionError
print(
    tried(bytearray, 3 * 1024**3), tried(threading.Thread(target=len).start),
    tried(socket.socket), tried(socket.socket, socket.AF_UNIX), tried(ring),
    tried(os.execv, "/bin/true", ["true"]), tried(os.fork), tried(os.kill, parent, 0),
    tried(resource.prlimit, parent, resource.RLIMIT_CPU), tried(os.chmod, file, 0o777),
    tried(open, file, "w"), tried(os.unlink, file), tried(open, file),
    tried(open, f"/proc/{parent}/environ"), tried(os.listdir, "/"),
)
"""
#: What Landlock refuses, which not every kernel has.
OF_FILES = 5
#: Nothing listens there.
NOWHERE = "http://127.0.0.1:9"
FIRST = 7


def test_the_process_can_do_nothing_but_read(tmp_path: Path) -> None:
    file = tmp_path / "of the site"
    file.write_text("x")
    done = subprocess.run(
        [sys.executable, "-c", CONFINED, str(file)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    memory, thread, *others = done.stdout.split()
    assert (memory, thread) == ("MemoryError", "allowed")
    if landlock.version() < 1:
        others = others[:-OF_FILES]
    assert set(others) == {"PermissionError"}


@pytest.mark.parametrize("name", [*list(HOSTILE)[:FIRST], *later(*list(HOSTILE)[FIRST:])])
async def test_a_hostile_file_is_harmless(name: str) -> None:
    file = HOSTILE[name]
    try:
        found = await read_for_message(file.of(NOWHERE), file.name, "alice")
    except DocumentUnreadable:
        return
    assert "root:" not in found.text
    assert len(found.text) < 600_000


@pytest.mark.parametrize("reader", ["hanging_reader", "dying_reader", "talking_reader"])
async def test_a_process_that_misbehaves_is_ended(
    monkeypatch: pytest.MonkeyPatch, reader: str
) -> None:
    monkeypatch.setattr(reading, "READER", f"tests.support.documents.{reader}")
    monkeypatch.setattr(reading, "READING_SECONDS", 3.0)
    with pytest.raises(DocumentUnreadable, match="too_complex"):
        await read_for_message(b"x" * 1_000_000, "a.html", "alice")
    monkeypatch.undo()
    assert WORDS in (await read_for_message(WORDS.encode(), "a.html", "alice")).text


async def test_who_leaves_ends_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "READER", "tests.support.documents.hanging_reader")
    task = asyncio.create_task(read_for_message(b"x", "a.html", "alice"))
    await asyncio.sleep(0.5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
