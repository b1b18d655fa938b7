"""SIGKILL during a large import: nothing of it is shown or left, and repeating it succeeds."""

import asyncio
import io
import signal
import zipfile
from random import Random
from time import monotonic
from typing import Any

import aiohttp
import msgspec

from tests.chaos import database
from tests.chaos.bench import Asked, Bench
from tests.chaos.crash import STATES
from tests.chaos.directive import Directive
from tests.chaos.outcome import Outcome
from tests.chaos.reader import CSRF, TROUBLE, Visitor
from tests.chaos.site import PATIENT
from tests.support.patience import PATIENCE_SECONDS

MESSAGES = 40  # in each chat
AT = "2026-03-29T12:30:00Z"


async def run(bench: Bench, seed: int) -> Outcome:
    with bench.site.changed(**PATIENT):
        return await _through(bench, seed)


async def _through(bench: Bench, seed: int) -> Outcome:
    chance, name, site = Random(seed), bench.new_run("imported", seed), bench.site
    chats = bench.size(60, 1000)
    mark = f"file of {name}"  # which the questions of others do not contain
    file, member = _export(mark, chats), bench.visitor(chance.randrange(len(site.sessions)))
    asked = _asked(bench, chance, name)
    reading = asyncio.create_task(bench.read_all(asked))
    importing = asyncio.create_task(_import(member, file))
    await _begun(bench, mark, importing)
    await asyncio.sleep(chance.uniform(0, bench.size(0.6, 6)))
    site.first.send(signal.SIGKILL)
    await asyncio.to_thread(site.first.wait, PATIENCE_SECONDS)
    await importing
    stored = database.imported(site.database, mark)
    complaints = [] if stored.shown in {0, chats} else [f"{stored.shown} chats are shown"]
    was_finished = stored.shown == chats

    await asyncio.to_thread(site.first.start, **PATIENT)
    repeats_at_once = chance.random() < 0.5
    left = 0 if repeats_at_once else await _left(bench, mark, chats if was_finished else 0)
    if not was_finished:
        complaints += await _repeated(member, file)
        left = await _left(bench, mark, chats)
    shown = database.imported(site.database, mark)
    if (shown.shown, shown.chats, shown.messages) != (chats, chats, chats * MESSAGES):
        complaints.append(f"after the import, there are {shown}")
    if left:
        complaints.append(f"{left} rows were never purged")
    await reading
    complaints += bench.judged(name, asked, STATES)
    when = "at once" if repeats_at_once else "after the purge"
    note = f"killed with {stored.chats} of {chats} chats stored; repeated {when}"
    return Outcome(complaints, left, "rows left", [note])


def _asked(bench: Bench, chance: Random, run: str) -> list[Asked]:
    """Return sends of others, which run when the process is killed."""
    return [
        bench.ask(
            Directive(f"{run}{number}", chance.randrange(60, 200), 30),
            person=number,
            patience_seconds=PATIENCE_SECONDS,
        )
        for number in range(bench.size(6, 40))
    ]


def _export(mark: str, chats: int) -> bytes:
    """Return a file with that many chats (docs/export_format.md)."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number in range(chats):
            chat = {
                "format": "runnel",
                "version": 1,
                "kind": "conversation",
                "title": f"{mark} {number}",
                "place": "listed",
                "created_at": AT,
                "updated_at": AT,
                "messages": [_message(mark, number) for number in range(1, MESSAGES + 1)],
            }
            archive.writestr(f"chats/{number}.json", msgspec.json.encode(chat))
    return content.getvalue()


def _message(mark: str, number: int) -> dict[str, Any]:
    attempt = {"state": "complete", "model": "any", "started_at": AT, "ended_at": AT}
    is_answer = number % 2 == 0
    return {
        "id": number,
        "parent": number - 1 or None,
        "role": "assistant" if is_answer else "user",
        "created_at": AT,
        "text": f"{mark} says something of some length. " * 10,
        "attempts": [attempt] if is_answer else [],
    }


async def _import(member: Visitor, file: bytes) -> str:
    """Import the file; return where the member is sent then, empty if nobody answers."""
    form = aiohttp.FormData()
    form.add_field("file", file, filename="chats.zip", content_type="application/zip")
    headers = {
        "Cookie": f"sessionid={member.session}; csrftoken={CSRF}",
        "X-CSRFToken": CSRF,
    }
    url = f"{member.address()}/settings/import/"
    try:
        async with member.http.post(
            url, data=form, headers=headers, allow_redirects=False
        ) as response:
            page = await response.text()
            return response.headers.get("Location", f"{response.status} {page[:2000]}")
    except TROUBLE:
        return ""


async def _begun(bench: Bench, mark: str, importing: asyncio.Task[str]) -> None:
    """Wait until the first rows are stored."""
    give_up_at = monotonic() + PATIENCE_SECONDS
    while not database.imported(bench.site.database, mark).rows:
        if importing.done() or monotonic() > give_up_at:
            said = importing.result() if importing.done() else "nothing"
            raise RuntimeError(f"the import did not begin; the site said {said!r}")
        await asyncio.sleep(0.01)


async def _repeated(member: Visitor, file: bytes) -> list[str]:
    said = await _import(member, file)
    return [] if said == "/chat/" else [f"the import can't be repeated: {said!r}"]


async def _left(bench: Bench, mark: str, chats: int) -> int:
    """Wait until only the rows of so many chats are there; return how many more remain."""
    wanted = chats * (1 + MESSAGES + MESSAGES // 2)
    give_up_at = monotonic() + PATIENCE_SECONDS
    while True:
        left = database.imported(bench.site.database, mark).rows - wanted
        if left <= 0 or monotonic() > give_up_at:
            return left
        await asyncio.sleep(0.1)
