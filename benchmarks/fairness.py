"""Measure what one member's bulk writes cost another: `make bench-fairness`.

Bob sends short messages to one server, one after the other: undisturbed, then while Mallory imports
a chat of 19 MB and branches it twice, which takes some minutes, and undisturbed again. The result
is the 99th percentile of the time to the last byte of an answer, relative to the undisturbed one of
the same run. Fails above 3.

`DATABASE_URL=postgres` measures on its own PostgreSQL server.
"""

import json
import os
import statistics
import sys
import threading
import time
import uuid
from collections.abc import Callable

import httpx

from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.servers.server import Server, running, signed_up

MEGABYTES = int(os.environ.get("MEGABYTES", "19"))
MIN_SENDS = int(os.environ.get("SENDS", "300"))
MAX_RATIO = 3.0
MESSAGE_CHARACTERS = 10_000
PAUSE_SECONDS = 0.01


class Member:
    def __init__(self, server: Server, email: str) -> None:
        self._client = signed_up(server, email)
        self._client.timeout = httpx.Timeout(600)

    def send(self) -> float:
        """Send a short message in a new chat; return the seconds until its answer ended."""
        began = time.perf_counter()
        body = {"key": uuid.uuid4().hex, "text": "Hello"}
        answer = self._client.post("/chat/messages", json=body, headers=self._headers)
        assert answer.status_code == 200, answer.text
        assert "[DONE]" in answer.text
        return time.perf_counter() - began

    def import_chat(self, file: bytes) -> None:
        form = {"csrfmiddlewaretoken": self._client.cookies["csrftoken"]}
        files = {"file": ("chat.json", file)}
        answer = self._client.post("/settings/import/", data=form, files=files)
        assert answer.url.path == "/chat/", answer.text[-2000:]

    def branch(self, chat: str, message: str) -> None:
        path = f"/chat/{chat}/messages/{message}/branch"
        answer = self._client.post(path, headers=self._headers)
        assert answer.status_code == 201, answer.text

    @property
    def _headers(self) -> dict[str, str]:
        return SAME_ORIGIN | {"X-CSRFToken": self._client.cookies["csrftoken"]}


def file_of(megabytes: int) -> bytes:
    """Return an export with one long chat."""
    words = ("a quiet reading room beside the sea " * 400)[:MESSAGE_CHARACTERS]
    messages = [
        {
            "id": number,
            "parent": number - 1 or None,
            "role": "user" if number % 2 else "assistant",
            "text": f"{number} {words}",
            "created_at": "2026-01-01T00:00:00Z",
        }
        for number in range(1, megabytes * 1_000_000 // MESSAGE_CHARACTERS + 1)
    ]
    day = "2026-01-01T00:00:00Z"
    facts = {
        "format": "runnel",
        "version": 1,
        "kind": "conversation",
        "title": "Long",
        "place": "listed",
    }
    times = {"created_at": day, "updated_at": day}
    return json.dumps(facts | times | {"messages": messages}).encode()


def sends_until(bob: Member, is_over: Callable[[], bool]) -> list[float]:
    """Time Bob's sends until `is_over`, and at least MIN_SENDS of them."""
    taken: list[float] = []
    while len(taken) < MIN_SENDS or not is_over():
        taken.append(bob.send())
        time.sleep(PAUSE_SECONDS)
    return taken


def disturb(server: Server, mallory: Member) -> None:
    mallory.import_chat(file_of(MEGABYTES))
    found = server.manage(
        "shell",
        "-c",
        "from chat.conversations.models import Conversation\n"
        "chat = Conversation.objects.get(title='Long')\n"
        "print(chat.pk, chat.messages.order_by('id').last().pk)",
    )
    chat, message = found.split()[-2:]
    for _ in range(2):
        mallory.branch(chat, message)


def told(name: str, seconds: list[float]) -> float:
    hundredths = statistics.quantiles(seconds, n=100)
    print(
        f"{name:<12} {len(seconds):>5} sends  p50 {hundredths[49] * 1000:6.1f} ms"
        f"  p99 {hundredths[98] * 1000:6.1f} ms  longest {max(seconds) * 1000:6.1f} ms"
    )
    return hundredths[98]


def main() -> int:
    settings = {"DATABASE_URL": ""}
    if os.environ.get("DATABASE_URL") == "postgres":
        from tests.support.database.postgres import start_postgres

        settings["DATABASE_URL"] = start_postgres()
    with running(EMULATOR_TOKENS_PER_SECOND="0", **settings) as server:
        bob, mallory = Member(server, "bob@example.org"), Member(server, "mallory@example.org")
        sends_until(bob, lambda: True)  # warm up
        before = told("undisturbed", sends_until(bob, lambda: True))
        bulk = threading.Thread(target=disturb, args=(server, mallory))
        began = time.perf_counter()
        bulk.start()
        during = told("disturbed", sends_until(bob, lambda: not bulk.is_alive()))
        bulk.join()
        print(f"{MEGABYTES} MB imported and branched twice in {time.perf_counter() - began:.0f} s")
        after = told("undisturbed", sends_until(bob, lambda: True))
    ratio = during / max(before, after)
    print(f"p99 while disturbed: {ratio:.2f} times the undisturbed one; at most {MAX_RATIO:g}")
    return int(ratio > MAX_RATIO)


if __name__ == "__main__":
    sys.exit(main())
