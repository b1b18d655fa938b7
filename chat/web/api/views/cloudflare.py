"""Answer Cloudflare's clients: the account in the path is ignored, the token is an API key."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from chat.database import threads
from chat.generations.delivery.encoders.openai import OpenAICompletion
from chat.generations.delivery.encoders.openai_api import OpenAIApiEncoder
from chat.generations.delivery.encoders.workers_ai_run import (
    WorkersAIRunEncoder,
    WorkersAIRunResult,
)
from chat.generations.delivery.responses import collect
from chat.lib.api_formats import models_search
from chat.lib.api_formats.cloudflare_errors import envelope
from chat.lib.catalogue import Model
from chat.web.api import api_answers
from chat.web.api.api_callers import ApiCaller, for_programs
from chat.web.api.cloudflare_request import read_run_request
from chat.web.api.media.cloudflare_media import named_model, run_other_task
from chat.web.http.typed_responses import json_response


@for_programs("POST")
async def run(
    request: HttpRequest, caller: ApiCaller, account: str, model_id: str = ""
) -> HttpResponseBase:
    """Answer in the format that Workers AI has for the model's family."""
    other = await run_other_task(
        caller,
        model_id or await named_model(request.body),
        request.body,
        is_by_body=not model_id,
    )
    if other is not None:
        return other
    run_request, messages = await read_run_request(request.body, model_id)
    live, model = await api_answers.start(caller, run_request, messages)
    is_openais = _answers_as_openai(model)
    if run_request.stream:
        encoder = (
            OpenAIApiEncoder(live.id, model.id, include_usage=True)
            if is_openais
            else WorkersAIRunEncoder(live.id)
        )
        return await api_answers.streamed(caller, live, encoder)
    result = (
        OpenAICompletion(live.id, model.id)
        if is_openais
        else WorkersAIRunResult(is_json=run_request.wants_json)
    )
    headers = await collect(live, caller.principal, result)
    return json_response(envelope(result.body()), headers)


@for_programs("GET", "HEAD")
async def search_models(request: HttpRequest, caller: ApiCaller, account: str) -> HttpResponse:
    """List the models that the program may use, page by page."""
    found_models = await threads.readers.run(caller.models)
    return JsonResponse(models_search.search(found_models.values(), request.GET.dict()))


@for_programs("GET", "HEAD")
async def verify_token(request: HttpRequest, caller: ApiCaller, account: str = "") -> HttpResponse:
    return JsonResponse(envelope({"id": str(caller.key.pk), "status": "active"}))


def _answers_as_openai(model: Model) -> bool:
    return model.family == "openai"
