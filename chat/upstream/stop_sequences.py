"""Ending an answer where it says one of the texts that a request names as its end.

Models with OpenAI's schema do it themselves and others cannot, so it is done here for all. What
comes after the end is still read, for the figures of the answer come last; nobody is shown it.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from chat.upstream.events import Event, Finished, Reasoning, Text


class StopCutter:
    """Cuts the text of one answer before the first of `stops`, wherever its pieces are cut."""

    def __init__(self, stops: tuple[str, ...]) -> None:
        self.has_ended = False
        self._stops = stops
        self._held = ""

    def feed(self, text: str) -> str:
        """Return what can be shown by now; what may be the beginning of an end is held back."""
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
        """Return what was held back and was no end after all."""
        held, self._held = self._held, ""
        return held


def until_stop(events: AsyncGenerator[Event], stops: tuple[str, ...]) -> AsyncGenerator[Event]:
    """Return the events of an answer as if it had ended at the first of `stops`."""
    return _cut(events, StopCutter(stops)) if stops else events


async def _cut(events: AsyncGenerator[Event], cutter: StopCutter) -> AsyncGenerator[Event]:
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
            if not (isinstance(event, Reasoning) and cutter.has_ended):
                yield event


def _overlap(text: str, stop: str) -> int:
    """Return how much of the end of `text` may be the beginning of `stop`."""
    for length in range(min(len(stop) - 1, len(text)), 0, -1):
        if text.endswith(stop[:length]):
            return length
    return 0
