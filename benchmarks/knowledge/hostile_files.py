"""Measure whether the tokens of other people's answers stay on time while hostile files are read.

A server process with SQLite streams answers of a model that sends 50 tokens a second. Meanwhile
members add each kind of hostile file to a collection once, and then again and again.
"""

import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import httpx

from benchmarks.knowledge.beside_streams import SECONDS, SMALL, delays, tell
from benchmarks.streams import figures, load
from benchmarks.streams.load import Plan
from benchmarks.streams.programs import signed_in, upstream
from benchmarks.streams.site import STORED_KIND, Site, site
from benchmarks.streams.sizes import RATE, Size
from tests.support.documents.hostile import HOSTILE

STREAMS = int(os.environ.get("STREAMS", "10"))
RAMP_SECONDS = 2.0
MEMBERS = 6
#: To which some files would have their reader connect.
NOWHERE = "http://127.0.0.1:9"
#: Run in a process of the site.
MAKE = """
from chat.accounts.models import User
from chat.knowledge.models import Collection
members = User.objects.filter(is_visitor=False).order_by("pk")
print(" ".join(str(Collection.objects.create(owner=each, name="Files").pk) for each in members))
"""
STATES = """
from collections import Counter
from chat.knowledge.models import Document
print(dict(Counter(Document.objects.values_list("state", flat=True))))
"""


def measure() -> None:
    """Print the delays of tokens alone, and while hostile files are added and read."""
    size = Size(repeats=1, plans={}, databases=(), members=MEMBERS, chats=1, gets=0)
    seconds = 3 if SMALL else SECONDS
    plan = Plan(STREAMS, RATE, int(RATE * seconds), RAMP_SECONDS)
    with (
        tempfile.TemporaryDirectory(prefix="runnel-bench-") as folder,
        upstream() as model,
        site("SQLite", model, Path(folder), size) as ours,
    ):
        model.set_pace(plan.rate, plan.tokens)
        collections = ours.server.run(MAKE).split()
        target = ours.target(STORED_KIND)
        print(f"\n{len(HOSTILE)} kinds of hostile files, {STREAMS} streams; in ms:")
        adding = _Adding(ours, collections)
        alone = load.run(target, plan, model.pid)
        tell("streams alone", [], delays(alone))
        runs = [alone]
        for name, is_endless in (("each file once", False), ("files without end", True)):
            with adding.files(is_endless=is_endless):
                runs.append(load.run(target, plan, model.pid))
            tell(name, adding.taken, delays(runs[-1]))
            print(f"    {ours.server.run(STATES)}, {runs[-1].memory_peak}")
        for run in runs:
            if problem := figures.problem_of(plan, run):
                print(problem)


class _Adding:
    """Members who add all kinds of files in turns."""

    def __init__(self, ours: Site, collections: list[str]) -> None:
        self._address = f"{ours.server.url}/collections/files/"
        self._people = [signed_in(each) for each in ours.members]
        self._collections = collections
        self._client = httpx.Client(timeout=60, trust_env=False)
        # Made before, because that would hold up the reading of answers in this process.
        self._files = [
            (f"{number} {kind} {file.name}", file.of(NOWHERE))
            for number, (kind, file) in enumerate(HOSTILE.items())
        ]
        self.taken: list[float] = []

    @contextmanager
    def files(self, *, is_endless: bool) -> Iterator[None]:
        """Add each file once, evenly spread, or one after another as long as it lasts."""
        self.taken, self._ended = [], threading.Event()
        pause = 0.0 if is_endless else 0.75 * SECONDS / len(self._files)
        thread = threading.Thread(target=self._add, args=(pause, is_endless))
        thread.start()
        yield
        self._ended.set()
        thread.join()

    def _add(self, pause: float, is_endless: bool) -> None:
        files = cycle(self._files) if is_endless else iter(self._files)
        for number, (name, content) in enumerate(files):
            if self._ended.wait(pause):
                return
            self._send(number % len(self._people), name, content)

    def _send(self, place: int, name: str, content: bytes) -> None:
        began = time.perf_counter()
        answer = self._client.post(
            self._address,
            params={"collection": self._collections[place], "name": name},
            content=content,
            headers={**self._people[place], "Content-Type": "application/octet-stream"},
        )
        assert answer.status_code < 500, answer.text[:2000]
        self.taken.append((time.perf_counter() - began) * 1000)
