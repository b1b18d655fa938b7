"""Find the passages of documents that belong to a question, before its answer is stored.

This is between planning a send and storing it, because it may ask the provider for the question's
vector, and because the passages are part of what an answer costs.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.conf import settings
from msgspec import structs

from chat.accounts.principals import Principal
from chat.conversations.prompt import BYTES_PER_TOKEN, PromptMessage, estimate_tokens
from chat.database import threads
from chat.generations.send.document_query import DocumentQuery, without_sources
from chat.generations.send.nearest import nearest, numbered
from chat.knowledge import excerpts
from chat.knowledge.given import GivenPassage, GivenPassages
from chat.lib.words import words_of
from chat.widget_sites.models import AnswerMode

#: Collections that are no longer than this are given whole, always in the same order, so that the
#: provider can reuse what it has read.
WHOLE_TOKENS = 6000
PASSAGE_TOKENS = 4000
#: Links to pages under an answer that says that it found none.
MOST_RELATED = 3
#: A question of so few words says what it is about only together with the one before it.
FEW_WORDS = 4
TOKENS_PER_PASSAGE = 20  # the marks around it


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
        mode = query.mode or AnswerMode.FREELY
        again = await threads.readers.run(_again, query.given_before, query.collections, mode)
        if again.no_answer:
            raise without_sources()
        return again
    given = await threads.searchers.run(_all_passages, query)
    if query.mode is not None:
        return await _for_website(principal, query, query.mode, given)
    if given is None:
        given = _fitting(query, (await nearest(principal, query)).passages)
    return given


async def _for_website(
    principal: Principal, query: DocumentQuery, mode: AnswerMode, whole: GivenPassages | None
) -> GivenPassages | None:
    """Return the passages, and whether any is about the question.

    If a small collection is given whole to a model that may answer freely, that isn't found out.
    """
    if whole and mode == AnswerMode.FREELY:
        return whole
    found, vector = await nearest(principal, query)
    found = sorted(found, key=lambda each: each.document != query.page)
    near, by_itself = found, replace(query, question_before="")
    follows = by_itself.text != query.text
    if follows:
        near, vector = await nearest(principal, by_itself)
    about: bool | None = any(each.is_relevant for each in near)
    # "How much is this?" has no word of the page, nor "And in winter?" of what was asked before.
    may_refer = any(each.is_relevant or each.document == query.page for each in found)
    is_part = follows and bool(found) and len(list(words_of(query.question))) <= FEW_WORDS
    if not about and (may_refer or is_part):
        about = None
    given = whole or _fitting(query, found)
    if mode == AnswerMode.ONLY and (given is None or about is False):
        return GivenPassages(
            mode=mode, is_relevant=about, related=_pages(found), vector=vector, found=found
        )
    if given is None:
        return None
    return structs.replace(given, mode=mode, is_relevant=about, vector=vector, found=found)


def _pages(passages: Sequence[GivenPassage]) -> list[GivenPassage]:
    """Return the best passages of public pages, one of each."""
    pages = {each.document: each for each in reversed(passages) if each.address}
    best = [each for each in passages if pages.get(each.document) is each][:MOST_RELATED]
    return [
        structs.replace(each, number=number, is_related=True)
        for number, each in enumerate(best, start=1)
    ]


def _again(
    passages: Sequence[GivenPassage], collections: list[UUID], mode: AnswerMode
) -> GivenPassages:
    """Return passages that were given before, as far as they are still in these collections."""
    cited = [each for each in passages if not each.is_related]
    return GivenPassages(excerpts.with_texts(cited, collections), mode=mode)


def _all_passages(query: DocumentQuery) -> GivenPassages | None:
    """Return None if they are too long."""
    from chat.knowledge import search  # with numpy, which commands don't need

    budget = query.budget(WHOLE_TOKENS)
    hits = search.whole(
        query.collections, settings.KNOWLEDGE_EMBEDDING_MODEL, budget * BYTES_PER_TOKEN
    )
    if hits is None or len(hits) * TOKENS_PER_PASSAGE > budget:
        return None
    items = excerpts.with_texts(numbered(hits), query.collections)
    if sum(map(_tokens, items)) > budget:
        return None
    return GivenPassages(items, is_whole=True)


def _fitting(query: DocumentQuery, passages: list[GivenPassage]) -> GivenPassages | None:
    """Return as many of the best passages as there is room for; None if none fits."""
    left = query.budget(PASSAGE_TOKENS)
    items: list[GivenPassage] = []
    for number, each in enumerate(passages, start=1):
        left -= _tokens(each)
        if left < 0:
            break
        items.append(structs.replace(each, number=number))
    return GivenPassages(items) if items or not passages else None


def _tokens(passage: GivenPassage) -> int:
    return estimate_tokens(passage.text + passage.section + passage.name) + TOKENS_PER_PASSAGE
