"""Helpers for the tests of encoders."""

import json
import uuid
from typing import Any

from chat.generations.delivery.encoders.base import Encoder
from chat.generations.log.frames import frames_of, terminal
from chat.generations.result import Problem, Result
from chat.lib.sse import SseDecoder
from chat.upstream.events import AnswerOpened, Event, Reasoning, Text, Usage

ID = uuid.UUID(int=7)
WORDS = ["New", " York", "\nis <b>big</b> & \r\n", "", "日本 🌊 \u2028"]
SAID = "".join(WORDS)
BUSY = Problem("upstream_busy", "The model provider is <busy>.", True)


def log_of(
    state: str, *pieces: Event, problem: Problem | None = None, reason: str = ""
) -> list[bytes]:
    """Return the frames of an answer, as in its log."""
    frames: list[bytes] = []
    for event in (AnswerOpened("@cf/x/y", omitted_messages=3), *pieces):
        frames += frames_of(event, len(frames) + 1)
    result = Result(
        state, len(SAID), len(frames), finish_reason=reason or None, problem=problem,
        usage=Usage(3, 4, 7),
    )  # fmt: skip
    return [*frames, *terminal(result)]


def complete(reason: str = "") -> list[bytes]:
    reasoning = Reasoning("I think.")
    return log_of("complete", reasoning, *(Text(word) for word in WORDS if word), reason=reason)


def encoded(encoder: Encoder, frames: list[bytes]) -> bytes:
    """Encode one frame per send, with a heartbeat between each two."""
    parts = [encoder.opening(0, b"")]
    for frame in frames:
        parts += [encoder.heartbeat(), encoder.frames(frame)]
    return b"".join([*parts, encoder.closing()])


def events(encoder: Encoder, frames: list[bytes]) -> list[Any]:
    """Return the data of each event, with `[DONE]` as None."""
    found = SseDecoder().feed(encoded(encoder, frames))
    return [None if each.data == "[DONE]" else json.loads(each.data) for each in found]
