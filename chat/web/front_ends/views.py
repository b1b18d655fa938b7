"""Stream answers to a website's pages and servers, in the formats that their libraries read."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from chat.errors import BadRequest
from chat.generations.delivery.encoders.base import Encoder
from chat.generations.delivery.encoders.html import HtmlEncoder
from chat.generations.delivery.encoders.openai import OpenAICompletion, OpenAIEncoder
from chat.generations.delivery.encoders.plain_text import PlainTextEncoder
from chat.generations.delivery.encoders.ui_messages import UIMessageEncoder
from chat.generations.delivery.encoders.whole import WholeAnswer
from chat.generations.delivery.encoders.workers_ai import WorkersAIEncoder
from chat.generations.delivery.responses import (
    collect,
    first_response,
    resumed_response,
    whole_response,
)
from chat.generations.task.task import GenerationTask
from chat.lib.text import clean
from chat.web.front_ends import starting
from chat.web.front_ends.bodies import FrontEndRequest, read_body, read_completions
from chat.web.front_ends.callers import Caller, caller_of, is_prefetch, no_content, site_for
from chat.web.front_ends.starting import Started
from chat.web.http import refused_requests
from chat.web.http.origin import require_json
from chat.web.http.typed_requests import VisitorRequest
from chat.web.streams.request_parameters import require_stream
from chat.web.streams.resume_ids import resume_prefix

#: Clients of these formats cannot read an error in the stream, or only know it as a status.
FAILURE_WAIT_SECONDS = 30.0
#: Formats by media type in `Accept`, the default first.
FORMATS = {"text/event-stream": "events", "text/plain": "text", "text/html": "html"}

View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def for_front_ends(*methods: str) -> Callable[[View], View]:
    """Decorate a view for pages of a site's origins; it receives the caller, not the site key."""

    def decorate(view: View) -> View:
        @csrf_exempt  # no cookie authenticates these requests
        @require_http_methods([*methods, "OPTIONS"])
        @wraps(view)
        async def called(request: VisitorRequest, site_key: str, **named: Any) -> HttpResponseBase:
            site = await site_for(request, site_key)
            if request.method == "OPTIONS" or is_prefetch(request):
                return no_content()
            with refused_requests.limit_visitor(request):
                return await view(request, await caller_of(request, site), **named)

        return called

    return decorate


@for_front_ends("GET", "POST")
async def chat(request: HttpRequest, caller: Caller, wire_format: str = "") -> HttpResponseBase:
    """Start an answer, or resume it after the event that the client last received.

    A GET does the same with query parameters, because an EventSource can send nothing else.
    """
    form = wire_format or _format(request)
    if event_id := starting.last_event_id(request):
        resumed = await starting.by_event_id(caller, event_id)
        if resumed.generation is None:
            return no_content()
        encoder = _encoder(request, form, resumed.generation.id)
        return await resumed_response(
            resumed.generation, caller.principal, resumed.after, encoder=encoder
        )
    body = await _read_any_body(request)
    if form == "html":
        require_stream(body)
    is_whole = body.stream is False
    is_resumable = form != "text" and not is_whole
    started = await starting.start(caller, body, is_resumable=is_resumable)
    if is_whole:
        return await _whole(caller, started.live, form)
    encoder = _encoder(request, form, started.live.id)
    wait_seconds = FAILURE_WAIT_SECONDS if form == "text" else None
    return await first_response(
        started.live, caller.principal, encoder=encoder, status_wait_seconds=wait_seconds
    )


@for_front_ends("POST")
async def ui_messages(request: HttpRequest, caller: Caller) -> HttpResponseBase:
    """Answer the AI SDK's `useChat` over its default transport."""
    _require_json_body(request)
    body = await read_body(request.body)
    require_stream(body)
    started = await starting.start(caller, body, is_resumable=False)
    encoder = UIMessageEncoder(started.live.id)
    return await first_response(started.live, caller.principal, encoder=encoder)


@for_front_ends("GET")
async def chat_stream(
    request: HttpRequest, caller: Caller, chat_id: str, wire_format: str
) -> HttpResponseBase:
    """Resume the running answer of the AI SDK chat with this ID; 204 if there is none."""
    generation = starting.by_chat_id(caller, chat_id).generation
    if generation is None:
        return no_content()
    encoder = PlainTextEncoder() if wire_format == "text" else UIMessageEncoder(generation.id)
    return await resumed_response(generation, caller.principal, 0, encoder=encoder)


@for_front_ends("POST")
async def completions(request: HttpRequest, caller: Caller) -> HttpResponseBase:
    """Answer OpenAI clients, as a stream if they ask for one."""
    _require_json_body(request)
    body = await read_completions(request.body)
    started = await starting.start(caller, body, is_resumable=False)
    live, model = started
    if not body.stream:
        return await _completion(caller, started)
    encoder = OpenAIEncoder(live.id, model.id, include_usage=body.include_usage)
    return await first_response(
        live, caller.principal, encoder=encoder, status_wait_seconds=FAILURE_WAIT_SECONDS
    )


async def _completion(caller: Caller, started: Started) -> HttpResponse:
    live, model = started
    completion = OpenAICompletion(live.id, model.id)
    headers = await collect(live, caller.principal, completion)
    return JsonResponse(completion.body(), headers=headers)


async def _whole(caller: Caller, live: GenerationTask, form: str) -> HttpResponse:
    """Return the complete answer for a page that does not want a stream."""
    if form == "events":
        return await whole_response(live, caller.principal)
    answer = WholeAnswer()
    headers = await collect(live, caller.principal, answer)
    return HttpResponse(answer.text, content_type=PlainTextEncoder.content_type, headers=headers)


async def _read_any_body(request: HttpRequest) -> FrontEndRequest:
    if request.method == "POST":
        if request.body:
            require_json(request)
        return await read_body(request.body)
    prompt = request.GET.get("prompt")
    return FrontEndRequest() if prompt is None else FrontEndRequest(prompt=clean(prompt))


def _require_json_body(request: HttpRequest) -> None:
    if not request.body.strip():
        raise BadRequest(_("The request body is empty. Send JSON."))
    require_json(request)


def _format(request: HttpRequest) -> str:
    """Return the format that `Accept` prefers; ties go to the default format."""

    def quality(media_type: str) -> float:
        accepted = request.accepted_type(media_type)
        return float(accepted.quality) if accepted else 0.0

    return FORMATS[max(FORMATS, key=quality)]


def _encoder(request: HttpRequest, form: str, generation_id: UUID) -> Encoder:
    if form == "text":
        return PlainTextEncoder()
    prefix = resume_prefix(generation_id)
    if form == "html":
        return HtmlEncoder(prefix)
    return WorkersAIEncoder(prefix, has_data_heartbeats=request.GET.get("heartbeat") == "data")
