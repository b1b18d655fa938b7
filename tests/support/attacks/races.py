"""Send requests at the same moment, and read answers in the background."""

import threading
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import httpx

from tests.support.attacks.people import CSRF, Person

Act = Callable[[Any], httpx.Response]


def at_once(act: Act, who: Iterable[Any]) -> list[int]:
    """Let each of them act at the same moment; return the statuses, 0 for a cut connection."""
    return all_at_once([(act, each) for each in who])


def all_at_once(acts: Sequence[tuple[Act, Any]]) -> list[int]:
    """Start all acts at the same moment. No answer may be a server error."""
    barrier = threading.Barrier(len(acts))
    statuses: list[int] = []

    def run(act: Act, who: Any) -> None:
        barrier.wait()
        try:
            statuses.append(act(who).status_code)
        except httpx.HTTPError:
            statuses.append(0)

    racers = [threading.Thread(target=run, args=each) for each in acts]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert all(each < 500 or each == 503 for each in statuses), statuses
    return sorted(statuses)


def tab(who: Person) -> Person:
    """Return another tab of the same browser, with connections of its own."""
    return Person(who.server, who.user_id, who.session)


def tabs(who: Person, count: int) -> list[Person]:
    return [tab(who) for _ in range(count)]


class LongAnswer:
    """A long answer that is read in the background, until it ends or is cut."""

    def __init__(self, who: Person) -> None:
        self._who, self._begun = who, threading.Event()
        self.text = self.chat = self.generation = ""
        self._thread = threading.Thread(target=self._read)
        self._thread.start()
        assert self._begun.wait(60)

    def _read(self) -> None:
        body = {"key": uuid.uuid4().hex, "text": "/slow"}
        headers = {"X-CSRFToken": CSRF, "Accept": "text/event-stream"}
        with self._who.client.stream("POST", "/chat/messages", json=body, headers=headers) as came:
            self.chat = came.headers["X-Conversation-Id"]
            self.generation = came.headers["X-Generation-Id"]
            try:
                for piece in came.iter_text():
                    self.text += piece
                    self._begun.set()
            except httpx.HTTPError:
                pass  # cut, as some tests expect

    def has_ended(self) -> bool:
        """Return whether reading ends, at the end of the answer or before."""
        self._thread.join(60)
        return not self._thread.is_alive()

    def was_cut(self) -> bool:
        """Return whether reading ends before the answer does."""
        return self.has_ended() and "[DONE]" not in self.text
