"""Show a tool's call, and let the chat's owner decide about it."""

import uuid
from collections.abc import Sequence
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.principals import Principal, principal_of
from chat.conversations import access
from chat.conversations.images.access import images_of
from chat.conversations.tool_calls import calls
from chat.conversations.tool_calls.models import REFUSAL_LENGTH, StoredToolCall
from chat.database import threads
from chat.errors import NotFound
from chat.generations.delivery import notifications
from chat.generations.send.document_results import read_again
from chat.generations.send.request import Send
from chat.generations.send.start import start_stored
from chat.generations.send.tool_decisions import Decision, Scope, decide
from chat.knowledge.access import collections_of
from chat.knowledge.given import block_for_people
from chat.upstream import available_models
from chat.web.http.json_body import read_small_json
from chat.web.http.origin import is_form, require_json
from chat.web.http.shared_limits import arequire_rate
from chat.web.http.typed_responses import json_response
from chat.web.messages.decision_form import MAX_EDITED_CHARS, read_decision
from chat.web.messages.tool_presenter import shown_calls
from chat.web.streams.send_request import read_key, sending_tab

DECISIONS_PER_MINUTE = 60


class _Decision(msgspec.Struct, forbid_unknown_fields=True):
    is_allowed: bool
    arguments: Annotated[str, msgspec.Meta(max_length=MAX_EDITED_CHARS)] = ""
    words: Annotated[str, msgspec.Meta(max_length=REFUSAL_LENGTH)] = ""
    scope: Scope = "once"


class _CallOut(msgspec.Struct):
    """What a call was given and what it returned, in full."""

    arguments: str
    result: str
    images: list[str]  # their digests


@require_safe
@never_cache
async def show(request: HttpRequest, call_id: uuid.UUID) -> HttpResponse:
    """Return the arguments and the result of a call, which a page shows on demand."""
    principal = await _member(request)
    call = await threads.readers.run(_read, principal.user_id, call_id)
    return json_response(call)


@require_POST
async def decision(request: HttpRequest, call_id: uuid.UUID) -> HttpResponse:
    """Allow or refuse a call; return all calls of its answer. A later send continues it.

    Forms without JavaScript continue it at once, and get a 303 redirect to it.
    """
    if is_form(request):
        return await _decide_with_form(request, call_id)
    require_json(request)
    principal = await _member(request)
    said = read_small_json(request.body, _Decision)
    decided = await _decide(
        request,
        principal,
        call_id,
        Decision(said.is_allowed, said.arguments, said.words, said.scope),
    )
    return json_response({"tools": shown_calls(decided)})


async def _decide_with_form(request: HttpRequest, call_id: uuid.UUID) -> HttpResponse:
    principal = await _member(request)
    key = read_key(request.POST.get("key", ""))
    said = await threads.readers.run(_read_form, principal.user_id, call_id, request.POST)
    decided = await _decide(request, principal, call_id, said)
    answer = decided[0].message
    if not any(map(calls.needs_decision, decided)):
        resumed, model = Send(key=key, resume=answer.pk), available_models.find(None)
        await start_stored(principal, answer.conversation_id, resumed, model)
    place = reverse("conversation", args=[answer.conversation_id])
    return HttpResponseRedirect(f"{place}?at={answer.pk}#m{answer.pk}", status=303)


async def _decide(
    request: HttpRequest, principal: Principal, call_id: uuid.UUID, said: Decision
) -> Sequence[StoredToolCall]:
    await arequire_rate("tool_decisions", principal.key, DECISIONS_PER_MINUTE)
    decided = await threads.writer.run(decide, principal.user_id, call_id, said)
    notifications.notify_in_background(
        principal.user_id, "turn", decided[0].message.conversation_id, sending_tab(request)
    )
    return decided


async def _member(request: HttpRequest) -> Principal:
    """Return the member; visitors' chats have no such calls."""
    principal = await principal_of(request)
    if principal.site:
        raise NotFound
    return principal


def _read(user_id: int, call_id: uuid.UUID) -> _CallOut:
    call = _call(user_id, call_id)
    readable = list(collections_of(user_id).values_list("pk", flat=True))
    read_again([call], readable)
    known = set(images_of(user_id, call.images or []).values_list("digest", flat=True))
    shown = [each for each in call.images or () if each in known]
    return _CallOut(call.arguments, block_for_people(call.result), shown)


def _read_form(user_id: int, call_id: uuid.UUID, form: QueryDict) -> Decision:
    return read_decision(form, _call(user_id, call_id).arguments)


def _call(user_id: int, call_id: uuid.UUID) -> StoredToolCall:
    """Return a call of a member's chat, unless its answer is hidden. Raise `NotFound`."""
    call = calls.find(call_id)
    conversation = access.conversation_of(user_id, call.message.conversation_id)
    if access.message_of(conversation, call.message_id).hidden_at:
        raise NotFound
    return call
