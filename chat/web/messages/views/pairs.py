"""Vote on two answers, and choose the one that the chat goes on with."""

import uuid
from typing import Literal, get_args

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from chat.accounts.principals import principal_of
from chat.conversations import access
from chat.database import threads
from chat.errors import BadRequest
from chat.generations.delivery import notifications
from chat.generations.pairs import pairs
from chat.generations.pairs.models import AnswerPair
from chat.web.http.json_body import read_small_json
from chat.web.http.origin import is_form, require_json
from chat.web.http.typed_responses import json_response
from chat.web.messages.message_out import PairOut
from chat.web.messages.pair_presenter import pair_out
from chat.web.streams.send_request import sending_tab

Verdict = Literal["a", "b", "good", "bad", "skipped"]
Side = Literal["a", "b"]


class _Vote(msgspec.Struct, forbid_unknown_fields=True):
    verdict: Verdict


class _Choice(msgspec.Struct, forbid_unknown_fields=True):
    chosen: Side


class _Decided(msgspec.Struct):
    """The pair as the answer on side A sees it, and what has written both."""

    pair: PairOut
    models: dict[str, str]


@require_POST
async def vote(request: HttpRequest, conversation_id: uuid.UUID, pair_id: int) -> HttpResponse:
    """Store a verdict on two answers without names; the response has the names."""
    verdict = _value(request, "verdict", get_args(Verdict)) or (
        read_small_json(request.body, _Vote).verdict
    )
    return await _decide(request, conversation_id, pair_id, AnswerPair.Verdict(verdict))


@require_POST
async def choose(request: HttpRequest, conversation_id: uuid.UUID, pair_id: int) -> HttpResponse:
    """Choose the answer that the chat goes on with."""
    chosen = _value(request, "chosen", get_args(Side)) or (
        read_small_json(request.body, _Choice).chosen
    )
    return await _decide(request, conversation_id, pair_id, AnswerPair.Side(chosen))


def _value(request: HttpRequest, name: str, allowed: tuple[str, ...]) -> str:
    """Return the value of a form's field; empty if the body is JSON."""
    if not is_form(request):
        require_json(request)
        return ""
    value = str(request.POST.get(name, ""))
    if value not in allowed:
        raise BadRequest
    return value


async def _decide(
    request: HttpRequest,
    conversation_id: uuid.UUID,
    pair_id: int,
    what: AnswerPair.Verdict | AnswerPair.Side,
) -> HttpResponse:
    principal = await principal_of(request)
    pair = await threads.writer.run(_store, principal.user_id, conversation_id, pair_id, what)
    notifications.notify_in_background(
        principal.user_id, "turn", conversation_id, sending_tab(request)
    )
    if is_form(request):
        return HttpResponseRedirect(reverse("conversation", args=[conversation_id]), status=303)
    models = {"a": pair.model_a, "b": pair.model_b}
    return json_response(_Decided(pair_out(pair, pair.answer_a_id), models))


def _store(
    user_id: int,
    conversation_id: uuid.UUID,
    pair_id: int,
    what: AnswerPair.Verdict | AnswerPair.Side,
) -> AnswerPair:
    conversation = access.conversation_of(user_id, conversation_id)
    if isinstance(what, AnswerPair.Side):
        return pairs.choose(user_id, conversation, pair_id, what)
    return pairs.decide(user_id, conversation, pair_id, what)
