"""Streams of answers: the stateless relay, following, stopping."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from chat.accounts.principals import principal_of
from chat.pages.origin import require_same_origin
from chat.pages.relay_request import question_of, read_relay_request
from chat.relay import clients, models_on_offer, registry
from chat.relay.answer import answer
from chat.relay.responses import cursor_of, first_response, resumed_response


@csrf_exempt  # no form can send it: see chat/pages/origin.py
@require_POST
async def relay(request: HttpRequest) -> HttpResponseBase:
    """Answers a conversation that the caller holds; nothing of it is stored."""
    require_same_origin(request)
    principal = await principal_of(request)
    asked = read_relay_request(request.body)
    model = models_on_offer.find(asked.model)
    events = answer(
        question_of(asked, model.id, metadata={"principal": principal.key}),
        clients.current(),
        model,
        models_on_offer.fallback(),
        settings.UPSTREAM_RETRIES,
    )
    return await first_response(registry.start(principal.key, events))


@require_GET
async def follow(request: HttpRequest, generation_id: str) -> HttpResponseBase:
    """The stream of a generation, from the beginning or after `Last-Event-ID` (or `?after=`)."""
    principal = await principal_of(request)
    generation = registry.access(principal.key, generation_id)
    after = cursor_of(request.headers.get("Last-Event-ID"), request.GET.get("after"))
    return await resumed_response(generation, after)


@require_POST
async def cancel(request: HttpRequest, generation_id: str) -> HttpResponse:
    """Stops a generation; what was said stays. Stopping one that has ended changes nothing."""
    principal = await principal_of(request)
    generation = registry.access(principal.key, generation_id)
    generation.stop()
    return JsonResponse({"id": generation.id})
