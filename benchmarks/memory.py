"""Measure how a server process grows over many short answers: `make bench-memory`.

ANSWERS=50000 sends by a few members, each to a new chat, against a fresh process. A process
is warm after a fifth of them; finished answers stay in memory for a minute. Fails if it grows by
more than MAX_GROWTH_MB from there to the end.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from itertools import count

import httpx

from tests.support.servers.online_member import OnlineMember
from tests.support.servers.server import Server, running, signed_up

SMALL = os.environ.get("BENCH") == "quick"
ANSWERS = int(os.environ.get("ANSWERS", "200" if SMALL else "50000"))
MEMBERS = 4
WARM = ANSWERS // 5
MAX_GROWTH_MB = 8.0
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def resident_mb(server: Server) -> float:
    with open(f"/proc/{server.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE_BYTES / 1e6


class Load:
    """Members that send until ANSWERS are sent."""

    def __init__(self, members: list[OnlineMember]) -> None:
        self._members, self._numbers, self._lock = members, count(), threading.Lock()
        self.done, self.failed = 0, 0
        self.advanced = threading.Condition(self._lock)

    def run(self, server: Server) -> Iterator[tuple[int, float]]:
        """Yield the number of answers and the process's size, ten times on the way."""
        threads = [threading.Thread(target=self._send, args=[each]) for each in self._members]
        for thread in threads:
            thread.start()
        for step in range(1, 11):
            goal = step * ANSWERS // 10
            with self.advanced:
                self.advanced.wait_for(lambda: self.done >= goal)  # noqa: B023
            yield goal, resident_mb(server)
        for thread in threads:
            thread.join()

    def _send(self, member: OnlineMember) -> None:
        while (number := next(self._numbers)) < ANSWERS:
            is_whole = False
            with suppress(httpx.HTTPError):  # the server is gone
                is_whole = "[DONE]" in member.send(f"send{number}").text
            with self.advanced:
                self.done, self.failed = self.done + 1, self.failed + (not is_whole)
                self.advanced.notify_all()


def main() -> int:
    with running() as server, ExitStack() as stack:
        clients = [
            stack.enter_context(closing(signed_up(server, f"member{n}@example.org")))
            for n in range(MEMBERS)
        ]
        load = Load([OnlineMember(server, each) for each in clients])
        print(f"{'answers':>8}  resident MB\n{0:>8}  {resident_mb(server):.1f}", flush=True)
        warm = last = 0.0
        for answers, size in load.run(server):
            print(f"{answers:>8}  {size:.1f}", flush=True)
            warm, last = (size if answers <= WARM else warm), size
    print(f"{load.failed} failed; {last - warm:+.1f} MB after {WARM} answers")
    return 1 if load.failed or last - warm > MAX_GROWTH_MB else 0


if __name__ == "__main__":
    sys.exit(main())
