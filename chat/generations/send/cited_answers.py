"""Tell readers of an answer what it may cite, and drop citations of anything else."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from chat.errors import ChatError
from chat.knowledge.citations import CitationFilter
from chat.knowledge.given import GivenPassages
from chat.upstream.events import AnswerOpened, Event, Sources, Text


async def with_citations(
    events: AsyncGenerator[Event], given: GivenPassages
) -> AsyncGenerator[Event]:
    """Yield the events of an answer with its sources, and its text with its true citations."""
    citations = CitationFilter(given.numbers)
    async with aclosing(events):
        try:
            async for event in events:
                if isinstance(event, Text):
                    if text := citations.feed(event.text):
                        yield Text(text)
                    continue
                if rest := citations.rest():
                    yield Text(rest)
                yield event
                if isinstance(event, AnswerOpened):
                    yield Sources(given.as_stored())
        except ChatError:
            if rest := citations.rest():
                yield Text(rest)
            raise
    if rest := citations.rest():
        yield Text(rest)
