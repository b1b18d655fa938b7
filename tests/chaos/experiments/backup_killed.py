"""Backups are killed while answers are written: the next one is whole, and removes what they left."""

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from chat.backup.archive import UNFINISHED
from chat.lib.staging_folders import PREFIX
from tests.chaos import database
from tests.chaos.bench import Asked, Bench, ended
from tests.chaos.outcome import Outcome
from tests.chaos.site import PATIENT, Site
from tests.chaos.traffic import traffic
from tests.support.database.postgres import address_of, migrated_database
from tests.support.patience import deadline
from tests.support.servers.server import ROOT, manage

#: So that a backup takes long enough to be killed anywhere.
BALLAST = """
from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
chat = Conversation.objects.create(owner=User.objects.order_by("pk").last(), title="Ballast")
for number in range(%d):
    Message.objects.bulk_create(
        Message(conversation=chat, role="assistant", text="x" * 50_000) for _ in range(100)
    )
"""


async def run(bench: Bench, seed: int) -> Outcome:
    await asyncio.to_thread(bench.site.first.manage, "shell", "-c", BALLAST % bench.size(4, 40))
    with bench.site.changed(**PATIENT):
        return await _while_answering(bench, seed)


async def _while_answering(bench: Bench, seed: int) -> Outcome:
    chance, name, site = Random(seed), bench.new_run("backed-up", seed), bench.site
    with tempfile.TemporaryDirectory(prefix="runnel-backups-") as folder:
        target, left_something = Path(folder), 0
        async with traffic(bench, chance, name, lambda: site.first.url) as asked:
            for number in range(kills := bench.size(3, 20)):
                backup = target / f"killed-{number}.tar"
                await asyncio.to_thread(_killed, site, backup, chance)
                left_something += bool(_left(site, target))
            before = await _ended_answers(bench, asked)
            whole = target / "whole.tar"
            await asyncio.to_thread(site.first.manage, "backup", str(whole))
            left = _left(site, target)
        complaints = bench.judged(name, asked)
        complaints += [f"left after the next backup: {path}" for path in left]
        restored = await asyncio.to_thread(_restored, site, whole, target)
        complaints += _compared(bench, name, restored, before)
    note = f"{left_something} of {kills} killed backups left files; {len(before)} answers compared"
    return Outcome(complaints, sum(left.values()), "bytes left", [note])


def _killed(site: Site, backup: Path, chance: Random) -> None:
    """Kill a backup at any moment after it has begun to copy, or soon after it is done."""
    known = set(site.folder.glob(f"{PREFIX}*"))
    process = subprocess.Popen(
        [sys.executable, "manage.py", "backup", str(backup)],
        cwd=ROOT,
        env=site.first.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    give_up_at = deadline()
    try:
        while process.poll() is None and not set(site.folder.glob(f"{PREFIX}*")) - known:
            if time.monotonic() > give_up_at:
                raise RuntimeError("the backup did not begin")
            time.sleep(0.002)
        time.sleep(chance.choice((0.0, 0.02, 0.3)) * chance.random())
    finally:
        process.kill()
        process.wait()


def _left(site: Site, target: Path) -> dict[str, int]:
    """Return the sizes of all files of unfinished backups."""
    folders = site.folder.glob(f"{PREFIX}*")
    files = [each for folder in folders for each in (folder, *folder.rglob("*"))]
    return {str(each): _size(each) for each in (*files, *target.glob(f"*{UNFINISHED}"))}


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


async def _ended_answers(bench: Bench, asked: list[Asked]) -> dict[str, str]:
    """Return the texts of the answers that have ended by now."""
    ids = [each.reader.generation_id for each in asked if each.reader.generation_id]
    rows = await asyncio.to_thread(database.rows, bench.site.database, ids)
    return {row.id: row.text for row in rows.values() if ended(row)}


def _restored(site: Site, backup: Path, folder: Path) -> str:
    """Restore the backup elsewhere, which verifies every part; return the database's address."""
    data_dir = folder / "restored"
    env = site.first.environment | {"DATA_DIR": str(data_dir)}
    address = str(data_dir / "runnel.sqlite3")
    if site.stores.kind == "postgres":
        address = address_of(site.database, migrated_database(site.database))
        env["DATABASE_URL"] = address
    manage("restore", str(backup), env=env)
    return address


def _compared(bench: Bench, run: str, restored: str, before: dict[str, str]) -> list[str]:
    """Return what differs between a restored database and the site's."""
    there = database.with_question(restored, run)
    now = database.rows(bench.site.database, there)
    found = [
        f"{key}: the backup does not have this whole answer"
        for key, text in before.items()
        if key not in there or there[key].text != text
    ]
    return found + [
        f"{key}: the backup has text that the site does not"
        for key, row in there.items()
        if key not in now or not now[key].text.startswith(row.text)
    ]
