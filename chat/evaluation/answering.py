"""Answer one item of a dataset as a run says, and let the judge say what it thinks of the answer.

The answer comes from the same core as those of chats: its limits, its prompt that fits the model's
window, its retries. Only the fallback model is left out, because another model's answer would say
nothing about the one that is tested.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic

from chat.accounts.principals import NOBODY, Principal
from chat.conversations.prompt import PromptMessage, estimate_tokens
from chat.database import threads
from chat.errors import ChatError, ShuttingDown, UpstreamTimeout
from chat.evaluation.errors import STOPPING, NoAnswer
from chat.evaluation.models import DatasetItem, EvaluationRun
from chat.generations.billing import charging
from chat.generations.billing.charging import estimate
from chat.generations.billing.pricing import amount_of, usage_of
from chat.generations.delivery.encoders.whole import WholeAnswer
from chat.generations.delivery.responses import collect
from chat.generations.send.document_query import query_of_messages
from chat.generations.send.judging import judge_in_use, judge_text
from chat.generations.send.passages import WHOLE_TOKENS, passages_for, with_passages
from chat.generations.send.start import start_temporary
from chat.knowledge.citations import CitationFilter
from chat.knowledge.given import GivenPassages
from chat.lib.catalogue import Model
from chat.quotas.amounts import NOTHING, Amount
from chat.upstream import available_models
from chat.upstream.judging.client import JudgedState
from chat.upstream.request import CompletionRequest
from chat.upstream.think_tags import without_reasoning

#: An answer that takes longer is stopped, and counts as failed.
ANSWER_SECONDS = 180.0
JUDGE_SECONDS = 20.0
#: Of a judge's estimate: what it is asked about, beside the question and the answer.
JUDGE_TOKENS = 600


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model answered, from which passages, and what it cost; or why it answered nothing."""

    text: str
    given: GivenPassages
    microdollars: int
    milliseconds: int
    error: ChatError | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The judge's probabilities; None if it failed, for which `problem` is the code."""

    probabilities: dict[str, float] | None = None
    microdollars: int = 0
    problem: str = ""


def principal_of_run(run: EvaluationRun) -> Principal:
    """Return on whose behalf a run asks: nobody's, with the limits of evaluations."""
    return Principal(key=f"evaluation:{run.pk}", user_id=NOBODY, is_evaluation=True)


def prompt_of(run: EvaluationRun, item: DatasetItem) -> list[PromptMessage]:
    """Return what the model reads: the run's instructions, if it has any, replace the item's."""
    said = [PromptMessage(each["role"], each["content"]) for each in item.messages]
    if run.system_prompt is None:
        return said
    own = [PromptMessage("system", run.system_prompt)] if run.system_prompt else []
    return [*own, *(each for each in said if each.role != "system")]


def models_of(run: EvaluationRun) -> tuple[Model | None, Model | None]:
    """Return the models that answer and judge; None: that isn't done. Raise `UnknownModel`."""
    asks = not run.is_of_stored_answers
    model = available_models.find(run.model) if asks else None
    return model, judge_in_use() if run.is_judged else None


def most_expensive(run: EvaluationRun, items: Sequence[DatasetItem]) -> Amount:
    """Return what a run costs at most. Raise `UnknownModel`."""
    model, judge = models_of(run)
    return sum((_most_for(run, item, model, judge) for item in items), NOTHING)


def _most_for(
    run: EvaluationRun, item: DatasetItem, model: Model | None, judge: Model | None
) -> Amount:
    total, answer_tokens = NOTHING, estimate_tokens(item.answer)
    prompt = prompt_of(run, item)
    if model:
        answer = estimate(prompt, model, run.max_tokens, None)
        answer_tokens = answer.max_tokens
        total += answer.most
        if run.collection_id:
            total += amount_of(model, usage_of(WHOLE_TOKENS, 0))
    if judge:
        tokens = JUDGE_TOKENS + estimate_tokens(item.question) + answer_tokens
        total += amount_of(judge, usage_of(tokens, 0))
    return total


async def answer(run: EvaluationRun, item: DatasetItem) -> Answered:
    """Return the answer to an item, or why there is none.

    Raise `ShuttingDown`, one of `STOPPING`, or what went wrong before the model was asked.
    """
    began = monotonic()
    principal, model = principal_of_run(run), available_models.find(run.model)
    question = CompletionRequest(
        messages=prompt_of(run, item),
        model=model.id,
        max_tokens=run.max_tokens,
        parameters=run.parameters,
        metadata={"principal": principal.key},
    )
    given = await passages_of(run, item)
    if given:
        question = replace(question, messages=with_passages(question.messages, given))
    given = given or GivenPassages()
    text, error, microdollars = await _written(principal, question, model)
    text = _without_citations(without_reasoning(text), given)
    return Answered(text, given, microdollars, round((monotonic() - began) * 1000), error)


async def passages_of(run: EvaluationRun, item: DatasetItem) -> GivenPassages | None:
    """Return the passages of the run's documents for a question; None: it has none, or no room."""
    if run.collection_id is None:
        return None
    model, messages = available_models.find(run.model), prompt_of(run, item)
    query = query_of_messages([run.collection_id], messages, run.max_tokens, model)
    return await passages_for(principal_of_run(run), query)


async def _written(
    principal: Principal, question: CompletionRequest, model: Model
) -> tuple[str, ChatError | None, int]:
    """Return what the model wrote, or why it failed, and what was charged for it."""
    live = await start_temporary(
        principal, question, model, None, is_resumable=False, is_message=False
    )
    written, error = WholeAnswer(), None
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await collect(live, principal, written)
    except (ShuttingDown, *STOPPING):
        raise
    except (TimeoutError, ChatError) as failure:
        late = UpstreamTimeout(detail="evaluation")
        error = failure if isinstance(failure, ChatError) else late
        live.stop()
        await live.done()
    if error is None and not written.text.strip():
        error = NoAnswer()
    charged = await threads.readers.run(charging.charged_microdollars, live.id)
    return "" if error else written.text, error, charged


async def judge(
    run: EvaluationRun, item: DatasetItem, text: str, given: GivenPassages | None = None
) -> Judged:
    """Return what the site's judge says of an answer; `given` None: the passages are looked up.

    Raise `ChatError`.
    """
    model = judge_in_use()
    if model is None:
        return Judged(problem="no_judge")
    given = given or await passages_of(run, item) or GivenPassages()
    state = JudgedState(item.question, text, tuple(each.text for each in given.items))
    judged = await judge_text(principal_of_run(run), model, state, JUDGE_SECONDS)
    return Judged(judged.probabilities, judged.microdollars)


def _without_citations(text: str, given: GivenPassages) -> str:
    """Return the answer without numbers of passages that it wasn't given."""
    reader = CitationFilter(given.numbers)
    return reader.feed(text) + reader.rest()
