"""Answer a question as a website's chat would, and show what the answer is based on.

Nothing is stored, and whoever tries it pays for it.
"""

import json
from dataclasses import dataclass, replace
from hashlib import sha256

from django.conf import settings
from django.utils.translation import get_language

from chat.accounts.principals import Principal
from chat.conversations.generation_settings import system_messages
from chat.conversations.prompt import PromptMessage
from chat.database import threads
from chat.generations.delivery.encoders.whole import WholeAnswer
from chat.generations.delivery.responses import collect
from chat.generations.send.document_query import DocumentQuery, query_of_messages
from chat.generations.send.nearest import nearest
from chat.generations.send.no_answer import text_without_answer
from chat.generations.send.passages import passages_for, with_passages
from chat.generations.send.start import start_temporary
from chat.knowledge.access import searched_for_visitors
from chat.knowledge.citations import CitationFilter
from chat.knowledge.given import GivenPassage, GivenPassages
from chat.knowledge.models import Collection
from chat.lib.catalogue import Model
from chat.personas.settings import GenerationSettings
from chat.upstream import available_models
from chat.upstream.request import CompletionRequest
from chat.widget_sites.models import AnswerMode, WidgetSite
from chat.widget_sites.visitor_generation_settings import visitor_settings_of


@dataclass(frozen=True, slots=True)
class Tried:
    """An answer with its sources. `found` are the nearest passages, whether given or not."""

    answer: str
    found: list[GivenPassage]
    cited: list[GivenPassage]
    is_by_words: bool
    cost_usd: float | None

    @property
    def numbered(self) -> list[tuple[GivenPassage, int | None]]:
        """Return what was found, each with the number that the answer cites it by, if it does."""
        cited = {(each.document, each.start): each.number for each in self.cited}
        return [(each, cited.get((each.document, each.start))) for each in self.found]

    @property
    def cited_sources(self) -> set[str]:
        return {each.source for each in self.cited}


async def try_question(principal: Principal, site: WidgetSite, text: str) -> Tried:
    """Return what a visitor would get. Raise what `start_temporary` raises."""
    question, model, query = await threads.readers.run(_prepared, site, text)
    given = await passages_for(principal, query)
    if given and given.found is not None:
        found, is_by_words = list(given.found), given.vector is None
    else:  # a small collection is given whole, without a search
        near = await nearest(principal, query)
        found, is_by_words = near.passages, near.is_by_words
    if given and given.no_answer:
        answer = text_without_answer(get_language() or settings.LANGUAGE_CODE)
        return Tried(answer, found, [], is_by_words, 0.0)
    if given:
        question = replace(question, messages=with_passages(question.messages, given))
    answer, cost = await _ask(principal, question, model)
    answer, cited = _cited(answer, given or GivenPassages())
    return Tried(answer, found, cited, is_by_words, cost)


def state_of(site: WidgetSite) -> str:
    """Return a hash of what answers to a website's visitors depend on besides the question."""
    wanted = visitor_settings_of(site.key) or GenerationSettings()
    collections = Collection.objects.filter(pk__in=searched_for_visitors(site.key))
    versions = collections.order_by("pk").values_list("pk", "version")
    model = available_models.id_of(wanted.model)
    state = [site.answer_mode, model, wanted.as_stored(), [*versions]]
    return sha256(json.dumps(state, sort_keys=True, default=str).encode()).hexdigest()


def _prepared(site: WidgetSite, text: str) -> tuple[CompletionRequest, Model, DocumentQuery]:
    wanted = visitor_settings_of(site.key) or GenerationSettings()
    model = available_models.find(available_models.id_of(wanted.model))
    messages = [*system_messages(wanted, ""), PromptMessage("user", text)]
    question = CompletionRequest(
        messages=messages,
        model=model.id,
        max_tokens=wanted.max_tokens or settings.MAX_TOKENS,
        parameters=wanted.parameters,
        reasoning_effort=wanted.reasoning_effort,
    )
    collections = searched_for_visitors(site.key)
    query = query_of_messages(collections, messages, question.max_tokens, model)
    return question, model, replace(query, mode=AnswerMode(site.answer_mode))


async def _ask(
    principal: Principal, question: CompletionRequest, model: Model
) -> tuple[str, float | None]:
    live = await start_temporary(principal, question, model, is_resumable=False)
    written = WholeAnswer()
    await collect(live, principal, written)
    usage = written.body().get("usage") or {}
    return written.text, usage.get("cost_usd")


def _cited(answer: str, given: GivenPassages) -> tuple[str, list[GivenPassage]]:
    citations = CitationFilter(given.numbers)
    shown = citations.feed(answer) + citations.rest()
    return shown, [each for each in given.items if each.number in citations.cited]
