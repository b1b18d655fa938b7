"""Start answers for front ends, and resume them."""

import re
import string
import uuid
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.http import HttpRequest

from chat.database import threads
from chat.errors import NotFound
from chat.generations.delivery import access
from chat.generations.delivery.access import FoundGeneration
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.generations.send.document_query import DocumentQuery, query_of_messages
from chat.generations.send.start import start_temporary
from chat.generations.task import registry
from chat.generations.task.task import GenerationTask
from chat.knowledge.access import searched_for_visitors
from chat.lib.catalogue import Model
from chat.personas.settings import GenerationSettings
from chat.upstream import available_models
from chat.upstream.request import CompletionRequest
from chat.web.front_ends.bodies import FrontEndRequest, relay_request
from chat.web.front_ends.callers import Caller
from chat.web.streams.relay_request import question_of
from chat.web.streams.resume_ids import read_resume_id
from chat.widget_sites.models import AnswerMode, WidgetSite
from chat.widget_sites.visitor_generation_settings import visitor_settings_of

#: Query parameter of an EventSource polyfill that cannot send the header without a preflight.
LAST_EVENT_ID_PARAMETER = "lastEventId"

#: What makes a chat ID unguessable.
MIN_DISTINCT_CHARS = 8
MIN_KINDS = 2
_LONG = re.compile(r"[A-Za-z0-9_-]{16,}")
_KINDS = (string.ascii_lowercase, string.ascii_uppercase, string.digits)


class Started(NamedTuple):
    live: GenerationTask
    model: Model


@dataclass(frozen=True, slots=True)
class Resumed:
    """The answer to resume; `generation` is None if it has ended or is not in this process."""

    generation: FoundGeneration | None
    after: int = 0


async def start(caller: Caller, body: FrontEndRequest, *, is_resumable: bool) -> Started:
    """Start an answer by the site's model and persona, of which only the cost is stored.

    `is_resumable` says whether the client resumes by event ID; an answer can also be resumed by its
    chat ID.
    """
    require_capacity(server_process.current())
    generation_settings = (
        await threads.readers.run(visitor_settings_of, caller.site.key) or GenerationSettings()
    )
    request = relay_request(body, caller.site.default_prompt, generation_settings)
    model = available_models.find(available_models.id_of(generation_settings.model))
    question = question_of(
        request, model.id, model, generation_settings, {"principal": caller.name_upstream}
    )
    name = registry_key(caller, body.id)
    live = await start_temporary(
        caller.principal,
        question,
        model,
        generation_settings.fallback_model,
        documents=await threads.readers.run(_documents, caller.site, question, model),
        is_resumable=is_resumable or name is not None,
    )
    if name:
        registry.register_name(live, name)
    return Started(live, model)


def _documents(site: WidgetSite, question: CompletionRequest, model: Model) -> DocumentQuery | None:
    """Return what to search, if the site's answers have to be based on its documents."""
    mode = AnswerMode(site.answer_mode)
    if mode == AnswerMode.FREELY:
        return None
    collections = searched_for_visitors(site.key)
    if not collections and mode != AnswerMode.ONLY:
        return None
    query = query_of_messages(collections, question.messages, question.max_tokens, model)
    return replace(query, mode=mode)


def last_event_id(request: HttpRequest) -> str:
    """Return the last event ID that the client received; empty for a new request."""
    event_id = request.headers.get("Last-Event-ID") or request.GET.get(LAST_EVENT_ID_PARAMETER)
    return event_id or ""


async def by_event_id(caller: Caller, event_id: str) -> Resumed:
    """Return the answer after the event with this ID."""
    point = read_resume_id(event_id)
    live = registry.find(point.generation_id) if point else None
    if point is None or live is None or live.is_stored:
        return Resumed(None)
    if point.after > len(live.log) and not live.log.closed:
        return Resumed(None)  # forged: no event of that number was sent yet
    try:
        generation = await _followed(caller, point.generation_id, live)
    except NotFound:
        return Resumed(None)
    return Resumed(generation, point.after)


def by_chat_id(caller: Caller, chat_id: str) -> Resumed:
    """Return the newest answer of the client's chat, unless it was read completely."""
    name = registry_key(caller, chat_id)
    live = registry.find_by_name(name) if name else None
    if live is None or live.was_read:
        return Resumed(None)
    return Resumed(FoundGeneration(live.id, live))


async def _followed(
    caller: Caller, generation_id: uuid.UUID, live: GenerationTask
) -> FoundGeneration:
    """Find the answer. An anonymous caller proves ownership by the event ID: addresses change."""
    if live.owner.startswith(f"site:{caller.site.key}:"):
        return FoundGeneration(generation_id, live)
    return await access.generation_of(caller.principal, generation_id)


def registry_key(caller: Caller, chat_id: str | None) -> str | None:
    """Return the registry key of the chat's answer, or None if it cannot be resumed by chat ID.

    Clients, such as the AI SDK, choose the ID. Anyone who knows that of an anonymous caller's chat
    can read its answer from the same network address, which a whole office may share. A guessable
    ID is therefore ignored for anonymous callers. Visitors have a namespace of their own.
    """
    if not chat_id or not (caller.is_visitor or is_unguessable(chat_id)):
        return None
    return f"{caller.principal.key}:{chat_id}"


def is_unguessable(chat_id: str) -> bool:
    """Return True if `chat_id` looks random: neither a counter nor made of words."""
    kinds = sum(any(char in kind for char in chat_id) for kind in _KINDS)
    is_varied = len(set(chat_id)) >= MIN_DISTINCT_CHARS and kinds >= MIN_KINDS
    return is_varied and bool(_LONG.fullmatch(chat_id))
