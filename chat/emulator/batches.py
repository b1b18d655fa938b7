"""Queue requests and answer them later, as with `queueRequest=true` on /ai/run."""

import json
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from chat.emulator.common.faults import Refusal
from chat.emulator.common.recent import Recent
from chat.emulator.player import encode_json
from chat.emulator.requests.problems import bad
from chat.emulator.shapes.base import envelope
from chat.emulator.wire import JSON, Answer, json_answer

MAX_REQUESTS = 1000


@dataclass(frozen=True, slots=True)
class _Batch:
    account: str
    model: str
    requests: list[dict[str, Any]]


class Batches:
    """The batches asked for last. Their answers are generated when they are fetched."""

    def __init__(self) -> None:
        self._waiting: Recent[str, _Batch] = Recent(100)

    def answer(
        self,
        account: str,
        model: str,
        document: dict[str, Any],
        ask: Callable[[dict[str, Any]], Answer],
        rng: random.Random,
    ) -> Answer:
        """Queue `requests`, or return the answers to those with this `request_id`."""
        if "request_id" in document:
            batch = self._waiting.get(str(document["request_id"]))
            if batch is None or (batch.account, batch.model) != (account, model):
                bad("'/request_id' is not known")
            return Answer(200, [JSON], _answers(batch, ask))
        requests = document.get("requests")
        if not isinstance(requests, list) or not requests:
            bad("required properties at '/' are 'requests'")
        if len(requests) > MAX_REQUESTS or not all(isinstance(each, dict) for each in requests):
            bad(f"'/requests' must be at most {MAX_REQUESTS} objects")
        request_id = str(UUID(int=rng.getrandbits(128), version=4))
        self._waiting[request_id] = _Batch(account, model, requests)
        found = {"status": "queued", "request_id": request_id, "model": model}
        return json_answer(envelope(found))


async def _answers(
    batch: _Batch, ask: Callable[[dict[str, Any]], Answer]
) -> AsyncGenerator[bytes, None]:
    responses = [await _response(number, one, ask) for number, one in enumerate(batch.requests)]
    yield encode_json(envelope({"responses": responses}))


async def _response(
    number: int, request: dict[str, Any], ask: Callable[[dict[str, Any]], Answer]
) -> dict[str, Any]:
    about = {"id": number, "external_reference": request.get("external_reference")}
    given = {key: value for key, value in request.items() if key != "external_reference"}
    try:
        answer = ask({**given, "stream": False})
    except Refusal as refusal:
        error = {"code": refusal.fault.code, "message": refusal.message}
        return {**about, "success": False, "error": error}
    async with aclosing(answer.body) as body:
        document = b"".join([part async for part in body])
    return {**about, "success": True, "result": json.loads(document)["result"]}
