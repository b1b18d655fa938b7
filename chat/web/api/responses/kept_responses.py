"""Keep the items of responses for an hour, for programs that refer to them in later requests.

OpenAI keeps responses unless the request says `store: false`; its SDKs then send an item's id
instead of the item. They are in the cache that all processes share, and only the key that got a
response finds it there.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.conf import settings
from django.core.cache import cache
from msgspec import Raw, Struct

from chat.database import threads
from chat.database.optional_writes import go_on_without
from chat.errors import BadRequest
from chat.generations.delivery.encoders.called_tools import ToolForms
from chat.generations.delivery.encoders.responses_api import WholeResponse
from chat.generations.log import frames
from chat.generations.result import Result
from chat.generations.task.task import GenerationTask
from chat.lib.loop_budget import LoopBudget
from chat.web.api.responses.input_items import reference_of
from chat.web.http.json_body import RequestTooLong

KEPT_SECONDS = 3600
#: For each member; the oldest is dropped first.
MAX_KEPT = 64
#: Of one response with its input. A longer input is left out: then its items are found, but the
#: response can't be continued by id.
MAX_KEPT_BYTES = 128 * 1024
#: The ids of responses and of their items, as encoders/response_items.py makes them.
ITEM_ID = re.compile(r"[a-z]{1,8}_([0-9a-f]{32})\d{0,6}", re.ASCII)
RESPONSE_ID = re.compile(r"resp_([0-9a-f]{32})", re.ASCII)
GONE = (
    "{where}: this site doesn't know {id!r}. It keeps responses for an hour, and only small ones. "
    "Set store: false, so that your program sends the whole conversation."
)
TOO_LONG = "input: the items that it refers to are too long together. Send fewer of them."
MAX_SHOWN_ID_CHARS = 80
#: Frames are read in pieces; after this many, other tasks may run.
PIECES = 4

log = logging.getLogger(__name__)


class _Item(Struct):
    id: str = ""


class _Kept(Struct):
    """The output of a response, and all that came before it; None if that was too long."""

    output: list[Raw]
    input: list[Raw] | None = None


@dataclass(frozen=True, slots=True)
class ResponseKeeper:
    """Keeps a response at its end, before the program learns of it."""

    owner_id: int
    key_id: int
    items: Sequence[Raw]
    tools: ToolForms

    async def __call__(self, task: GenerationTask, result: Result) -> None:
        try:
            if result.state == "complete":
                response = await _written(task, result, self.tools)
                kept = _encoded(response.body()["output"], self.items)
                await threads.writer.run(_keep, self.owner_id, self.key_id, task.id.hex, kept)
        except Exception as error:
            log.error("a response was not kept: %s", type(error).__name__)


async def with_kept_items(
    key_id: int, items: list[Raw], previous_response_id: str | None
) -> list[Raw]:
    """Return the whole input: what came before it, and the items that it refers to.

    Raise `BadRequest` for what is not kept (any more), or belongs to another key.
    """
    references = {
        place: reference
        for place, each in enumerate(items)
        if (reference := reference_of(each, f"input[{place}]"))
    }
    if not references and previous_response_id is None:
        return items
    return await threads.readers.run(_resolved, key_id, items, references, previous_response_id)


def _resolved(
    key_id: int, items: list[Raw], references: Mapping[int, str], previous: str | None
) -> list[Raw]:
    found: dict[str, Raw] = {}
    matches = filter(None, map(ITEM_ID.fullmatch, references.values()))
    for hex_id in list(dict.fromkeys(match[1] for match in matches))[:MAX_KEPT]:
        kept = _find(key_id, hex_id)
        for raw in kept.output if kept else ():
            found[msgspec.json.decode(raw, type=_Item).id] = raw
    whole = [] if previous is None else _before(key_id, previous)
    room = settings.MAX_BODY_BYTES  # as if the program had sent them: each may be named often
    for place, each in enumerate(items):
        item = found.get(references[place]) if place in references else each
        if item is None:
            raise _gone(references[place], f"input[{place}]")
        room -= len(item)
        if room < 0:
            raise RequestTooLong(TOO_LONG)
        whole.append(item)
    return whole


def _before(key_id: int, response_id: str) -> list[Raw]:
    """Return the conversation up to a response."""
    match = RESPONSE_ID.fullmatch(response_id)
    kept = _find(key_id, match[1]) if match else None
    if kept is None or kept.input is None:
        raise _gone(response_id, "previous_response_id")
    return [*kept.input, *kept.output]


def _gone(wanted: str, where: str) -> BadRequest:
    return BadRequest(GONE.format(where=where, id=wanted[:MAX_SHOWN_ID_CHARS])).at(where)


def _find(key_id: int, hex_id: str) -> _Kept | None:
    data = cache.get(_name(key_id, hex_id))
    return None if data is None else msgspec.json.decode(data, type=_Kept)


def _keep(owner_id: int, key_id: int, hex_id: str, data: bytes) -> None:
    """Store a response in the place of the member's oldest one."""
    if not data:
        return
    counter = f"responses:{owner_id}"
    with go_on_without():
        cache.add(counter, 0, KEPT_SECONDS)
        number = cache.incr(counter)
        cache.touch(counter, KEPT_SECONDS)  # places that are in use are not begun anew
        place = f"{counter}:{number % MAX_KEPT}"
        name = _name(key_id, hex_id)
        if oldest := cache.get(place):
            cache.delete(oldest)
        cache.set_many({place: name, name: data}, KEPT_SECONDS)


def _name(key_id: int, hex_id: str) -> str:
    return f"response:{key_id}:{hex_id}"


async def _written(task: GenerationTask, result: Result, tools: ToolForms) -> WholeResponse:
    """Return the response as its program reads it."""
    response, after, budget = WholeResponse(task.id, {}, tools), 0, LoopBudget(PIECES)
    while True:
        piece, after = task.log.read(after)
        if not piece:
            break
        response.take(piece)
        if budget.spend():
            await budget.pause()
    last = frames.terminal(result)
    response.take(b"".join(last))
    return response


def _encoded(output: list[Any], items: Sequence[Raw]) -> bytes:
    """Return what is stored, without the input if it is too long; empty if the output is."""
    whole = {"output": output, "input": list(items)}
    for each in (whole, {"output": output}):
        data = msgspec.json.encode(each)
        if len(data) <= MAX_KEPT_BYTES:
            return data
    return b""
