"""Measure searches in a large collection beside running answers: how long they take, and whether
the tokens stay on time.

A server process with SQLite streams answers of a model that sends 50 tokens a second. Meanwhile
members search, one after another. Both are also measured without the other.
"""

import os
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import httpx
import numpy as np

from benchmarks.knowledge.collection import random_vectors
from benchmarks.knowledge.speed import DIMENSIONS, QUESTION_WORDS, WORDS, random_text
from benchmarks.streams import figures, load
from benchmarks.streams.answers import heard
from benchmarks.streams.load import Plan
from benchmarks.streams.programs import signed_in, upstream
from benchmarks.streams.site import STORED_KIND, Site, site
from benchmarks.streams.sizes import RATE, Size

SMALL = os.environ.get("BENCH") == "quick"
STREAMS = int(os.environ.get("STREAMS", "20"))
SECONDS = int(os.environ.get("SECONDS", "40"))
RAMP_SECONDS = 2.0
SEARCHES_PER_SECOND = 3
#: Each may search 30 times a minute.
MEMBERS = 12
DOCUMENT_PASSAGES = 2000
#: Run in a process of the site.
FILL = """
from benchmarks.knowledge.beside_streams import fill
print(fill({passages}))
"""


def measure(passages: int) -> None:
    """Print the durations of searches and the delays of tokens, alone and together."""
    size = Size(repeats=1, plans={}, databases=(), members=MEMBERS, chats=1, gets=0)
    seconds = 3 if SMALL else SECONDS
    plan = Plan(STREAMS, RATE, int(RATE * seconds), RAMP_SECONDS)
    with (
        tempfile.TemporaryDirectory(prefix="runnel-bench-") as folder,
        upstream() as model,
        site("SQLite", model, Path(folder), size) as ours,
    ):
        model.set_pace(plan.rate, plan.tokens)
        collection = ours.server.run(FILL.format(passages=passages))
        target = ours.target(STORED_KIND)
        searching = _Searches(ours, f"/collections/{collection}/")
        searching.one()  # reads the collection into memory
        print(f"\n{passages:,} passages, {STREAMS} streams of {RATE:g} tokens a second; in ms:")
        print(
            "                    searches    p50    p95    max   tokens   p50    p99    max  load"
        )
        alone = load.run(target, plan, model.pid)
        tell("streams alone", [], delays(alone))
        with searching:
            time.sleep(seconds)
        tell("searches alone", searching.taken(), [])
        with searching:
            together = load.run(target, plan, model.pid)
        tell("together", searching.taken(), delays(together))
        for run in (alone, together):
            if problem := figures.problem_of(plan, run):
                print(problem)


class _Searches:
    """Searches of several members, one after another, in a thread."""

    def __init__(self, ours: Site, path: str) -> None:
        self._address = ours.server.url + path
        self._people = [signed_in(each) for each in ours.members]
        # As a browser, it keeps its connection; making a client takes as long as a search does.
        self._client = httpx.Client(timeout=60, trust_env=False)
        self._choose = np.random.default_rng(7)
        self._number = 0
        self._taken: list[float] = []

    def __enter__(self) -> None:
        self._taken, self._ended = [], threading.Event()
        self._thread = threading.Thread(target=self._search)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def taken(self) -> list[float]:
        """Return the milliseconds of each search."""
        return self._taken

    def one(self) -> None:
        person: Mapping[str, str] = self._people[self._number % len(self._people)]
        self._number += 1
        question = {"q": random_text(self._choose, QUESTION_WORDS)}
        began = time.perf_counter()
        answer = self._client.get(self._address, params=question, headers=dict(person))
        assert answer.status_code == 200, answer.text[:2000]
        assert "passage=" in answer.text, "nothing was found"
        self._taken.append((time.perf_counter() - began) * 1000)

    def _search(self) -> None:
        while not self._ended.wait(1 / SEARCHES_PER_SECOND):
            self.one()


def fill(passages: int) -> str:
    """Store a collection for everybody with random texts and vectors; return its id."""
    from django.conf import settings

    from chat.knowledge.index_format import encode_passages, encode_words
    from chat.knowledge.models import Collection, Document, DocumentContent, DocumentIndex
    from chat.knowledge.passages import Passage
    from chat.lib.worker_thread import finished

    choose = np.random.default_rng(7)
    collection = Collection.objects.create(name="Handbook", for_everybody=True)
    for first in range(0, passages, DOCUMENT_PASSAGES):
        count = min(DOCUMENT_PASSAGES, passages - first)
        texts = [random_text(choose, WORDS) for _ in range(count)]
        ends = np.cumsum([len(each) + 1 for each in texts]).tolist()
        places = [
            Passage(end - len(text) - 1, end - 1) for text, end in zip(texts, ends, strict=True)
        ]
        vectors = random_vectors(choose, count, DIMENSIONS)
        document = Document.objects.create(
            collection=collection, name=f"{first}.txt", state="ready", passage_count=count
        )
        DocumentContent.objects.create(document_id=document.pk, text="\n".join(texts))
        DocumentIndex.objects.create(
            document_id=document.pk,
            embedding_model=settings.KNOWLEDGE_EMBEDDING_MODEL,
            passages=encode_passages(places),
            words=finished(encode_words(texts)),
            vectors=vectors.tobytes(),
        )
    return str(collection.pk)


def delays(run: load.Run) -> list[float]:
    """Return how late each token came, in milliseconds."""
    return [delay / 1e6 for answer in run.answers for delay in heard(answer).delays]


def tell(name: str, searches: list[float], delays: list[float]) -> None:
    parts = [f"  {name:18}"]
    for values, shares in ((searches, (50, 95, 100)), (delays, (50, 99, 100))):
        found = np.percentile(values, shares) if values else [float("nan")] * 3
        parts.append(f"{len(values):8}" + "".join(f"{each:7.1f}" for each in found))
    print("".join(parts) + f"{os.getloadavg()[0]:6.1f}", flush=True)
