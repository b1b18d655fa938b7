"""The older version replaces a newer one under load, and runs on the newer schema."""

import asyncio
import signal
import subprocess
from random import Random
from time import monotonic

from tests.chaos import database
from tests.chaos.bench import Asked, Bench
from tests.chaos.outcome import Outcome
from tests.chaos.pages import Visit, opened, visiting
from tests.chaos.served import served_release
from tests.chaos.site import PATIENT
from tests.chaos.traffic import cut_answers, traffic
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.served_site import ServedSite

SETTINGS = PATIENT | {"DRAIN_SECONDS": "60", "UNDO_SECONDS": "1"}
RESTARTED = "all workers are restarted"
DELETED = 6
#: The newer version adds a row to its own table for each chat.
BOOKMARK_ALL = """
from chat.conversations.bookmarks import Bookmark
from chat.conversations.models import Conversation
Bookmark.objects.bulk_create(
    Bookmark(person_id=owner, conversation_id=key)
    for owner, key in Conversation.objects.values_list("owner", "pk")
)
print(Bookmark.objects.count())
"""
#: Another member, with a chat and a bookmark, leaves for good.
CLOSE_ACCOUNT = """
from django.db import transaction
from chat.accounts.closure import close_account
from chat.accounts.models import User
with transaction.atomic():
    close_account(User.objects.get(email="person%d@example.org"))
"""


async def run(bench: Bench, seed: int) -> Outcome:
    workers = 1 if bench.site.stores.kind == "sqlite" else bench.size(2, 4)
    with served_release(bench, workers, is_newer=True, **SETTINGS) as (site, there, release, older):
        chance, name = Random(seed), there.new_run("rolled-back", seed)
        urls = [f"http://127.0.0.1:{port}" for port in site.ports]
        async with (
            traffic(there, chance, name, lambda: chance.choice(urls)) as asked,
            visiting(there, chance, urls, asked) as visits,
        ):
            await asyncio.sleep(chance.uniform(3, 5))
            bookmarks = int(await asyncio.to_thread(_in_release, site, BOOKMARK_ALL))
            await asyncio.to_thread(release.take, older)
            site.send(signal.SIGHUP)
            await asyncio.to_thread(site.until_logged, RESTARTED)
            back_at = monotonic()
            await asyncio.sleep(bench.size(3, 10))
        complaints = there.judged(name, asked) + cut_answers(asked) + visits.problems
        after = visits.newer(back_at)
        complaints += ["a page of the newer version after the return"] * (True in after)
        seconds, wrong = await _deleted(there, chance, site, urls, asked)
        complaints += wrong + there.worries()
    if not bookmarks or not after:
        complaints.append("the newer version has stored nothing, or no page was opened afterwards")
    note = (
        f"{len(asked)} sends, {len(visits.pages)} pages, the slowest in"
        f" {visits.slowest_seconds:.1f} s; {bookmarks} rows that the older version doesn't know"
    )
    return Outcome(complaints, seconds * 1000, "ms until deleted chats were purged", [note])


def _in_release(site: ServedSite, code: str) -> str:
    """Run code with the version that is installed now."""
    command = [site.python, "manage.py", "shell", "--verbosity", "0", "-c", code]
    return subprocess.run(
        command, cwd=site.release, env=site.environment, check=True, capture_output=True, text=True
    ).stdout


async def _deleted(
    bench: Bench, chance: Random, site: ServedSite, urls: list[str], asked: list[Asked]
) -> tuple[float, list[str]]:
    """Delete old chats and close an account; return how long the purge took, and what is wrong."""
    began, complaints = monotonic(), []
    old = asked[:DELETED]
    for each in old:
        path = f"/chat/{each.reader.conversation}/deletion/"
        visit: Visit = await opened(each.reader.visitor, chance, urls, path, b"")
        if visit.status not in {200, 302}:
            complaints.append(f"a chat can't be deleted: {visit.status}")
    leaver = (DELETED + 1) % len(bench.site.sessions)
    await asyncio.to_thread(_in_release, site, CLOSE_ACCOUNT % leaver)
    gone = [*old, *(each for n, each in enumerate(asked) if n % len(bench.site.sessions) == leaver)]
    chats = {each.reader.conversation for each in gone}
    bookmarked = await asyncio.to_thread(database.bookmarked, bench.site.database)
    ids = [each.reader.generation_id for each in gone]
    while left := await asyncio.to_thread(database.rows, bench.site.database, ids):
        if monotonic() > began + PATIENCE_SECONDS:
            return monotonic() - began, [*complaints, f"{len(left)} answers were never purged"]
        await asyncio.sleep(0.1)
    seconds = monotonic() - began
    kept = await asyncio.to_thread(database.bookmarked, bench.site.database)
    if not bookmarked & chats:
        complaints.append("no deleted chat had a bookmark")
    if kept != bookmarked - chats:
        complaints.append("bookmarks of purged chats are left, or others are gone")
    return seconds, complaints
