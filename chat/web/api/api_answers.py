"""Start the answer to a program's request. Only its cost is stored."""

from typing import NamedTuple

from chat.conversations.prompt import PromptMessage
from chat.database import threads
from chat.generations.process import server_process
from chat.generations.process.load_shedding import require_capacity
from chat.generations.send.start import start_temporary
from chat.generations.task.task import GenerationTask
from chat.lib.catalogue import Model
from chat.web.api.api_callers import ApiCaller
from chat.web.api.chat_request import ApiParameters, completion_request

#: Clients decide by the status whether to retry, so it waits for the beginning of the answer.
STATUS_WAIT_SECONDS = 30.0


class StartedAnswer(NamedTuple):
    live: GenerationTask
    model: Model


async def start(
    caller: ApiCaller, asked: ApiParameters, messages: list[PromptMessage]
) -> StartedAnswer:
    """Ask the model that the request names, and no other, with the whole prompt."""
    require_capacity(server_process.current())
    model = await threads.readers.run(caller.find_model, asked.model or "")
    question = completion_request(asked, messages, model, caller.principal.key)
    live = await start_temporary(caller.principal, question, model, None, is_resumable=False)
    return StartedAnswer(live, model)
