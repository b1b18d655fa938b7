"""Find the passages of documents that belong to a question, before its answer is stored.

This is between planning a send and storing it, because it may ask the provider for the question's
vector, and because the passages are part of what an answer costs. Without that vector (the provider
is away, a limit is reached), words alone find them.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings

from chat.accounts.principals import Principal
from chat.conversations.attached_files import split_files
from chat.conversations.prompt import (
    BYTES_PER_TOKEN,
    PromptMessage,
    estimate_prompt_tokens,
    estimate_tokens,
)
from chat.conversations.sources.sources import sources_of
from chat.database import threads
from chat.errors import ChatError
from chat.generations.send.embedding import embed_texts
from chat.generations.send.history import History
from chat.generations.send.turn import Turn
from chat.knowledge import excerpts
from chat.knowledge.given import GivenPassage, GivenPassages
from chat.lib.catalogue import Model
from chat.upstream.embeddings.client import Vector

if TYPE_CHECKING:
    from chat.knowledge.search import FoundPassage

log = logging.getLogger(__name__)

EMBEDDING_SECONDS = 4.0
#: Of a question that was written, without files. What is longer says nothing more to a search.
QUERY_CHARACTERS = 2000
#: A question shorter than this may refer to the one before, as "And in winter?" does.
SHORT_QUESTION_CHARACTERS = 60
MOST_PASSAGES = 10
#: Collections that are no longer than this are given whole, always in the same order, so that the
#: provider can reuse what it has read.
WHOLE_TOKENS = 6000
PASSAGE_TOKENS = 4000
TOKENS_PER_PASSAGE = 20  # the marks around it
RULES_TOKENS = 150  # what the model is told about passages
#: Of a model's context window, at most so much is passages.
WINDOW_SHARE = 4


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """What to look for in which collections. The caller has checked access to them.

    `room_tokens` are left in the model's window besides the question.
    """

    collections: list[UUID]
    question: str
    question_before: str = ""
    window_tokens: int = 0
    room_tokens: int = 0
    #: Those of an answer that is continued, whose numbers have to stay.
    given_before: Sequence[GivenPassage] | None = None

    @property
    def text(self) -> str:
        """Return what is searched."""
        question = self.question.strip()[:QUERY_CHARACTERS]
        if self.question_before and len(question) < SHORT_QUESTION_CHARACTERS:
            return f"{self.question_before.strip()[:QUERY_CHARACTERS]}\n{question}"
        return question

    def budget(self, most_tokens: int) -> int:
        room = min(self.window_tokens // WINDOW_SHARE, self.room_tokens) - RULES_TOKENS
        return max(0, min(most_tokens, room))


def document_query(
    collections: list[UUID], turn: Turn, history: History, window_tokens: int, room_tokens: int
) -> DocumentQuery | None:
    """Return what to search for a turn; None to continue an answer that has no passages."""
    if turn.answer:
        given = sources_of([turn.answer.pk]).get(turn.answer.pk)
        if given is None:
            return None
        return DocumentQuery(collections, "", "", window_tokens, room_tokens, given)
    questions = [each.content for each in history.messages if each.role == "user"]
    question = split_files(turn.asking.text).text
    before = split_files(questions[-1]).text if questions else ""
    return DocumentQuery(collections, question, before, window_tokens, room_tokens)


def query_of_messages(
    collections: list[UUID], messages: Sequence[PromptMessage], max_tokens: int, model: Model
) -> DocumentQuery:
    """Return what to search for the last question of a chat that its client keeps."""
    questions = [each for each in messages if each.role == "user"]
    system = [each for each in messages if each.role == "system"]
    needed = max_tokens + estimate_prompt_tokens([*system, questions[-1]])
    asked = [split_files(each.content).text for each in questions[-2:]]
    window = model.context_window
    before = asked[0] if len(asked) > 1 else ""
    return DocumentQuery(collections, asked[-1], before, window, window - needed)


def with_passages(prompt: list[PromptMessage], given: GivenPassages) -> list[PromptMessage]:
    """Return the prompt with the passages.

    All passages of small collections are instructions, at the front, where they stay the same for
    each question. Those that were found for a question stand after it.
    """
    first = next((at for at, each in enumerate(prompt) if each.role != "system"), len(prompt))
    if given.is_whole and given.items:
        return [*prompt[:first], PromptMessage("system", given.as_prompt()), *prompt[first:]]
    last = max(at for at, each in enumerate(prompt) if each.role == "user")
    content = f"{prompt[last].content}\n\n{given.as_prompt()}"
    return [*prompt[:last], replace(prompt[last], content=content), *prompt[last + 1 :]]


async def passages_for(principal: Principal, query: DocumentQuery) -> GivenPassages | None:
    """Return all passages of small collections, and otherwise those nearest to the question.

    Return None if there is no room for any in the model's window.
    """
    if query.given_before is not None:
        return await threads.readers.run(_again, query.given_before, query.collections)
    given = await threads.searchers.run(_all_passages, query)
    if given is None:
        vector = await question_vector(principal, query.text)
        given = await threads.searchers.run(_nearest, query, vector)
    return given


async def question_vector(principal: Principal, text: str) -> "Vector | None":
    """Return the vector of a question; None if there is no model for it, or none that answers."""
    model = settings.EMBEDDING_MODELS.get(settings.KNOWLEDGE_EMBEDDING_MODEL)
    if model is None or not text:
        return None
    try:
        async with asyncio.timeout(EMBEDDING_SECONDS):
            embeddings = await embed_texts(principal, model, [text], is_message=False)
    except (ChatError, TimeoutError) as error:
        log.warning("searching documents by words alone: %s", error or "no vector in time")
        return None
    return embeddings.vectors[0]


def _again(passages: Sequence[GivenPassage], collections: list[UUID]) -> GivenPassages:
    """Return passages that were given before, as far as they are still in these collections."""
    return GivenPassages(excerpts.with_texts(passages, collections))


def _all_passages(query: DocumentQuery) -> GivenPassages | None:
    """Return None if they are too long."""
    from chat.knowledge import search  # with numpy, which many processes never need

    budget = query.budget(WHOLE_TOKENS)
    hits = search.whole(
        query.collections, settings.KNOWLEDGE_EMBEDDING_MODEL, budget * BYTES_PER_TOKEN
    )
    if hits is None or len(hits) * TOKENS_PER_PASSAGE > budget:
        return None
    items = excerpts.with_texts(_numbered(hits), query.collections)
    if sum(map(_tokens, items)) > budget:
        return None
    return GivenPassages(items, is_whole=True)


def _nearest(query: DocumentQuery, vector: "Vector | None") -> GivenPassages | None:
    from chat.knowledge import search

    hits = search.search(
        query.collections, query.text, vector, settings.KNOWLEDGE_EMBEDDING_MODEL, MOST_PASSAGES
    )
    left = query.budget(PASSAGE_TOKENS)
    items: list[GivenPassage] = []
    for each in excerpts.with_texts(_numbered(hits), query.collections):
        left -= _tokens(each)
        if left < 0:
            break
        items.append(each)
    return GivenPassages(items) if items or not hits else None


def _numbered(hits: "Sequence[FoundPassage]") -> list[GivenPassage]:
    """Return the passages with their numbers, but without names and texts."""
    return [
        GivenPassage(
            number=number,
            document=hit.document_id,
            name="",
            start=hit.passage.start,
            end=hit.passage.end,
            page=hit.passage.page,
            section=hit.passage.context,
        )
        for number, hit in enumerate(hits, start=1)
    ]


def _tokens(passage: GivenPassage) -> int:
    return estimate_tokens(passage.text + passage.section + passage.name) + TOKENS_PER_PASSAGE
