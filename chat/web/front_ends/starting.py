"""Start answers for front ends, and resume them."""

import uuid
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest

from chat.database import threads
from chat.errors import NotFound
from chat.generations.delivery import access
from chat.generations.delivery.access import FoundGeneration
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.generations.send.start import start_temporary
from chat.generations.task import registry
from chat.generations.task.task import GenerationTask
from chat.lib.catalogue import Model
from chat.personas.persona_settings import GenerationSettings
from chat.upstream import available_models
from chat.web.front_ends.bodies import FrontEndRequest, relay_request
from chat.web.front_ends.callers import Caller
from chat.web.front_ends.chat_ids import registry_key
from chat.web.streams.relay_request import question_of
from chat.web.streams.resume_ids import read_resume_id
from chat.widget_sites.visitor_generation_settings import visitor_settings_of

#: Query parameter of an EventSource polyfill that cannot send the header without a preflight.
LAST_EVENT_ID_PARAMETER = "lastEventId"


class Started(NamedTuple):
    live: GenerationTask
    model: Model


@dataclass(frozen=True, slots=True)
class Resumed:
    """The answer to resume; `found` is None if it has ended or is not in this process."""

    found: FoundGeneration | None
    after: int = 0


async def start(caller: Caller, asked: FrontEndRequest, *, is_resumable: bool) -> Started:
    """Start an answer by the site's model and persona, of which only the cost is stored.

    `is_resumable` says whether the client resumes by event ID; an answer can also be resumed by its
    chat ID.
    """
    require_capacity(server_process.current())
    generation_settings = (
        await threads.readers.run(visitor_settings_of, caller.site.key) or GenerationSettings()
    )
    request = relay_request(asked, caller.site.default_prompt, generation_settings)
    model = available_models.find(available_models.id_of(generation_settings.model))
    question = question_of(
        request, model.id, model, generation_settings, {"principal": caller.name_upstream}
    )
    name = registry_key(caller, asked.id)
    live = await start_temporary(
        caller.principal,
        question,
        model,
        generation_settings.fallback_model,
        is_resumable=is_resumable or name is not None,
    )
    if name:
        registry.register_name(live, name)
    return Started(live, model)


def last_event_id(request: HttpRequest) -> str:
    """Return the last event ID that the client received; empty for a new request."""
    given = request.headers.get("Last-Event-ID") or request.GET.get(LAST_EVENT_ID_PARAMETER)
    return given or ""


async def by_event_id(caller: Caller, event_id: str) -> Resumed:
    """Return the answer after the event with this ID."""
    point = read_resume_id(event_id)
    live = registry.find(point.generation_id) if point else None
    if point is None or live is None or live.is_stored:
        return Resumed(None)
    if point.after > len(live.log) and not live.log.closed:
        return Resumed(None)  # forged: no event of that number was sent yet
    try:
        found = await _found(caller, point.generation_id, live)
    except NotFound:
        return Resumed(None)
    return Resumed(found, point.after)


def by_chat_id(caller: Caller, chat_id: str) -> Resumed:
    """Return the newest answer of the client's chat, unless it was read completely."""
    name = registry_key(caller, chat_id)
    live = registry.find_by_name(name) if name else None
    if live is None or live.was_read:
        return Resumed(None)
    return Resumed(FoundGeneration(live.id, live))


async def _found(caller: Caller, generation_id: uuid.UUID, live: GenerationTask) -> FoundGeneration:
    """Find the answer. An anonymous caller proves ownership by the event ID: addresses change."""
    if live.owner.startswith(f"site:{caller.site.key}:"):
        return FoundGeneration(generation_id, live)
    return await access.generation_of(caller.principal, generation_id)
