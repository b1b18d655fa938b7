"""Answer programs in OpenAI's format."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt

from chat.database import threads
from chat.errors import NotFound, UnknownModel
from chat.generations.delivery.encoders.openai import OpenAICompletion
from chat.generations.delivery.encoders.openai_api import OpenAIApiEncoder
from chat.generations.delivery.responses import collect, first_response
from chat.web.api import api_answers
from chat.web.api.api_answers import STATUS_WAIT_SECONDS
from chat.web.api.api_callers import ApiCaller, for_programs
from chat.web.api.chat_request import messages_of, read_chat_request
from chat.web.api.model_list import model_object


class UnknownUrl(NotFound):
    code = "unknown_url"
    text = _("This address doesn't exist here. For chats, use POST /v1/chat/completions.")


@for_programs("POST")
async def chat_completions(
    request: HttpRequest, caller: ApiCaller, account: str = ""
) -> HttpResponseBase:
    """Answer a chat completion request, as a stream if it asks for one."""
    asked = await read_chat_request(request.body)
    live, model = await api_answers.start(caller, asked, messages_of(asked))
    if not asked.stream:
        completion = OpenAICompletion(live.id, model.id)
        headers = await collect(live, caller.principal, completion)
        return JsonResponse(completion.body(), headers=headers)
    encoder = OpenAIApiEncoder(live.id, model.id, include_usage=asked.include_usage)
    return await first_response(
        live, caller.principal, encoder=encoder, status_wait_seconds=STATUS_WAIT_SECONDS
    )


@for_programs("GET", "HEAD")
async def models(request: HttpRequest, caller: ApiCaller, account: str = "") -> HttpResponse:
    """List the models that the program may use."""
    found = await threads.readers.run(caller.models)
    return JsonResponse({"object": "list", "data": [model_object(each) for each in found.values()]})


@for_programs("GET", "HEAD")
async def model(request: HttpRequest, caller: ApiCaller, model_id: str) -> HttpResponse:
    found = await threads.readers.run(caller.models)
    if model_id not in found:
        raise UnknownModel
    return JsonResponse(model_object(found[model_id]))


@csrf_exempt
async def unknown(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Refuse an address that the API does not have, in its own format."""
    raise UnknownUrl
