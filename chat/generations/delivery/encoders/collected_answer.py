"""Collect the frames of an answer that is sent whole."""

from typing import Any

from msgspec import Raw

from chat.generations.delivery.encoders.base import FrameReader


class CollectedAnswer:
    """The parts that formats make one object from. `error` has `code`, `message`, `retryable`."""

    def __init__(self) -> None:
        self._reader = FrameReader()
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self.log_probs: list[Raw] = []
        self.last: dict[str, Any] = {}  # the terminal payload
        self.error: dict[str, Any] | None = None

    def take(self, frames: bytes) -> None:
        for _seq, payload in self._reader.read(frames):
            if payload is None:
                continue
            self._text.append(payload["response"])
            self._reasoning.append(payload.get("reasoning", ""))
            if log_prob := payload.get("logprob"):
                self.log_probs.append(log_prob)
            self.error = payload.get("error", self.error)
            if "state" in payload:
                self.last = payload

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def reasoning(self) -> str:
        return "".join(self._reasoning)

    @property
    def is_whole(self) -> bool:
        return finish_reason(self.last) is not None


def finish_reason(last: dict[str, Any]) -> str | None:
    """Return the finish reason of the terminal payload `last`; None if the answer is incomplete.

    Models of the native format report none, but clients need one. An answer that its reader stopped
    counts as complete.
    """
    if last.get("state") not in {"complete", "stopped"}:
        return None
    reason = str(last.get("finish_reason") or "stop")
    if reason in {"stop", "tool_calls"}:  # a call that the length limit cut must not be run
        return "tool_calls" if last.get("tool_calls") else "stop"
    return reason


def arguments_of(call: dict[str, Any], last: dict[str, Any]) -> str:
    """Return the arguments of a tool call of `last`: an empty object if the model wrote none."""
    return str(call["arguments"] or ("" if finish_reason(last) == "length" else "{}"))
