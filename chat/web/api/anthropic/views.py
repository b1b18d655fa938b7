"""Answer programs in Anthropic's format."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from chat.conversations.prompt import estimate_prompt_tokens
from chat.generations.delivery.encoders.anthropic_messages import MessagesEncoder, WholeMessage
from chat.generations.delivery.responses import collect
from chat.web.api import api_answers
from chat.web.api.anthropic.messages_request import messages_question, read_messages_request
from chat.web.api.anthropic.thinking import shows_thinking
from chat.web.api.api_callers import ApiCaller, for_programs
from chat.web.api.message_documents import with_document_texts
from chat.web.http.typed_responses import json_response


@for_programs("POST")
async def messages(request: HttpRequest, caller: ApiCaller) -> HttpResponseBase:
    """Answer a request of the Messages API, as a stream if it asks for one."""
    messages_request, prompt = await read_messages_request(request.body)
    model = await api_answers.find_model(caller, messages_request.model)
    prompt = await with_document_texts(prompt, caller.member)
    question = messages_question(messages_request, prompt, model, caller.principal.key)
    live = await api_answers.ask(caller, question, model)
    prompt_tokens = estimate_prompt_tokens(question.read_messages)
    shown = shows_thinking(messages_request.thinking)
    if messages_request.stream:
        encoder = MessagesEncoder(live.id, model.id, prompt_tokens, shows_thinking=shown)
        return await api_answers.streamed(caller, live, encoder)
    whole = WholeMessage(live.id, model.id, prompt_tokens, shows_thinking=shown)
    headers = await collect(live, caller.principal, whole)
    return json_response(whole.body(), headers)


@for_programs("POST")
async def count_tokens(request: HttpRequest, caller: ApiCaller) -> HttpResponse:
    """Estimate what the model would read. This asks no model, and costs nothing."""
    messages_request, prompt = await read_messages_request(request.body)
    model = await api_answers.find_model(caller, messages_request.model)
    prompt = await with_document_texts(prompt, caller.member)
    question = messages_question(messages_request, prompt, model, caller.principal.key)
    return json_response({"input_tokens": estimate_prompt_tokens(question.read_messages)})
