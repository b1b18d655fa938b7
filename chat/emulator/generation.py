"""Generate an answer: validate the request, choose a script, and let it be played."""

import random
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from hashlib import sha256
from typing import Any

from chat.emulator.account.allowance import DailyAllowance
from chat.emulator.common.faults import Refusal
from chat.emulator.common.recent import Recent
from chat.emulator.common.usage import Meter
from chat.emulator.player import Pace, Player
from chat.emulator.requests.inputs import ChatRequest, read_chat
from chat.emulator.scripts import commands, contradictions, follow_ups, summaries, titles
from chat.emulator.shapes.base import Shape
from chat.emulator.shapes.native_shapes import DualShape, NativeShape
from chat.emulator.shapes.openai_shapes import ChatCompletionsShape, OpenAIShape
from chat.emulator.wire import EVENT_STREAM, Answer, Call, document_answer
from chat.lib.catalogue import Model

ShapeFor = Callable[[Meter, ChatRequest, random.Random], Shape]


class Generator:
    """Answer chat requests. Keeps counts, but no text of users."""

    def __init__(
        self,
        catalogue: dict[str, Model],
        allowance: DailyAllowance,
        *,
        tokens_per_second: float,
        first_token_seconds: float,
        free_plan: bool,
        seed: int,
    ) -> None:
        self.open_bodies = 0  # answers begun, but neither finished nor closed
        self._catalogue = catalogue
        self._allowance = allowance
        self._tokens_per_second = tokens_per_second
        self._first_token_seconds = first_token_seconds
        self._free_plan = free_plan
        self._times_asked: Recent[str, int] = Recent()
        self._seed = seed

    def answer(
        self, call: Call, model_id: Any, document: dict[str, Any], shape_for: ShapeFor
    ) -> Answer:
        """Return the answer; raise `Refusal`."""
        model = self._model(model_id)
        request = read_chat(model, document)
        self._allowance.require(call.account)
        player = self._player(call, request, shape_for)
        headers = [("cf-ai-req-id", call.request_id)]
        if request.stream and not player.script.document_only:
            answer = Answer(200, [EVENT_STREAM, *headers], player.stream())
        else:
            answer = document_answer(player, headers)
        return replace(answer, body=self._watched(answer.body, call.account, player.meter))

    def _model(self, model_id: Any) -> Model:
        model = self._catalogue.get(model_id) if isinstance(model_id, str) else None
        if model is None or model.deprecated:
            raise Refusal("5007", model=model_id)
        if self._free_plan and model.paid_only:
            raise Refusal("5035", model=model_id)
        return model

    def _player(self, call: Call, request: ChatRequest, shape_for: ShapeFor) -> Player:
        conversation = sha256(repr((call.account, request.messages)).encode()).hexdigest()
        times_asked = self._times_asked.get(conversation, 0)
        self._times_asked[conversation] = times_asked + 1
        # Repeating a request gives a different answer; emulators with the same seed agree.
        state = f"{self._seed} {request.seed} {times_asked} {conversation}"
        rng = random.Random(state)
        asked_by_site = (
            titles.title_for(request)
            or follow_ups.follow_ups_for(request)
            or summaries.summary_for(request)
            or contradictions.contradictions_for(request)
        )
        script, *others = (
            asked_by_site or commands.choose(request, times_asked + number, rng)
            for number in range(request.choice_count)
        )
        cached_tokens = min(script.cached_tokens, request.prompt_tokens)
        meter = Meter(request.model, request.prompt_tokens, cached_tokens=cached_tokens)
        return Player(
            script=script,
            shape=shape_for(meter, request, rng),
            meter=meter,
            max_tokens=request.max_tokens,
            pace=self._pace(script.tokens_per_second),
            request_id=call.request_id,
            seed=self._seed,
            others=tuple(others),
        )

    def _pace(self, tokens_per_second: float | None) -> Pace:
        if tokens_per_second is None:
            tokens_per_second = self._tokens_per_second
        # At unlimited speed, the first token is not delayed either.
        first_token_seconds = self._first_token_seconds if self._tokens_per_second else 0.0
        return Pace(tokens_per_second, first_token_seconds)

    async def _watched(
        self, body: AsyncGenerator[bytes, None], account: str, meter: Meter
    ) -> AsyncGenerator[bytes, None]:
        """Count the answer while it is being sent, and bill what was generated of it."""
        self.open_bodies += 1
        try:
            async with aclosing(body):
                async for part in body:
                    yield part
        finally:
            self.open_bodies -= 1
            self._allowance.charge(account, meter.neurons())


def shape_of_run(meter: Meter, request: ChatRequest, rng: random.Random) -> Shape:
    """Return the shape of the model's answers on /ai/run."""
    if meter.model.family == "openai":
        return OpenAIShape(meter, rng, int(time.time()))
    is_dual = meter.model.family == "dual" and request.tools.offered
    return (DualShape if is_dual else NativeShape)(meter, rng)


def shape_of_chat_completions(meter: Meter, request: ChatRequest, rng: random.Random) -> Shape:
    created = int(time.time())
    return ChatCompletionsShape(meter, rng, created, include_usage=request.include_usage)
