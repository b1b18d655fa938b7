"""Emulate the Workers AI API: one request in, one answer out, independent of the transport."""

import random
import re
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, unquote
from uuid import UUID

from chat.emulator.account.allowance import DailyAllowance
from chat.emulator.account.gateway import Gateway
from chat.emulator.common.faults import Refusal
from chat.emulator.common.recent import Recent
from chat.emulator.common.usage import Meter
from chat.emulator.player import Pace, Player
from chat.emulator.requests import embeddings
from chat.emulator.requests.inputs import ChatRequest, read_chat, read_document
from chat.emulator.scripts import commands, titles
from chat.emulator.shapes.base import Shape
from chat.emulator.shapes.native_shapes import DualShape, NativeShape
from chat.emulator.shapes.openai_shapes import ChatCompletionsShape, OpenAIShape
from chat.emulator.wire import EVENT_STREAM, Answer, document_answer, json_answer, refusal_answer
from chat.lib.api_formats import models_search
from chat.lib.catalogue import Model, read_catalogue

BASE_PATH = "/client/v4"
_ACCOUNT = re.compile(r"[0-9A-Za-z_-]+")

ShapeFor = Callable[[Meter, ChatRequest, random.Random], Shape]


@dataclass(frozen=True, slots=True)
class Call:
    """An HTTP request. `account` and `model` are taken from its path."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    request_id: str
    account: str = ""
    model: str = ""


class Emulator:
    """Answer as Workers AI would. Keeps counts, but no text of users."""

    def __init__(
        self,
        *,
        tokens_per_second: float = 50.0,
        first_token_seconds: float = 0.4,
        catalogue: dict[str, Model] | None = None,
        api_token: str | None = None,
        neurons_per_day: float | None = None,
        seed: int = 0,
    ) -> None:
        self.open_bodies = 0  # answers begun, but neither finished nor closed
        self._tokens_per_second = tokens_per_second
        self._first_token_seconds = first_token_seconds
        self._catalogue = read_catalogue() if catalogue is None else catalogue
        self._api_token = api_token
        self._allowance = DailyAllowance(neurons_per_day)
        self._gateway = Gateway()
        self._times_asked: Recent[str, int] = Recent()
        self._seed = seed
        self._rng = random.Random(seed)

    async def handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Answer:
        """Answer a request.

        `target` is the path and query as sent; `headers` are by lower-case name.
        """
        path, _, query = target.partition("?")
        request_id = str(UUID(int=self._rng.getrandbits(128), version=4))
        ray = f"{self._rng.getrandbits(64):016x}-LOC"
        call = Call(unquote(path), dict(parse_qsl(query)), headers, body, request_id)
        try:
            self._authenticate(headers)
            answer = self._route(method, call)
        except Refusal as refusal:
            answer = refusal_answer(refusal, request_id, ray)
        return answer.with_headers([("cf-ray", ray)])

    def _authenticate(self, headers: Mapping[str, str]) -> None:
        if self._api_token is None:
            return
        if "authorization" not in headers:
            raise Refusal("9106")
        scheme, _, token = headers["authorization"].partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Refusal("6003")
        if not secrets.compare_digest(token.encode(), self._api_token.encode()):
            raise Refusal("10000")

    def _route(self, method: str, call: Call) -> Answer:
        for wanted_method, pattern, action in _ROUTES:
            match = pattern.fullmatch(call.path)
            if not match:
                continue
            if method != wanted_method:
                raise Refusal("7001", method=method)
            named = match.groupdict()
            if "account" in named and not _ACCOUNT.fullmatch(named["account"]):
                raise Refusal("7003", path=call.path)
            account, model = named.get("account", ""), named.get("model", "")
            return action(self, replace(call, account=account, model=model))
        raise Refusal("7000")

    def _verify_token(self, call: Call) -> Answer:
        token_id = sha256((self._api_token or "any").encode()).hexdigest()[:32]
        message = "This API Token is valid and active"
        return json_answer(
            {
                "result": {"id": token_id, "status": "active"},
                "success": True,
                "errors": [],
                "messages": [{"code": 10000, "message": message, "type": None}],
            }
        )

    def _search_models(self, call: Call) -> Answer:
        advertised = [
            replace(model, context_window=model.advertised_window or model.context_window)
            for model in self._catalogue.values()
        ]
        return json_answer(models_search.search(advertised, call.query))

    def _list_models(self, call: Call) -> Answer:
        return json_answer(models_search.openai_list(self._catalogue.values()))

    def _run_by_path(self, call: Call) -> Answer:
        if call.model not in self._catalogue:
            raise Refusal("7000")
        return self._generate(call, call.model, read_document(call.body), _shape_of_run)

    def _run_by_body(self, call: Call) -> Answer:
        document = read_document(call.body)
        if not isinstance(document.get("input"), dict):
            raise Refusal("5006", problem="required properties at '/' are 'model,input'")
        return self._generate(call, document.get("model"), document["input"], _shape_of_run)

    def _chat_completions(self, call: Call) -> Answer:
        document = read_document(call.body)
        return self._generate(call, document.get("model"), document, _shape_of_chat_completions)

    def _embeddings(self, call: Call) -> Answer:
        return json_answer(embeddings.answer(read_document(call.body)))

    def _generate(
        self, call: Call, model_id: Any, document: dict[str, Any], shape_for: ShapeFor
    ) -> Answer:
        request = read_chat(self._model(model_id), document)
        if self._allowance.is_used_up(call.account):
            raise Refusal("4006")
        player = self._player(call, request, shape_for)
        headers = [("cf-ai-req-id", call.request_id)]
        headers += self._gateway.headers(call.headers, call.path, call.body, self._rng)
        if request.stream and not player.script.document_only:
            body = player.stream()
            answer = Answer(200, [EVENT_STREAM, *headers], body)
        else:
            answer = document_answer(player, headers)
        return replace(answer, body=self._watched(answer.body, call.account, player.meter))

    def _model(self, model_id: Any) -> Model:
        model = self._catalogue.get(model_id) if isinstance(model_id, str) else None
        if model is None or model.deprecated:
            raise Refusal("5007", model=model_id)
        return model

    def _player(self, call: Call, request: ChatRequest, shape_for: ShapeFor) -> Player:
        conversation = sha256(repr((call.account, request.messages)).encode()).hexdigest()
        times_asked = self._times_asked.get(conversation, 0)
        self._times_asked[conversation] = times_asked + 1
        # Repeating a request gives a different answer; emulators with the same seed agree.
        state = f"{self._seed} {request.seed} {times_asked} {conversation}"
        rng = random.Random(state)
        title = titles.title_for(request)
        script, *others = (
            title or commands.choose(request, times_asked + number, rng)
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


def _shape_of_run(meter: Meter, request: ChatRequest, rng: random.Random) -> Shape:
    """Return the shape of the model's answers on /ai/run."""
    if meter.model.family == "openai":
        return OpenAIShape(meter, rng, int(time.time()))
    is_dual = meter.model.family == "dual" and request.tools.offered
    return (DualShape if is_dual else NativeShape)(meter, rng)


def _shape_of_chat_completions(meter: Meter, request: ChatRequest, rng: random.Random) -> Shape:
    created = int(time.time())
    return ChatCompletionsShape(meter, rng, created, include_usage=request.include_usage)


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(BASE_PATH + path.replace("{account}", "/accounts/(?P<account>[^/]*)"))


_ROUTES: tuple[tuple[str, re.Pattern[str], Callable[[Emulator, Call], Answer]], ...] = (
    ("POST", _pattern("{account}/ai/run"), Emulator._run_by_body),
    ("POST", _pattern("{account}/ai/run/(?P<model>.+)"), Emulator._run_by_path),
    ("POST", _pattern("{account}/ai/v1/chat/completions"), Emulator._chat_completions),
    ("POST", _pattern("{account}/ai/v1/embeddings"), Emulator._embeddings),
    ("GET", _pattern("{account}/ai/v1/models"), Emulator._list_models),
    ("GET", _pattern("{account}/ai/models/search"), Emulator._search_models),
    ("GET", _pattern("{account}/tokens/verify"), Emulator._verify_token),
    ("GET", _pattern("/user/tokens/verify"), Emulator._verify_token),
)
