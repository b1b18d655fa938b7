"""Start the answer to a program's request.

Only its cost is stored, unless the key is one that keeps chats.
"""

from dataclasses import replace
from typing import NamedTuple

from chat.conversations.attached_files import file_block
from chat.conversations.prompt import PromptMessage
from chat.database import threads
from chat.documents.reading import read_document
from chat.errors import BadRequest
from chat.generations.delivery.encoders.base import Encoder
from chat.generations.delivery.log_response import LogResponse
from chat.generations.delivery.responses import first_response
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.generations.send import program_calls
from chat.generations.send.on_end import ResultStep
from chat.generations.send.start import start_temporary
from chat.generations.task.task import GenerationTask
from chat.lib.catalogue import Model
from chat.upstream.request import CompletionRequest
from chat.web.api.api_callers import ApiCaller
from chat.web.api.chat_request import ApiParameters, completion_request
from chat.web.api.request_tools import OfferedTools

#: Clients decide by the status whether to retry, so it waits for the beginning of the answer.
STATUS_WAIT_SECONDS = 30.0
#: Files in all messages of a request: a small file may have a text of a million bytes.
MAX_DOCUMENTS = 30


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
    at_end: ResultStep | None = None,
) -> StartedAnswer:
    """Ask the model that the request names, and no other, with the whole prompt.

    `is_chat` is False for a request that is not kept as a conversation in any case. `at_end` is
    awaited before readers learn that the answer has ended.
    """
    model = await find_model(caller, parameters.model)
    messages = await with_documents(caller, messages)
    question = completion_request(parameters, messages, model, caller.principal.key, tools)
    live = await ask(caller, question, model, is_chat=is_chat, at_end=at_end)
    return StartedAnswer(live, model)


async def find_model(caller: ApiCaller, wanted: str | None) -> Model:
    """Return the model for a new answer. Raise `Overloaded`, or what `ApiCaller` raises."""
    require_capacity(server_process.current())
    return await threads.readers.run(caller.find_model, wanted or "")


async def with_documents(caller: ApiCaller, messages: list[PromptMessage]) -> list[PromptMessage]:
    """Return the messages with the texts of their documents. Raise `BadRequest`."""
    if sum(len(each.documents) for each in messages) > MAX_DOCUMENTS:
        raise BadRequest(f"messages: at most {MAX_DOCUMENTS} files are possible.").at("messages")
    return [
        each if not each.documents else await _with_documents(caller, each) for each in messages
    ]


async def _with_documents(caller: ApiCaller, message: PromptMessage) -> PromptMessage:
    parts = [message.content] if message.content else []
    for each in message.documents:
        document = await read_document(each.content, each.name, caller.member)
        parts.append(file_block(each.name, document.text))
    return replace(message, content="\n".join(parts), documents=())


async def ask(
    caller: ApiCaller,
    question: CompletionRequest,
    model: Model,
    *,
    is_chat: bool = True,
    at_end: ResultStep | None = None,
) -> GenerationTask:
    """Start the answer to a question that is sent as it is."""
    call = None
    if is_chat and caller.key.keeps_chats:
        key = caller.key
        call = await threads.readers.run(program_calls.prepare, key.owner_id, key.pk, question)
    return await start_temporary(
        caller.principal, question, model, None, is_resumable=False, call=call, at_end=at_end
    )


async def streamed(caller: ApiCaller, live: GenerationTask, encoder: Encoder) -> LogResponse:
    """Return the answer as a stream. Raise the error of one that fails before its beginning."""
    return await first_response(
        live, caller.principal, encoder=encoder, status_wait_seconds=STATUS_WAIT_SECONDS
    )
