"""Start the answer to a program's request.

Only its cost is stored, unless the key is one that keeps chats.
"""

from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

from chat.conversations.prompt import PromptMessage
from chat.database import threads
from chat.generations import tool_permissions
from chat.generations.delivery.encoders.base import Encoder
from chat.generations.delivery.log_response import LogResponse
from chat.generations.delivery.responses import first_response
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.generations.send import program_calls
from chat.generations.send.document_query import DocumentQuery, query_of_messages
from chat.generations.send.on_end import ResultStep
from chat.generations.send.start import start_temporary
from chat.generations.task.task import GenerationTask
from chat.lib.catalogue import Model
from chat.tools import toolbox
from chat.upstream import model_parameters
from chat.upstream.request import CompletionRequest
from chat.web.api.api_callers import ApiCaller
from chat.web.api.chat_request import ApiParameters, completion_request
from chat.web.api.message_documents import with_document_texts
from chat.web.api.request_tools import OfferedTools
from chat.web.http.json_body import UnsupportedParameter

WEB_SEARCH = "web_search"
#: Clients decide by the status whether to retry, so it waits for the beginning of the answer.
STATUS_WAIT_SECONDS = 30.0


class StartedAnswer(NamedTuple):
    live: GenerationTask
    model: Model


async def start(
    caller: ApiCaller,
    parameters: ApiParameters,
    messages: list[PromptMessage],
    tools: OfferedTools | None = None,
    *,
    is_chat: bool = True,
    searched: list[UUID] | None = None,
    site_tools: tuple[str, ...] = (),
    at_end: ResultStep | None = None,
) -> StartedAnswer:
    """Ask the model that the request names, and no other, with the whole prompt.

    `is_chat` is False for a request that is not kept as a conversation in any case. The answer is
    based on the collections that are `searched`, and may use the `site_tools`. `at_end` is awaited
    before readers learn that the answer has ended.
    """
    question, model = await question_of(caller, parameters, messages, tools)
    if site_tools and not model.tools:
        words = "tools: {model} can't call tools. Choose another model."
        raise UnsupportedParameter(words.format(model=model.name)).at("tools")
    if site_tools:
        user_id = caller.principal.user_id
        site_tools = await threads.readers.run(tool_permissions.within, user_id, site_tools)
        if tools and tools.must_search:
            question = _with_search(question, model, await _can_search(site_tools, model, user_id))
    documents = None
    if searched:
        read, most = question.messages, question.max_tokens
        documents = query_of_messages(searched, read, most, model)
    live = await ask(
        caller,
        question,
        model,
        is_chat=is_chat,
        documents=documents,
        site_tools=site_tools,
        at_end=at_end,
    )
    return StartedAnswer(live, model)


async def _can_search(site_tools: tuple[str, ...], model: Model, user_id: int) -> bool:
    return WEB_SEARCH in await threads.readers.run(toolbox.usable, site_tools, model, user_id)


def _with_search(question: CompletionRequest, model: Model, can_search: bool) -> CompletionRequest:
    """Return the question to a model that has to search the web before it answers.

    Raise `UnsupportedParameter` if it can't be made to.
    """
    if not can_search:
        raise UnsupportedParameter("tool_choice: web search isn't available.").at("tool_choice")
    if not model_parameters.can_force_calls(model):
        words = "tool_choice: {model} decides itself what it calls. Choose another model, or auto."
        raise UnsupportedParameter(words.format(model=model.name)).at("tool_choice")
    choice = {"type": "function", "function": {"name": WEB_SEARCH}}
    return replace(question, parameters={**question.parameters, "tool_choice": choice})


async def question_of(
    caller: ApiCaller,
    parameters: ApiParameters,
    messages: list[PromptMessage],
    tools: OfferedTools | None = None,
) -> tuple[CompletionRequest, Model]:
    """Return what the model is asked, and the model that the request names."""
    model = await find_model(caller, parameters.model)
    messages = await with_document_texts(messages, caller.member)
    key = caller.principal.key
    return completion_request(parameters, messages, model, key, tools), model


async def find_model(caller: ApiCaller, wanted: str | None) -> Model:
    """Return the model for a new answer. Raise `Overloaded`, or what `ApiCaller` raises."""
    require_capacity(server_process.current())
    return await threads.readers.run(caller.find_model, wanted or "")


async def ask(
    caller: ApiCaller,
    question: CompletionRequest,
    model: Model,
    *,
    is_chat: bool = True,
    documents: DocumentQuery | None = None,
    site_tools: tuple[str, ...] = (),
    at_end: ResultStep | None = None,
) -> GenerationTask:
    """Start the answer to a question that is sent as it is."""
    call = None
    if is_chat and caller.key.keeps_chats:
        key = caller.key
        call = await threads.readers.run(program_calls.prepare, key.owner_id, key.pk, question)
    return await start_temporary(
        caller.principal,
        question,
        model,
        None,
        documents=documents,
        is_resumable=False,
        call=call,
        at_end=at_end,
        tools=site_tools,
    )


async def streamed(caller: ApiCaller, live: GenerationTask, encoder: Encoder) -> LogResponse:
    """Return the answer as a stream. Raise the error of one that fails before its beginning."""
    return await first_response(
        live, caller.principal, encoder=encoder, status_wait_seconds=STATUS_WAIT_SECONDS
    )
