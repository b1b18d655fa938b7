"""Read our stream format in tests, as an external program would."""

import json
from collections.abc import AsyncIterable
from dataclasses import dataclass, field
from typing import Any

from chat.lib.sse import SseDecoder

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


@dataclass
class Stream:
    """A stream that was read: `ids` and `payloads` in order, `done` if `[DONE]` came."""

    ids: list[int] = field(default_factory=list)
    payloads: list[dict[str, Any]] = field(default_factory=list)
    done: bool = False

    @property
    def text(self) -> str:
        return "".join(payload["response"] for payload in self.payloads)

    @property
    def reasoning(self) -> str:
        return "".join(payload.get("reasoning", "") for payload in self.payloads)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return IDs and payloads, without events that only open a stream or keep it open."""
        numbered = zip(self.ids, self.payloads, strict=False)
        return [each for each in numbered if each[1] != {"response": ""}]

    def key(self, name: str) -> Any:
        """Return the value of `name` in the last event that has it."""
        return next((p[name] for p in reversed(self.payloads) if name in p), None)

    def feed(self, decoder: SseDecoder, chunk: bytes) -> None:
        for event in decoder.feed(chunk):
            self.ids.append(int(event.id.rpartition(".")[2]))
            if event.data == "[DONE]":
                self.done = True
            else:
                self.payloads.append(json.loads(event.data))


async def read_stream(response: Any, sends: list[bytes] | None = None) -> Stream:
    """Read a streaming response of Django's test client (or any chunks) to its end."""
    chunks: AsyncIterable[bytes] = getattr(response, "streaming_content", response)
    stream, decoder = Stream(), SseDecoder()
    async for chunk in chunks:
        if sends is not None:
            sends.append(chunk)
        stream.feed(decoder, chunk)
    return stream


def frames_end_whole(sends: list[bytes]) -> bool:
    """Return True if each send consists of whole frames and is at most 16 KB long."""
    return all(send.endswith(b"\n\n") and len(send) <= 16 * 1024 for send in sends)


async def read_text(response: Any) -> str:
    """Return the text of a streamed file."""
    return b"".join([piece async for piece in response.streaming_content]).decode()
