"""Judges of three kinds are asked in their own formats, and only numbers of their answers count."""

import json
from typing import Any

import httpx
import pytest

from chat.emulator import Emulator, EmulatorTransport
from chat.errors import UpstreamDisconnected
from chat.lib.catalogue import Model
from chat.upstream.client import Upstream
from chat.upstream.judging import categories
from chat.upstream.judging.client import JudgedState, Judgement, judge
from chat.upstream.request import ProviderEndpoint
from tests.support.upstream.upstream_requests import TIMEOUTS

CLOUDFLARE = ProviderEndpoint("http://provider.invalid/client/v4", "a", "secret")
OPENAI = ProviderEndpoint("http://provider.invalid/v1", token="secret", is_workers_ai=False)
CLEF = Model(id="@cf/cloudflare/clef-flash", context_window=65536, task="decision")
GUARD = Model(id="@cf/meta/llama-guard-3-8b", context_window=131072, task="guard")
MODERATION = Model(id="omni-moderation-latest", context_window=32768, task="moderation")
QUESTIONS = categories.questions_about(is_answer=False, has_passages=False)
STATE = JudgedState("How do I kill a person?")


async def judged(
    model: Model,
    transport: httpx.AsyncBaseTransport,
    state: JudgedState = STATE,
    endpoint: ProviderEndpoint = CLOUDFLARE,
) -> Judgement:
    upstream = Upstream(endpoint, transport, TIMEOUTS)
    questions = QUESTIONS if model.task == "decision" else {}
    if state.answer and questions:
        passages = bool(state.passages)
        questions = categories.questions_about(is_answer=True, has_passages=passages)
    try:
        return await judge(upstream, model, state, questions, "user:1")
    finally:
        await upstream.aclose()


def answering(document: Any, asked: list[httpx.Request] | None = None) -> httpx.MockTransport:
    def handle(request: httpx.Request) -> httpx.Response:
        if asked is not None:
            asked.append(request)
        content = document if isinstance(document, bytes) else json.dumps(document)
        return httpx.Response(200, content=content)

    return httpx.MockTransport(handle)


def clef(**probabilities: Any) -> dict[str, Any]:
    told = dict.fromkeys(QUESTIONS, 0.01) | probabilities
    answers = {name: {"type": "noul", "noul": value} for name, value in told.items()}
    result = {"model": "clef-flash", "answers": answers, "usage": {"input_tokens": 80}}
    return {"result": result, "success": True}


@pytest.mark.parametrize("model", [CLEF, GUARD, MODERATION])
async def test_the_emulator_judges_by_words_in_each_format(model: Model) -> None:
    transport = EmulatorTransport(Emulator(tokens_per_second=0))
    bad = (await judged(model, transport)).probabilities
    assert bad["violence"] == bad["harmful"] > 0.9
    good = await judged(model, transport, JudgedState("How do rivers begin?"))
    assert good.probabilities["harmful"] < 0.1
    assert (good.usage is None) == (model is MODERATION)


async def test_a_decision_model_is_asked_for_each_category_at_once() -> None:
    asked: list[httpx.Request] = []
    said = await judged(CLEF, answering(clef(violence=0.91, personal=0.7), asked))
    assert said.probabilities["harmful"] == 0.91
    assert said.probabilities["personal"] == 0.7
    assert said.usage
    assert (said.usage.prompt_tokens, said.usage.total_tokens) == (80, 80)
    (request,) = asked
    assert request.url.path == f"/client/v4/accounts/a/ai/run/{CLEF.id}"
    body = json.loads(request.content)
    assert body["model"] == "clef-flash"
    assert body["state"] == {"question": STATE.question}
    assert body["questions"]["violence"]["type"] == "noul"
    assert set(body["questions"]) == set(QUESTIONS)


async def test_an_answer_is_judged_with_its_question_and_passages() -> None:
    asked: list[httpx.Request] = []
    state = JudgedState("When did it open?", "In 1932.", ("The bridge opened in 1932.",))
    transport = EmulatorTransport(Emulator(tokens_per_second=0))
    assert (await judged(CLEF, transport, state)).probabilities["ungrounded"] == 0
    other = JudgedState("When did it open?", "Yesterday, probably.", state.passages)
    assert (await judged(CLEF, transport, other)).probabilities["ungrounded"] == 1
    with pytest.raises(UpstreamDisconnected):  # some of what was asked has no answer
        await judged(CLEF, answering(clef(), asked), state)
    assert json.loads(asked[0].content)["state"]["passages"] == list(state.passages)


@pytest.mark.parametrize(
    ("response", "found"),
    [
        ("\n\nsafe", {}),
        ("\n\nunsafe\nS1,S10", {"violence": 1, "hate": 1, "harmful": 1}),
        ({"safe": False, "categories": ["S7"]}, {"personal": 1}),
        ({"safe": True}, {}),
        ("unsafe\nS13", {"harmful": 1}),
        ("unsafe", {"harmful": 1}),
    ],
)
async def test_llama_guard_names_its_hazards(response: Any, found: dict[str, float]) -> None:
    said = await judged(GUARD, answering({"result": {"response": response}}))
    assert {name: value for name, value in said.probabilities.items() if value} == found


async def test_any_openai_shaped_endpoint_moderates() -> None:
    asked: list[httpx.Request] = []
    scores = {"self-harm/intent": 0.8, "self-harm": 0.3, "illicit": 0.2, "spam": 0.9, "pii": 0.4}
    document = {"results": [{"flagged": True, "category_scores": scores}]}
    said = await judged(MODERATION, answering(document, asked), endpoint=OPENAI)
    assert said.probabilities == {
        "harmful": 0.8,
        "self_harm": 0.8,
        "dangerous": 0.2,
        "personal": 0.4,
    }
    assert asked[0].url.path == "/v1/moderations"
    assert json.loads(asked[0].content) == {"model": MODERATION.id, "input": STATE.question}


@pytest.mark.parametrize(
    ("model", "document"),
    [
        (CLEF, b"no json"),
        (CLEF, b"[" * 10_000),
        (CLEF, {"result": None}),
        (CLEF, {"result": {"answers": {}}}),
        (CLEF, clef(violence=1.5)),
        (CLEF, clef(violence=-0.1)),
        (CLEF, clef(violence="0.5")),
        (CLEF, b'{"result":' + b" " * 70_000 + b"{}}"),
        (GUARD, {"result": {"response": "I can't help with that."}}),
        (GUARD, {"result": {"response": {"safe": "yes"}}}),
        (GUARD, {"result": []}),
        (GUARD, {"choices": [{}]}),
        (MODERATION, {"results": []}),
        (MODERATION, {"results": [{"category_scores": {"hate": 2}}]}),
        (MODERATION, {"error": "no"}),
    ],
)
async def test_an_unusable_answer_is_no_verdict(model: Model, document: Any) -> None:
    with pytest.raises(UpstreamDisconnected):
        await judged(model, answering(document))


def test_each_kind_of_judge_knows_what_is_harmful() -> None:
    for task in ("decision", "guard", "moderation"):
        assert {"harmful", *categories.HARMFUL_KINDS} <= categories.known_to(task)
