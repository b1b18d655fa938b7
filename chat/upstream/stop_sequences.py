"""End an answer at the first of the request's stop sequences.

Models with OpenAI's schema support these, others do not, so it is done here for all. What follows
is still read, because the usage comes last, but not relayed.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from chat.upstream.events import Event, Finished, LogProb, Reasoning, Text, ToolCallPiece


class StopSequenceFilter:
    """Cut the text of one answer before the first stop sequence, even if it spans pieces."""

    def __init__(self, stops: tuple[str, ...]) -> None:
        self.has_ended = False
        self._matchers = [_Matcher(stop) for stop in stops]
        self._held = ""

    def feed(self, text: str) -> str:
        """Return the text that can be relayed; a possible start of a stop sequence is held back."""
        if self.has_ended:
            return ""
        held = len(self._held)
        places = [matcher.feed(text) for matcher in self._matchers]
        text, self._held = self._held + text, ""
        matches = [held + place for place in places if place is not None]
        if matches:
            self.has_ended = True
            return text[: min(matches)]
        shown = len(text) - max(matcher.matched for matcher in self._matchers)
        self._held = text[shown:]
        return text[:shown]

    def rest(self) -> str:
        """Return the text held back, which turned out not to be a stop sequence."""
        held, self._held = self._held, ""
        return held


class _Matcher:
    """Find a word in a text that comes in pieces, in linear time (Knuth, Morris and Pratt).

    Comparing the beginnings of the word with the end of each piece would take the square of its
    length, which a program chooses.
    """

    def __init__(self, word: str) -> None:
        self.matched = 0  # characters at the end of the text that may begin the word
        self._word = word
        #: For each beginning of the word, how much of its end is a shorter beginning.
        self._borders = [0] * len(word)
        border = 0
        for place in range(1, len(word)):
            border = self._after(border, word[place])
            self._borders[place] = border

    def feed(self, text: str) -> int | None:
        """Return where the word starts, counted from this text's start; None if it isn't there."""
        if not self.matched and self._word[0] not in text:  # the usual case
            return None
        for place, char in enumerate(text, start=1):
            self.matched = self._after(self.matched, char)
            if self.matched == len(self._word):
                return place - len(self._word)
        return None

    def _after(self, matched: int, char: str) -> int:
        """Return how much of the word's beginning is matched after one more character."""
        while matched and self._word[matched] != char:
            matched = self._borders[matched - 1]
        return matched + (self._word[matched] == char)


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
            if not (isinstance(event, Reasoning | ToolCallPiece | LogProb) and cutter.has_ended):
                yield event
