"""Emulate the Workers AI API: one request in, one answer out, independent of the transport."""

import random
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, unquote
from uuid import UUID

from chat.emulator.account.allowance import FREE_NEURONS_PER_DAY, DailyAllowance
from chat.emulator.batches import MAX_BYTES, Batches
from chat.emulator.common.faults import Refusal
from chat.emulator.gateway import MODEL_PREFIX, ROUTE_PREFIX, Gateway, readdressed
from chat.emulator.generation import Generator, shape_of_chat_completions, shape_of_run
from chat.emulator.player import encode_json
from chat.emulator.requests import embeddings, judging
from chat.emulator.requests.inputs import read_document, read_json
from chat.emulator.requests.problems import bad
from chat.emulator.stubs import rendering, task_models, to_markdown, web
from chat.emulator.wire import BASE_PATH, Answer, Call, json_answer, refusal_answer
from chat.lib.api_formats import models_search
from chat.lib.catalogue import Model, read_catalogue

_ACCOUNT = re.compile(r"[0-9A-Za-z_-]+")


class Emulator:
    """Answer as Workers AI would. Keeps counts, and gateways' caches, but no other text of users.

    `routes` are dynamic routes of AI Gateway: for each name the models, in the order to try them.
    `fetch` returns the page at an address, for the browser; it raises ValueError if it can't.
    """

    def __init__(
        self,
        *,
        tokens_per_second: float = 50.0,
        first_token_seconds: float = 0.4,
        catalogue: dict[str, Model] | None = None,
        api_token: str | None = None,
        neurons_per_day: float | None = None,
        free_plan: bool = False,
        gateway_token: str | None = None,
        routes: Mapping[str, tuple[str, ...]] | None = None,
        fetch: rendering.Fetch | None = None,
        seed: int = 0,
    ) -> None:
        self._catalogue = read_catalogue() if catalogue is None else catalogue
        self._api_token = api_token
        if free_plan and neurons_per_day is None:
            neurons_per_day = FREE_NEURONS_PER_DAY
        self._generator = Generator(
            self._catalogue,
            DailyAllowance(neurons_per_day),
            tokens_per_second=tokens_per_second,
            first_token_seconds=first_token_seconds,
            free_plan=free_plan,
            seed=seed,
        )
        self._gateway = Gateway(gateway_token, routes)
        self._batches = Batches()
        self._fetch = fetch
        self._rng = random.Random(seed)

    @property
    def open_bodies(self) -> int:
        """Return how many answers have begun, but neither finished nor were closed."""
        return self._generator.open_bodies

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
            call = readdressed(call)
            if _RENDERING.fullmatch(call.path):
                answer = await rendering.answer(method, call, self._fetch)
            else:
                answer = await self._gateway.answer(
                    call, lambda asked: self._route(method, asked), self._rng
                )
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
        is_known = task_models.is_known(call.model)  # Llama Guard is also listed among the chats
        is_chat = call.model in self._catalogue and not is_known
        if not is_chat and not is_known:
            raise Refusal("7000")
        if call.query.get("queueRequest") == "true":
            return self._batch(call)
        if not is_chat:
            return task_models.answer(call, call.model)
        return self._generator.answer(call, call.model, read_document(call.body), shape_of_run)

    def _run_by_body(self, call: Call) -> Answer:
        document = read_document(call.body)
        if not isinstance(document.get("input"), dict):
            bad("required properties at '/' are 'model,input'")
        model = document.get("model")
        if isinstance(model, str) and task_models.is_known(model):
            return task_models.answer(replace(call, body=encode_json(document["input"])), model)
        return self._generator.answer(call, document.get("model"), document["input"], shape_of_run)

    def _batch(self, call: Call) -> Answer:
        def ask(document: dict[str, Any]) -> Answer:
            if call.model in self._catalogue:
                return self._generator.answer(call, call.model, document, shape_of_run)
            return task_models.answer(replace(call, body=encode_json(document)), call.model)

        if len(call.body) > MAX_BYTES:
            raise Refusal("3006")
        document = read_document(call.body)
        return self._batches.answer(call.account, call.model, document, ask, self._rng)

    def _chat_completions(self, call: Call) -> Answer:
        return self._complete(call, read_document(call.body))

    def _complete(self, call: Call, document: dict[str, Any]) -> Answer:
        def ask(model: Any) -> Answer:
            return self._generator.answer(call, model, document, shape_of_chat_completions)

        name = document.get("model")
        if isinstance(name, str) and name.startswith(ROUTE_PREFIX):
            return self._gateway.route(call, name.removeprefix(ROUTE_PREFIX), ask)
        return ask(name.removeprefix(MODEL_PREFIX) if isinstance(name, str) else name)

    def _universal(self, call: Call) -> Answer:
        """Answer with the first step that succeeds: `[{"provider", "endpoint", "query"}, …]`."""
        steps = read_json(call.body)
        if not isinstance(steps, list):
            bad("Type mismatch of '/', 'object' not in 'array'")
        return self._gateway.universal(steps, lambda step: self._step(call, step))

    def _step(self, call: Call, step: Any) -> Answer:
        if not isinstance(step, dict) or not isinstance(step.get("query"), dict):
            bad("required properties at '/0' are 'provider,endpoint,query'")
        endpoint = str(step.get("endpoint", ""))
        if step.get("provider") != "workers-ai":
            raise Refusal("2001")
        if endpoint == "v1/chat/completions":
            return self._complete(call, step["query"])
        model = endpoint.removeprefix("run/")
        return self._generator.answer(call, model, step["query"], shape_of_run)

    def _embeddings(self, call: Call) -> Answer:
        return json_answer(embeddings.answer(read_document(call.body)))

    def _moderations(self, call: Call) -> Answer:
        return json_answer(judging.moderation(read_document(call.body)))

    def _to_markdown(self, call: Call) -> Answer:
        return to_markdown.convert(call)

    def _search_web(self, call: Call) -> Answer:
        return web.search(call.query.get("q", ""))

    def _web_page(self, call: Call) -> Answer:
        return web.page(call.query.get("address", ""))

    def _supported_files(self, _call: Call) -> Answer:
        return to_markdown.supported()


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(BASE_PATH + path.replace("{account}", "/accounts/(?P<account>[^/]*)"))


_RENDERING = re.compile(f"{BASE_PATH}/accounts/{_ACCOUNT.pattern}/browser-rendering/content")
_ROUTES: tuple[tuple[str, re.Pattern[str], Callable[[Emulator, Call], Answer]], ...] = (
    ("POST", _pattern("{account}/ai/run"), Emulator._run_by_body),
    ("POST", _pattern("{account}/ai/run/(?P<model>.+)"), Emulator._run_by_path),
    ("POST", _pattern("{account}/ai/v1/chat/completions"), Emulator._chat_completions),
    ("POST", _pattern("{account}/ai/v1/embeddings"), Emulator._embeddings),
    ("POST", _pattern("{account}/ai/v1/moderations"), Emulator._moderations),
    ("POST", _pattern("{account}/ai/universal"), Emulator._universal),
    ("POST", _pattern("{account}/ai/tomarkdown"), Emulator._to_markdown),
    ("GET", _pattern("{account}/ai/tomarkdown/supported"), Emulator._supported_files),
    ("GET", _pattern("{account}/ai/v1/models"), Emulator._list_models),
    ("GET", _pattern("{account}/ai/models/search"), Emulator._search_models),
    ("GET", _pattern("{account}/tokens/verify"), Emulator._verify_token),
    ("GET", _pattern("/user/tokens/verify"), Emulator._verify_token),
    ("GET", re.compile("/search"), Emulator._search_web),
    ("GET", re.compile("/page"), Emulator._web_page),
)
