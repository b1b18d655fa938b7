"""Answer programs in Ollama's format."""

from time import monotonic_ns

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.functional import lazystr
from django.views.decorators.csrf import csrf_exempt
from msgspec import Struct

from chat.database import threads
from chat.errors import BadRequest, Forbidden, NotFound
from chat.generations.delivery.encoders.ollama import OllamaAnswer, OllamaEncoder, OllamaForm
from chat.generations.delivery.responses import collect
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.generations.send.embedding import embed_texts
from chat.upstream.embeddings.client import Embeddings
from chat.web.api import api_answers
from chat.web.api.api_callers import ApiCaller, for_programs
from chat.web.api.embeddings_request import EmbeddingsRequest, plain_vectors
from chat.web.api.ollama import models
from chat.web.api.ollama.embed_requests import read_embed, read_prompt
from chat.web.api.ollama.requests import ReadRequest, read_chat, read_generate
from chat.web.http.json_body import decode_body
from chat.web.http.typed_responses import json_response

#: The version of Ollama whose API this is: programs require one that has what they use.
VERSION = "0.14.0"


class UnknownOllamaUrl(NotFound):
    code = "unknown_url"
    text = lazystr("This address doesn't exist here. For chats, use POST /api/chat.")


class ModelsAreManaged(Forbidden):
    """403: programs can't load, copy or delete models here."""

    code = "models_managed"
    text = lazystr("The models of this site are managed by its administrators.")


class NamedModel(Struct):
    """The model of a request, which older programs call `name`."""

    model: str = ""
    name: str = ""


@for_programs("POST")
async def chat(request: HttpRequest, caller: ApiCaller) -> HttpResponseBase:
    """Answer the messages of a chat, as a stream unless the request says otherwise."""
    return await _answer(caller, await read_chat(request.body))


@for_programs("POST")
async def generate(request: HttpRequest, caller: ApiCaller) -> HttpResponseBase:
    """Answer a single prompt, as a stream unless the request says otherwise."""
    return await _answer(caller, await read_generate(request.body))


@for_programs("POST")
async def embed(request: HttpRequest, caller: ApiCaller) -> HttpResponse:
    """Return a vector for each text."""
    begun = monotonic_ns()
    embed_request = await read_embed(request.body)
    embeddings = await _embeddings(caller, embed_request)
    vectors = await plain_vectors(embeddings) if embeddings.vectors else []
    took = monotonic_ns() - begun
    return json_response(
        {
            "model": embed_request.model,
            "embeddings": vectors,
            "total_duration": took,
            "load_duration": 0,
            "prompt_eval_count": embeddings.prompt_tokens,
        }
    )


@for_programs("POST")
async def embed_prompt(request: HttpRequest, caller: ApiCaller) -> HttpResponse:
    """Return the vector of one text, in the older form."""
    embeddings = await _embeddings(caller, await read_prompt(request.body))
    vector = embeddings.vectors[0].tolist() if embeddings.vectors else []
    return json_response({"embedding": vector})


@for_programs("GET", "HEAD")
async def tags(request: HttpRequest, caller: ApiCaller) -> HttpResponse:
    """List the models that the program may use."""
    listed = await threads.readers.run(models.listed_models, caller)
    return json_response({"models": listed})


@for_programs("POST")
async def show(request: HttpRequest, caller: ApiCaller) -> HttpResponse:
    """Describe one model."""
    named = await decode_body(request.body, NamedModel)
    wanted = named.model or named.name
    if not wanted:
        raise BadRequest("model is required").at("model")
    return json_response(await threads.readers.run(models.shown_model, caller, wanted))


@for_programs("GET", "HEAD")
async def version(request: HttpRequest, caller: ApiCaller) -> HttpResponse:
    return json_response({"version": VERSION})


@for_programs("GET", "HEAD")
async def loaded(request: HttpRequest, caller: ApiCaller) -> HttpResponse:
    """List the models in the memory of this machine: none, because providers run them."""
    return json_response({"models": []})


@csrf_exempt
async def managed(request: HttpRequest, digest: str = "") -> HttpResponse:
    """Refuse to change models."""
    raise ModelsAreManaged


@csrf_exempt
async def unknown(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Refuse an address that the API does not have, in its own format."""
    raise UnknownOllamaUrl


async def _answer(caller: ApiCaller, read: ReadRequest) -> HttpResponseBase:
    require_capacity(server_process.current())
    request = read.request
    named = request.model or ""
    model = await threads.readers.run(models.find_chat_model, caller, named)
    form = OllamaForm(named, read.is_chat, request.shows_thinking)
    if not read.messages:
        return json_response(form.without_answer("unload" if request.unloads else "load"))
    question = read.question(model, caller.principal.key)
    live = await api_answers.ask(caller, question, model)
    if request.is_streamed:
        return await api_answers.streamed(caller, live, OllamaEncoder(live.id, form))
    answer = OllamaAnswer(live.id, form)
    headers = await collect(live, caller.principal, answer)
    return json_response(answer.body(), headers)


async def _embeddings(caller: ApiCaller, request: EmbeddingsRequest) -> Embeddings:
    require_capacity(server_process.current())
    named = request.model or ""
    model = await threads.readers.run(models.find_embedding_model, caller, named)
    if not request.input:
        return Embeddings([], 0)
    return await embed_texts(caller.principal, model, request.texts)
