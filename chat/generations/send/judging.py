"""Judge a question or an answer: reserve the cost, ask the judge, settle what it was."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from chat.accounts.principals import Principal
from chat.conversations.prompt import estimate_tokens
from chat.errors import UpstreamTimeout
from chat.generations.billing.pricing import amount_of, usage_of
from chat.generations.send.document_calls import ask_within_limits
from chat.generations.send.masking import masked_texts
from chat.lib.catalogue import Model
from chat.site_settings import effective
from chat.site_settings.topics import Topic
from chat.upstream import available_models, factory
from chat.upstream.events import Usage
from chat.upstream.judging.categories import questions_about
from chat.upstream.judging.client import GUARD_TOKENS, JudgedState, Judgement, judge
from chat.upstream.rate_limit import wait_for_slot

#: A longer text is judged in parts, so that nothing hides in it, nor where two of them meet.
MAX_PART_CHARS, MAX_OVERLAP_CHARS = 30_000, 1000
PARTS_AT_ONCE = 16
MAX_PASSAGE_CHARS = 8_000
#: How probable a topic has to be.
LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class JudgedText:
    """What a judge says of a text: the probability of each category, and what it did cost."""

    model: str
    probabilities: dict[str, float]
    microdollars: int
    milliseconds: int
    topic: str = ""  # the most probable one that is likely; empty if none is, or none was asked


def judge_in_use() -> Model | None:
    """Return the model that judges messages; None if none does."""
    return available_models.find_judge_model(effective.judge_model())


async def judge_text(
    principal: Principal,
    model: Model,
    state: JudgedState,
    seconds: float,
    topics: Sequence[Topic] = (),
) -> JudgedText:
    """Return the verdict on the answer, or else on the question; and its topic, of these.

    Raise `QuotaExceeded` or `UpstreamError`; it takes at most `seconds`. Of several parts, the most
    probable counts for each category.
    """
    question, answer, *passages = await masked_texts(
        principal, [state.question, state.answer, *state.passages]
    )
    state = JudgedState(question, answer, tuple(passages))
    questions = {}
    if model.task == "decision":
        questions = questions_about(is_answer=bool(state.answer), has_passages=bool(state.passages))
        questions |= {_key(number): each.question for number, each in enumerate(topics)}
    parts = _parts(state, min(MAX_PART_CHARS, max(1, model.context_window // 2)))
    estimates = [_estimated(model, part, questions) for part in parts]
    estimated = sum(estimates, Usage())

    async def ask() -> tuple[list[Judgement], Usage]:
        try:
            async with asyncio.timeout(seconds):
                judged = await _judge_all(principal, model, parts, questions)
        except TimeoutError:
            raise UpstreamTimeout(detail="judge") from None
        return judged, _used(judged, estimates)

    began = monotonic()
    amount = amount_of(model, estimated)
    judged = await ask_within_limits(
        principal, model, amount, ask, estimated.prompt_tokens, is_message=False
    )
    cost = amount_of(model, _used(judged, estimates)).microdollars
    milliseconds = round((monotonic() - began) * 1000)
    worst = _worst(judged)
    of_topics = {each.name: worst.pop(_key(n), 0.0) for n, each in enumerate(topics)}
    topic = max(of_topics, key=lambda name: of_topics[name], default="")
    is_likely = of_topics.get(topic, 0.0) >= LIKELY
    return JudgedText(model.id, worst, cost, milliseconds, topic if is_likely else "")


def topics_of(model: Model) -> list[Topic]:
    """Return the topics that this judge can be asked for: only decision models answer questions."""
    return effective.topics() if model.task == "decision" else []


def _key(topic: int) -> str:
    return f"topic_{topic + 1}"


async def _judge_all(
    principal: Principal, model: Model, parts: Sequence[JudgedState], questions: dict[str, str]
) -> list[Judgement]:
    """Judge several parts at once: one after the other, a long text would be too slow to judge."""
    places = asyncio.Semaphore(PARTS_AT_ONCE)

    async def judged(part: JudgedState) -> Judgement:
        async with places:
            return await _judge(principal, model, part, questions)

    tasks = [asyncio.create_task(judged(part)) for part in parts]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


async def _judge(
    principal: Principal, model: Model, part: JudgedState, questions: dict[str, str]
) -> Judgement:
    await wait_for_slot(model)
    return await judge(factory.client_for(model), model, part, questions, principal.key)


def _parts(state: JudgedState, most: int) -> list[JudgedState]:
    """Return the state in parts of which none is too long for the judge."""
    text, overlap = state.judged, min(MAX_OVERLAP_CHARS, most // 4)
    starts = range(0, max(1, len(text) - overlap), most - overlap)
    pieces = [text[start : start + most] for start in starts]
    if not state.answer:
        return [JudgedState(piece) for piece in pieces]
    question = state.question[: most // 4]
    passages = _shortened(state.passages)
    return [JudgedState(question, piece, passages) for piece in pieces]


def _shortened(passages: tuple[str, ...]) -> tuple[str, ...]:
    kept, left = [], MAX_PASSAGE_CHARS
    for each in passages:
        if left <= 0:
            break
        kept.append(each[:left])
        left -= len(each)
    return tuple(kept)


def _estimated(model: Model, part: JudgedState, questions: dict[str, str]) -> Usage:
    texts = (part.question, part.answer, *part.passages, *questions.values())
    tokens = sum(map(estimate_tokens, texts))
    return usage_of(tokens, GUARD_TOKENS if model.task == "guard" else 0)


def _used(judged: list[Judgement], estimates: list[Usage]) -> Usage:
    used = [each.usage or guess for each, guess in zip(judged, estimates, strict=True)]
    return sum(used, Usage())


def _worst(judged: list[Judgement]) -> dict[str, float]:
    worst: dict[str, float] = {}
    for each in judged:
        for name, value in each.probabilities.items():
            worst[name] = max(value, worst.get(name, 0.0))
    return worst
