"""Ask a judge for the probabilities of a verdict.

There are three kinds: decision models (Clef) answer typed questions about a state; Llama Guard
writes the hazards that it sees, so that a probability is 0 or 1; moderation endpoints, in OpenAI's
form, have fixed categories. Only numbers and codes of what they answer are used.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from chat.errors import UpstreamDisconnected
from chat.lib.catalogue import Model
from chat.upstream.client import Upstream
from chat.upstream.documents.client import DocumentRequest, fetch_document
from chat.upstream.events import Usage
from chat.upstream.judging.categories import GUARD_CODES, HARMFUL, of_moderation, with_harmful
from chat.upstream.request import ProviderEndpoint

#: A verdict has some hundred bytes.
MAX_ANSWER_BYTES = 64 * 1024
#: Llama Guard writes one word and some codes.
GUARD_TOKENS = 64


@dataclass(frozen=True, slots=True)
class JudgedState:
    """What is judged: a question, or an answer to it with the passages that it is based on."""

    question: str
    answer: str = ""
    passages: tuple[str, ...] = ()

    @property
    def judged(self) -> str:
        return self.answer or self.question


@dataclass(frozen=True, slots=True)
class Judgement:
    """The probability of each category that the judge told, and what it has read."""

    probabilities: dict[str, float]
    usage: Usage | None = None


async def judge(
    upstream: Upstream,
    model: Model,
    state: JudgedState,
    questions: Mapping[str, str],
    principal_key: str,
) -> Judgement:
    """Return the judge's probabilities. Raise `UpstreamError`, also for an unusable answer."""
    url, body = _request(upstream.endpoint, model, state, questions)
    request = DocumentRequest(url, msgspec.json.encode(body), principal_key=principal_key)
    document = await fetch_document(upstream, request, MAX_ANSWER_BYTES)
    try:
        value = msgspec.json.decode(document)
        read = {"decision": _decision, "guard": _guard}.get(model.task, _moderation)
        judgement = read(value)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise UpstreamDisconnected(detail="no verdict") from None
    told = judgement.probabilities
    if model.task == "decision":
        if questions.keys() - told.keys():
            raise UpstreamDisconnected(detail="a question without an answer")
        told = {name: told[name] for name in questions}  # whatever else it says
    return Judgement(with_harmful(told), judgement.usage)


def _request(
    endpoint: ProviderEndpoint, model: Model, state: JudgedState, questions: Mapping[str, str]
) -> tuple[str, dict[str, Any]]:
    name = model.provider_id
    if model.task == "moderation":
        return endpoint.openai_url("moderations"), {"model": name, "input": state.judged}
    if model.task == "guard":
        said = [{"role": "user", "content": state.question}]
        if state.answer:
            said.append({"role": "assistant", "content": state.answer})
        about = {"messages": said, "max_tokens": GUARD_TOKENS, "stream": False}
        return endpoint.url(name), about if endpoint.is_workers_ai else {"model": name, **about}
    shown: dict[str, Any] = {"question": state.question}
    if state.answer:
        shown["answer"] = state.answer
    if state.passages:
        shown["passages"] = list(state.passages)
    asked = {key: {"type": "noul", "instructions": text} for key, text in questions.items()}
    body = {"model": name.rpartition("/")[2], "state": shown, "questions": asked}
    return endpoint.url(name), body


class _Answer(msgspec.Struct):
    noul: float


class _ReadTokens(msgspec.Struct):
    input_tokens: Annotated[int, msgspec.Meta(ge=0)]


class _Answers(msgspec.Struct):
    answers: dict[str, _Answer]
    usage: _ReadTokens | None = None


def _decision(value: Any) -> Judgement:
    answers = msgspec.convert(_unwrapped(value), _Answers)
    read = answers.usage.input_tokens if answers.usage else None
    usage = None if read is None else Usage(read, 0, read)
    told = {name: _probability(each.noul) for name, each in answers.answers.items()}
    return Judgement(told, usage)


def _guard(value: Any) -> Judgement:
    """Read `safe`, or `unsafe` and the codes; Workers AI also says it as an object."""
    inner = _unwrapped(value)
    if not isinstance(inner, dict):
        raise msgspec.ValidationError("no object")
    said = inner.get("response")
    if said is None:
        said = _written(inner)
    if isinstance(said, dict):
        is_safe, codes = said.get("safe"), said.get("categories") or []
    else:
        is_safe, codes = _read_words(str(said))
    if not isinstance(is_safe, bool) or not isinstance(codes, list):
        raise msgspec.ValidationError("neither safe nor unsafe")
    probabilities = dict.fromkeys(GUARD_CODES.values(), 0.0)
    probabilities[HARMFUL] = 0.0
    for code in codes:
        probabilities[GUARD_CODES.get(str(code).strip(), HARMFUL)] = 1.0
    if not is_safe and not codes:
        probabilities[HARMFUL] = 1.0
    usage = inner.get("usage")
    return Judgement(probabilities, _usage_of(usage) if isinstance(usage, dict) else None)


def _written(inner: dict[str, Any]) -> Any:
    """Return what the model wrote in OpenAI's form."""
    choices = msgspec.convert(inner.get("choices"), list[dict[str, Any]])
    return choices[0].get("message", {}).get("content") if choices else None


def _read_words(text: str) -> tuple[bool | None, list[str]]:
    lines = text.split()
    if lines[:1] == ["safe"]:
        return True, []
    if lines[:1] == ["unsafe"]:
        return False, [code for line in lines[1:] for code in line.split(",") if code]
    return None, []


def _usage_of(usage: dict[str, Any]) -> Usage | None:
    read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(read) is not int or type(written) is not int or min(read, written) < 0:
        return None
    return Usage(read, written, read + written)


class _Scores(msgspec.Struct):
    category_scores: dict[str, float]


class _Moderation(msgspec.Struct):
    results: list[_Scores]


def _moderation(value: Any) -> Judgement:
    results = msgspec.convert(_unwrapped(value), _Moderation).results
    if not results:
        raise msgspec.ValidationError("no result")
    probabilities: dict[str, float] = {}
    for name, score in results[0].category_scores.items():
        category = of_moderation(name)
        if category:
            most = max(probabilities.get(category, 0.0), _probability(score))
            probabilities[category] = most
    return Judgement(probabilities)


def _unwrapped(value: Any) -> Any:
    """Return what is in Cloudflare's envelope, if there is one."""
    return value["result"] if isinstance(value, dict) and "result" in value else value


def _probability(value: float) -> float:
    if not 0 <= value <= 1:
        raise msgspec.ValidationError("no probability")
    return round(value, 4)
