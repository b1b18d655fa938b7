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
MAX_BYTES = 10 * 1024 * 1024
_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


@dataclass(slots=True)
class _Batch:
    account: str
    model: str
    requests: list[dict[str, Any]]
    is_running: bool = False  # it has been asked for, in vain


class Batches:
    """The batches asked for last. Their answers are generated when they are fetched.

    A batch is still running when it is asked for the first time, so that clients have to poll.
    """

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
            if not batch.is_running:
                batch.is_running = True
                return json_answer(envelope(_state("running", document["request_id"], model)))
            return Answer(200, [JSON], _answers(batch, ask))
        requests = document.get("requests")
        if not isinstance(requests, list) or not requests:
            bad("required properties at '/' are 'requests'")
        if len(requests) > MAX_REQUESTS or not all(isinstance(each, dict) for each in requests):
            bad(f"'/requests' must be at most {MAX_REQUESTS} objects")
        request_id = str(UUID(int=rng.getrandbits(128), version=4))
        self._waiting[request_id] = _Batch(account, model, requests)
        return json_answer(envelope(_state("queued", request_id, model)))


def _state(status: str, request_id: str, model: str) -> dict[str, str]:
    return {"status": status, "request_id": request_id, "model": model}


async def _answers(
    batch: _Batch, ask: Callable[[dict[str, Any]], Answer]
) -> AsyncGenerator[bytes, None]:
    responses = [await _response(number, one, ask) for number, one in enumerate(batch.requests)]
    yield encode_json(envelope({"responses": responses, "usage": _usage(responses)}))


def _usage(responses: list[dict[str, Any]]) -> dict[str, int]:
    """Return the sum of what the answers report."""
    reported = [each.get("result", {}).get("usage", {}) for each in responses]
    return {name: sum(each.get(name, 0) for each in reported) for name in _COUNTS}


async def _response(
    number: int, request: dict[str, Any], ask: Callable[[dict[str, Any]], Answer]
) -> dict[str, Any]:
    about = {"id": number, "external_reference": request.get("external_reference")}
    fields = {key: value for key, value in request.items() if key != "external_reference"}
    try:
        answer = ask({**fields, "stream": False})
    except Refusal as refusal:
        error = {"code": refusal.fault.code, "message": refusal.message}
        return {**about, "success": False, "error": error}
    async with aclosing(answer.body) as body:
        document = b"".join([part async for part in body])
    return {**about, "success": True, "result": json.loads(document)["result"]}
