"""What happens when an answer ends."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from chat.accounts.principals import Principal
from chat.conversations.tool_calls import calls as tool_calls
from chat.database import threads
from chat.errors import AllocationExhausted
from chat.generations.delivery import notifications
from chat.generations.process import server_process
from chat.generations.result import Result
from chat.generations.send import program_calls
from chat.generations.send.program_calls import ProgramCall
from chat.generations.send.sent import Sent
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.generations.task.task import GenerationTask
from chat.quotas import pauses
from chat.upstream import factory

#: Hooks of other packages, called with each stored answer that has ended, and its text. They must
#: be quick.
answer_hooks: list[Callable[[Principal, Sent, Result, str], None]] = []

#: A step of the web layer. It must not raise.
ResultStep = Callable[[GenerationTask, Result], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class AnswerEnd:
    """The steps at the end of an answer: of a stored one (`sent`), or of a temporary one.

    A temporary one that answered the `call` of a program is kept as a conversation; `at_end` is its
    last step. `tab` is the page that sent the question, and needs no notification.
    """

    principal: Principal
    sent: Sent | None = None
    tab: str = ""
    call: ProgramCall | None = None
    at_end: ResultStep | None = None

    async def __call__(self, task: GenerationTask, result: Result) -> Result:
        """Store the result; return the stored one, which another process may have written."""
        await _pause_if_allocation_is_spent(task)
        if self.sent is None:
            await _settle(task, result)
            if self.call:
                await program_calls.keep(self.call, task, result)
            if self.at_end:
                await self.at_end(task, result)
            return result
        result = await server_process.current().log_writer.store_result(task, result)
        owner_id, conversation_id = self.sent.generation.owner_id, self.sent.conversation_id
        kind = await _kind_of(result, self.sent.generation.message_id)
        notifications.notify_in_background(owner_id, kind, conversation_id, self.tab)
        for hook in answer_hooks:
            hook(self.principal, self.sent, result, task.text)
        return result


async def _kind_of(result: Result, message_id: int) -> notifications.Kind:
    """Return whether an answer has ended or needs a permission. Without the database, it ended."""
    if result.finish_reason == "tool_calls":
        with suppress(*DATABASE_ERRORS):
            calls = await threads.readers.run(tool_calls.of_answer, message_id)
            return "permission" if any(map(tool_calls.needs_decision, calls)) else "answer"
    return "answer"


async def _pause_if_allocation_is_spent(task: GenerationTask) -> None:
    """Pause requests once a provider reports its daily allocation as spent.

    The emulator is excluded, as it reports so on demand.
    """
    error = task.error
    if isinstance(error, AllocationExhausted) and not factory.uses_emulator(error.provider):
        with suppress(*DATABASE_ERRORS):
            await threads.writer.run(pauses.pause, error.provider)


async def _settle(task: GenerationTask, result: Result) -> None:
    here = server_process.current()
    here.unsettled[task.id] = result
    await here.settle()
