"""Tell readers of an answer what it may cite, and drop citations of anything else."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from chat.errors import ChatError
from chat.knowledge.citations import CitationFilter
from chat.knowledge.given import GivenPassages
from chat.upstream.events import AnswerOpened, Event, Finished, Sources, Text


async def with_citations(
    events: AsyncGenerator[Event],
    given: GivenPassages,
    *,
    for_visitor: bool,
    text_before: str = "",
    is_json: bool = False,
) -> AsyncGenerator[Event]:
    """Yield the events of an answer with its sources, and its text with its true citations.

    Members get all sources at the beginning, with their places; visitors get the names of those
    that the answer cites, at its end. An answer that is continued begins with `text_before`, which
    may end within code. In JSON, numbers in brackets are values.
    """
    citations = CitationFilter(given.numbers)
    citations.feed(text_before)
    citations.rest()
    async with aclosing(events):
        try:
            async for event in events:
                if isinstance(event, Text) and not is_json:
                    if text := citations.feed(event.text):
                        yield Text(text)
                    continue
                if rest := citations.rest():
                    yield Text(rest)
                if isinstance(event, Finished) and for_visitor:
                    cited = [each for each in given.items if each.number in citations.cited]
                    shown = [each.as_shown(is_openable=False) for each in (*cited, *given.related)]
                    yield Sources(shown, is_unanswered=given.no_answer)
                yield event
                if isinstance(event, AnswerOpened) and not for_visitor:
                    yield Sources([each.as_shown(is_openable=True) for each in given.items])
        except ChatError:
            if rest := citations.rest():
                yield Text(rest)
            raise
    if rest := citations.rest():
        yield Text(rest)
