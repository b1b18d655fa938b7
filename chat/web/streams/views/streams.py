"""Stream answers: send, relay without storing, follow and cancel."""

import uuid
from contextlib import suppress

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from chat.accounts.principals import Principal, principal_of
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.database import threads
from chat.errors import ChatError
from chat.generations import tool_permissions
from chat.generations.delivery import access
from chat.generations.delivery.responses import (
    cursor_of,
    first_response,
    resumed_response,
    whole_response,
)
from chat.generations.send.compared import start_first, start_second
from chat.generations.send.document_query import DocumentQuery, query_of_messages
from chat.generations.send.model_choice import choose_for_member
from chat.generations.send.request import Send
from chat.generations.send.sent import Sent
from chat.generations.send.start import start_stored, start_temporary
from chat.generations.task import registry
from chat.knowledge.access import searched_for_member, some_collections_of
from chat.lib.catalogue import Model
from chat.personas.access import persona_of
from chat.personas.settings import GenerationSettings
from chat.upstream import available_models
from chat.upstream.request import CompletionRequest
from chat.web.http import cors, refused_requests
from chat.web.http.origin import is_form, require_json, require_same_origin
from chat.web.http.typed_requests import VisitorRequest
from chat.web.http.visitor_requests import (
    bearer_token,
    for_visitor,
    has_token,
    require_ready,
)
from chat.web.streams.relay_request import RelayRequest, question_of, read_relay_request
from chat.web.streams.resume_ids import number_in
from chat.web.streams.send_request import read_form, read_send, read_visitors_send, sending_tab
from chat.widget_sites import visitor_tokens


@csrf_exempt  # forms cannot send it: see chat/web/http/origin.py
@require_POST
async def relay(request: HttpRequest) -> HttpResponseBase:
    """Answer a conversation that the client keeps; nothing of it is stored."""
    require_same_origin(request)
    principal = await principal_of(request)
    with refused_requests.count_refusals(principal.key):
        body = await read_relay_request(request.body)
    generation_settings = await _settings_for(principal, body.persona)
    model, generation_settings = await threads.readers.run(
        choose_for_member, principal.user_id, body.model, generation_settings
    )
    name = body.model or model.id  # may be a retired name; the answer says which model replaced it
    question = question_of(
        body,
        name,
        model,
        generation_settings,
        metadata={"principal": principal.key},
        instructions=principal.instructions,
    )
    is_whole = body.stream is False
    live = await start_temporary(
        principal,
        question,
        model,
        generation_settings.fallback_model,
        documents=await _documents_for(principal, body, question, model),
        is_resumable=not is_whole,
        tools=await _tools_of(principal, body.site_tools),
    )
    if is_whole:
        return await whole_response(live, principal)
    return await first_response(live, principal)


async def _documents_for(
    principal: Principal, body: RelayRequest, question: CompletionRequest, model: Model
) -> DocumentQuery | None:
    if not (body.persona or body.collections):
        return None
    collections = await threads.readers.run(
        _collections_of, principal.user_id, body.persona, body.collections
    )
    if not collections:
        return None
    return query_of_messages(collections, question.messages, question.max_tokens, model)


def _collections_of(
    user_id: int, persona_id: uuid.UUID | None, chosen: tuple[uuid.UUID, ...]
) -> list[uuid.UUID]:
    return searched_for_member(user_id, persona_id, None, some_collections_of(user_id, chosen))


async def _tools_of(principal: Principal, names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        return ()
    return await threads.readers.run(tool_permissions.within, principal.user_id, names)


async def _settings_for(principal: Principal, persona_id: uuid.UUID | None) -> GenerationSettings:
    if persona_id is None:
        return GenerationSettings()
    return GenerationSettings.of(
        await threads.readers.run(persona_of, principal.user_id, persona_id)
    )


@require_POST
async def send(request: HttpRequest, conversation_id: uuid.UUID | None = None) -> HttpResponseBase:
    """Add a turn, retry an answer or continue it; the response streams the answer.

    Forms without JavaScript get a 303 redirect to the conversation.
    """
    if is_form(request):
        return await _send_form(request, conversation_id)
    require_json(request)
    principal = await principal_of(request)
    with refused_requests.count_refusals(principal.key):
        send_request = await read_send(request.body)
    return await _answer(request, principal, conversation_id, send_request)


@require_POST
async def visitors_send(
    request: VisitorRequest, conversation_id: uuid.UUID | None = None
) -> HttpResponseBase:
    """Send a visitor's message like `send`. They may have to consent, or fill in a form, first."""
    require_json(request)
    await require_ready(request.visit)
    principal = await principal_of(request)
    send_request = await read_visitors_send(request.body)
    return await _answer(request, principal, conversation_id, send_request)


async def _answer(
    request: HttpRequest,
    principal: Principal,
    conversation_id: uuid.UUID | None,
    send_request: Send,
) -> HttpResponseBase:
    sent = await _start(principal, conversation_id, send_request, sending_tab(request))
    if isinstance(sent, HandedOffMessage):
        return HttpResponse(status=204, headers=_place(sent.conversation_id, sent.question_id))
    live = registry.find(sent.generation.id)
    if sent.is_new and live:
        return await first_response(live, principal, _headers(sent))
    generation = await access.generation_of(principal, sent.generation.id)
    return await resumed_response(generation, principal, 0, _headers(sent))


async def _start(
    principal: Principal, conversation_id: uuid.UUID | None, send_request: Send, tab: str = ""
) -> Sent | HandedOffMessage:
    if send_request.compare_with:
        return await start_first(principal, conversation_id, send_request, tab)
    model = available_models.find(send_request.model)
    return await start_stored(principal, conversation_id, send_request, model, tab)


async def _send_form(request: HttpRequest, conversation_id: uuid.UUID | None) -> HttpResponse:
    principal = await principal_of(request)
    send_request = read_form(request.POST)
    sent = await _start(principal, conversation_id, send_request)
    if send_request.compare_with and isinstance(sent, Sent):
        with suppress(ChatError):  # the page shows the first answer, and offers to ask again
            await start_second(principal, sent, send_request.key)
    return HttpResponseRedirect(reverse("conversation", args=[sent.conversation_id]), status=303)


@require_GET
async def follow(request: HttpRequest, generation_id: uuid.UUID) -> HttpResponseBase:
    """Stream a generation from the start, or after `Last-Event-ID` (or `?after=`)."""
    principal = await principal_of(request)
    generation = await access.generation_of(principal, generation_id)
    last_event_id = number_in(request.headers.get("Last-Event-ID"), generation_id)
    after = cursor_of(last_event_id, request.GET.get("after"))
    return await resumed_response(generation, principal, after)


@require_POST
async def cancel(request: HttpRequest, generation_id: uuid.UUID) -> HttpResponse:
    """Stop a generation and keep its text. Does nothing if it has already ended.

    Members who read it from this process can stop it while the database is away.
    """
    session_key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    if access.stop_as_reader(generation_id, session_key=session_key):
        return JsonResponse({"id": str(generation_id)})
    principal = await principal_of(request)
    await access.stop(await access.generation_of(principal, generation_id))
    return JsonResponse({"id": str(generation_id)})


_visitors_cancel = for_visitor(cancel, or_anonymous=True)


@csrf_exempt  # a bearer token authenticates
async def visitors_cancel(
    request: VisitorRequest, site_key: str, generation_id: uuid.UUID
) -> HttpResponseBase:
    """Stop a visitor's generation like `cancel`; theirs, too, while the database is away.

    Which other origins may read a response is in the database, so their requests wait for it.
    """
    if request.method == "POST" and has_token(request) and not cors.is_foreign(request):
        token = visitor_tokens.digest_of(bearer_token(request))
        if access.stop_as_reader(generation_id, token=token):
            return JsonResponse({"id": str(generation_id)}, headers={"Cache-Control": "no-store"})
    response: HttpResponseBase = await _visitors_cancel(
        request, site_key, generation_id=generation_id
    )
    return response


def _headers(sent: Sent) -> dict[str, str]:
    """Return headers that tell the sender the IDs of the turn."""
    place = _place(sent.conversation_id, sent.question_id)
    return place | {"X-Message-Id": str(sent.generation.message_id)}


def _place(conversation_id: uuid.UUID, question_id: int | None) -> dict[str, str]:
    return {
        "X-Conversation-Id": str(conversation_id),
        "X-Question-Id": str(question_id or ""),
    }
