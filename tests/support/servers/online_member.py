"""Use a real server as a signed-in member: send, read in the background, stop."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import httpx

from chat.lib.sse import SseDecoder
from tests.support.generations.stream_reader import Stream
from tests.support.patience import Stopwatch, deadline
from tests.support.servers.server import Server


class OnlineMember:
    """A member with one browser."""

    def __init__(self, server: Server, client: httpx.Client) -> None:
        self.server, self._client = server, client

    def send(self, key: str, text: str = "Hello") -> httpx.Response:
        with self.sending(key, text) as response:
            response.read()
        return response

    @contextmanager
    def sending(self, key: str, text: str) -> Iterator[httpx.Response]:
        path, body = "/chat/messages", {"key": key.ljust(32, "0"), "text": text}
        if not key:
            path, body = "/chat/stream", {"prompt": text}
        headers = self._headers | {"Accept": "text/event-stream"}
        with self._client.stream("POST", path, json=body, headers=headers) as response:
            yield response

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self._client.get(path, headers=headers)

    def get_in_vain(self) -> None:
        with suppress(httpx.HTTPError):
            self.get("/chat/", Accept="text/html")

    def stop(self, generation_id: str) -> httpx.Response:
        path = f"/generations/{generation_id}/cancellation"
        return self._client.post(path, headers=self._headers)

    def send_until_accepted(self, key: str) -> float:
        """Repeat a send as the page does; return how many seconds it took."""
        give_up_at, took = deadline(), Stopwatch()
        while time.monotonic() < give_up_at:
            with self.sending(key, "Hello") as response:
                if response.status_code == 200:
                    return took.seconds
            time.sleep(0.2)
        raise AssertionError("the send is never accepted")

    @property
    def _headers(self) -> dict[str, str]:
        token = self._client.cookies["csrftoken"]
        return {"X-CSRFToken": token, "Origin": self.server.url, "Accept": "application/json"}


class Reading:
    """A stream that is read in a thread. Without a key, it is a temporary chat's."""

    def __init__(self, member: OnlineMember, key: str, text: str) -> None:
        self._member, self._key, self._text = member, key, text
        self.stream = Stream()
        self.generation_id = ""
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._read)

    def __enter__(self) -> "Reading":
        self._thread.start()
        assert self._begun.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(60)
        assert not self._thread.is_alive(), "the stream did not end"

    def _read(self) -> None:
        decoder = SseDecoder()
        with self._member.sending(self._key, self._text) as response:
            self.generation_id = response.headers["X-Generation-Id"]
            for chunk in response.iter_raw():
                self.stream.feed(decoder, chunk)
                self._begun.set()
