"""End an answer at the first of the request's stop sequences.

Models with OpenAI's schema support these, others do not, so it is done here for all. What follows
is still read, because the usage comes last, but not relayed.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from chat.upstream.events import Event, Finished, Reasoning, Text, ToolCallPiece


class StopSequenceFilter:
    """Cut the text of one answer before the first stop sequence, even if it spans pieces."""

    def __init__(self, stops: tuple[str, ...]) -> None:
        self.has_ended = False
        self._stops = stops
        self._held = ""

    def feed(self, text: str) -> str:
        """Return the text that can be relayed; a possible start of a stop sequence is held back."""
        if self.has_ended:
            return ""
        text, self._held = self._held + text, ""
        places = [place for stop in self._stops if (place := text.find(stop)) >= 0]
        if places:
            self.has_ended = True
            return text[: min(places)]
        keep = max(_overlap(text, stop) for stop in self._stops)
        shown = len(text) - keep
        self._held = text[shown:]
        return text[:shown]

    def rest(self) -> str:
        """Return the text held back, which turned out not to be a stop sequence."""
        held, self._held = self._held, ""
        return held


def until_stop(events: AsyncGenerator[Event], stops: tuple[str, ...]) -> AsyncGenerator[Event]:
    """Return the events of an answer as if it had ended at the first of `stops`."""
    return _cut(events, StopSequenceFilter(stops)) if stops else events


async def _cut(events: AsyncGenerator[Event], cutter: StopSequenceFilter) -> AsyncGenerator[Event]:
    async with aclosing(events):
        async for event in events:
            if isinstance(event, Text):
                if text := cutter.feed(event.text):
                    yield Text(text)
                continue
            if isinstance(event, Finished):
                if rest := cutter.rest():
                    yield Text(rest)
                if cutter.has_ended:
                    event = replace(event, complete=True, finish_reason="stop", tool_calls=[])
            if not (isinstance(event, Reasoning | ToolCallPiece) and cutter.has_ended):
                yield event


def _overlap(text: str, stop: str) -> int:
    """Return the length of the end of `text` that may begin `stop`."""
    for length in range(min(len(stop) - 1, len(text)), 0, -1):
        if text.endswith(stop[:length]):
            return length
    return 0
