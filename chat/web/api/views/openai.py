"""Answer programs in OpenAI's format."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.functional import lazystr
from django.views.decorators.csrf import csrf_exempt

from chat.database import threads
from chat.errors import NotFound
from chat.generations.delivery.encoders.openai import OpenAICompletion
from chat.generations.delivery.encoders.openai_api import OpenAIApiEncoder
from chat.generations.delivery.encoders.openai_text import TextCompletion, TextCompletionEncoder
from chat.generations.delivery.encoders.responses_api import ResponsesEncoder, WholeResponse
from chat.generations.delivery.responses import collect
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.generations.send.embedding import embed_texts
from chat.generations.task.task import GenerationTask
from chat.lib.api_formats.openai_errors import api_error
from chat.lib.api_formats.program_errors import VERSION_HEADER, speaks_anthropic
from chat.web.api import api_answers, vector_stores
from chat.web.api.anthropic.model_page import model_info, model_page
from chat.web.api.api_callers import ApiCaller, for_programs, unknown_model
from chat.web.api.chat_request import read_chat_request
from chat.web.api.choices import several_choices
from chat.web.api.embeddings_request import embeddings_object, read_embeddings_request
from chat.web.api.model_list import model_object
from chat.web.api.responses.kept_responses import ResponseKeeper
from chat.web.api.responses.responses_request import read_responses_request
from chat.web.api.text_request import prompt_of, read_text_request
from chat.web.http.typed_responses import json_response


class UnknownUrl(NotFound):
    code = "unknown_url"
    text = lazystr("This address doesn't exist here. For chats, use POST /v1/chat/completions.")


class MissingVersion(NotFound):
    code = "unknown_url"
    text = lazystr("This address doesn't exist here. The base URL of the API ends with /v1.")


@for_programs("POST")
async def chat_completions(
    request: HttpRequest, caller: ApiCaller, account: str = ""
) -> HttpResponseBase:
    """Answer a chat completion request, as a stream if it asks for one."""
    chat_request, messages, tools = await read_chat_request(request.body)
    if chat_request.choices > 1:
        completion = await several_choices(caller, chat_request, messages, tools)
        return json_response(completion)
    live, model = await api_answers.start(caller, chat_request, messages, tools)
    if not chat_request.stream:
        return await _whole(caller, live, OpenAICompletion(live.id, model.id, tools.forms))
    encoder = OpenAIApiEncoder(
        live.id, model.id, include_usage=chat_request.include_usage, tools=tools.forms
    )
    return await api_answers.streamed(caller, live, encoder)


@for_programs("POST")
async def text_completions(request: HttpRequest, caller: ApiCaller) -> HttpResponseBase:
    """Answer a request of the older format, which some editors use to complete code."""
    text_request = await read_text_request(request.body)
    live, model = await api_answers.start(
        caller, text_request, prompt_of(text_request), is_chat=False
    )
    if not text_request.stream:
        return await _whole(caller, live, TextCompletion(live.id, model.id))
    encoder = TextCompletionEncoder(live.id, model.id, include_usage=text_request.include_usage)
    return await api_answers.streamed(caller, live, encoder)


@for_programs("POST")
async def responses(request: HttpRequest, caller: ApiCaller, account: str = "") -> HttpResponseBase:
    """Answer a request of the Responses API."""
    read = await read_responses_request(request.body, caller.key.pk)
    keeper = None
    if read.request.is_kept:
        key = caller.key
        keeper = ResponseKeeper(key.owner_id, key.pk, read.items, read.tools.forms)
    searched = None
    if read.tools.vector_stores:
        user_id = caller.principal.user_id
        searched = await threads.readers.run(
            vector_stores.collection_ids, user_id, read.tools.vector_stores
        )
    live, model = await api_answers.start(
        caller,
        read.request,
        read.messages,
        read.tools,
        searched=searched,
        site_tools=read.tools.site_tools,
        at_end=keeper,
    )
    echoed = {**read.echoed, "model": model.id}
    if not read.request.stream:
        return await _whole(caller, live, WholeResponse(live.id, echoed, read.tools.forms))
    encoder = ResponsesEncoder(live.id, echoed, read.tools.forms)
    return await api_answers.streamed(caller, live, encoder)


@for_programs("POST")
async def embeddings(request: HttpRequest, caller: ApiCaller, account: str = "") -> HttpResponse:
    """Return a vector for each text."""
    embeddings_request = await read_embeddings_request(request.body)
    require_capacity(server_process.current())
    embedding_model = await threads.readers.run(
        caller.find_embedding_model, embeddings_request.model or ""
    )
    vectors = await embed_texts(caller.principal, embedding_model, embeddings_request.texts)
    return json_response(await embeddings_object(embeddings_request, vectors))


@for_programs("GET", "HEAD")
async def models(request: HttpRequest, caller: ApiCaller, account: str = "") -> HttpResponse:
    """List the models that the program may use."""
    offered = await threads.readers.run(caller.models)
    if _speaks_anthropic(request):
        return JsonResponse(model_page(offered, request.GET.dict()))
    return JsonResponse(
        {"object": "list", "data": [model_object(each) for each in offered.values()]}
    )


@for_programs("GET", "HEAD")
async def model(request: HttpRequest, caller: ApiCaller, model_id: str) -> HttpResponse:
    offered = await threads.readers.run(caller.models)
    if model_id not in offered:
        raise unknown_model(model_id)
    shown = model_info if _speaks_anthropic(request) else model_object
    return JsonResponse(shown(offered[model_id]))


@for_programs("GET", "HEAD")
async def list_vector_stores(request: HttpRequest, caller: ApiCaller) -> HttpResponse:
    """List the collections of documents that the program's owner may use."""
    stores = await threads.readers.run(vector_stores.vector_stores, caller.principal.user_id)
    ids = [each["id"] for each in stores] or [None]
    listed = {"object": "list", "data": stores, "first_id": ids[0], "last_id": ids[-1]}
    return JsonResponse({**listed, "has_more": False})


@for_programs("GET", "HEAD")
async def show_vector_store(request: HttpRequest, caller: ApiCaller, store_id: str) -> HttpResponse:
    user_id = caller.principal.user_id
    return JsonResponse(await threads.readers.run(vector_stores.vector_store, user_id, store_id))


@csrf_exempt
async def unknown(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Refuse an address that the API does not have, in its own format."""
    raise UnknownUrl


@csrf_exempt
async def without_version(request: HttpRequest) -> HttpResponse:
    """Tell a program what is wrong with its base URL; for anything else, the page is missing."""
    if request.method != "POST" and "Authorization" not in request.headers:
        raise NotFound
    error = api_error(MissingVersion())
    return JsonResponse(error.body, status=error.status)


def _speaks_anthropic(request: HttpRequest) -> bool:
    return speaks_anthropic(request.path_info, request.headers.get(VERSION_HEADER, ""))


async def _whole(
    caller: ApiCaller,
    live: GenerationTask,
    document: OpenAICompletion | TextCompletion | WholeResponse,
) -> HttpResponse:
    headers = await collect(live, caller.principal, document)
    return json_response(document.body(), headers)
