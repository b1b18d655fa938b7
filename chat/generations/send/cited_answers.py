"""Tell readers of an answer what it may cite, and drop citations of anything else."""

from collections.abc import AsyncGenerator, Sequence, Set
from contextlib import aclosing

from chat.errors import ChatError
from chat.knowledge.citations import CitationFilter
from chat.knowledge.given import GivenPassage, GivenPassages
from chat.upstream.events import AnswerOpened, Event, Finished, FoundPassages, Sources, Text


async def with_citations(
    events: AsyncGenerator[Event],
    given: GivenPassages | None,
    *,
    for_visitor: bool,
    found_before: Sequence[GivenPassage] = (),
    text_before: str = "",
    is_json: bool = False,
) -> AsyncGenerator[Event]:
    """Yield the events of an answer with its sources, and its text with its true citations.

    Members get all sources at the beginning, with their places, and what tools find when they have
    found it; visitors get the names of those that the answer cites, at its end. An answer that is
    continued begins with `text_before`, which may end within code, and may cite what tools had
    `found_before`. In JSON, numbers in brackets are values.
    """
    first = [*(given.items if given else ()), *found_before]
    known = list(first)
    citations = CitationFilter({each.number for each in first})
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
                if isinstance(event, FoundPassages):
                    citations.allow({each.number for each in event.passages})
                    known += event.passages
                    if not for_visitor:
                        yield _for_member(event.passages)
                    continue
                if isinstance(event, Finished) and for_visitor and (given or known):
                    yield _for_visitor(known, citations.cited, given)
                yield event
                has_sources = given is not None or bool(found_before)
                if isinstance(event, AnswerOpened) and has_sources and not for_visitor:
                    yield _for_member(first)
        except ChatError:
            if rest := citations.rest():
                yield Text(rest)
            raise
    if rest := citations.rest():
        yield Text(rest)


def _for_visitor(
    known: Sequence[GivenPassage], cited: Set[int], given: GivenPassages | None
) -> Sources:
    """Return the passages that are cited, and pages that may help if none was."""
    shown = [each for each in known if each.number in cited]
    related = given.related if given else ()
    return Sources(
        [each.as_shown(is_openable=False) for each in (*shown, *related)],
        is_unanswered=given is not None and given.no_answer,
    )


def _for_member(passages: Sequence[GivenPassage]) -> Sources:
    return Sources([each.as_shown(is_openable=True) for each in passages])
