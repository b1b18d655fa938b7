"""What the requests to the model cost that one answer consists of."""

from collections.abc import Sequence

from django.db import transaction

from chat.conversations.prompt import estimate_tokens
from chat.conversations.tool_calls import calls as tool_calls
from chat.conversations.tool_calls.models import StoredToolCall
from chat.database import threads
from chat.generations.billing import charging
from chat.generations.billing.pricing import amount_of, usage_of
from chat.generations.result import LastRequest
from chat.generations.send.tool_use import ToolUse
from chat.quotas.amounts import NOTHING, Amount
from chat.upstream import available_models
from chat.upstream.events import AnswerOpened, Finished, Usage
from chat.upstream.request import CompletionRequest


class RequestCosts:
    """The costs of an answer's requests: noted when one has ended, reserved before the next.

    `total` is what the provider counted of all; None if it left a figure out.
    """

    def __init__(self, use: ToolUse) -> None:
        self._use = use
        self._opened: AnswerOpened | None = None
        self._prompt_tokens, self._max_tokens = use.task.prompt_tokens, use.task.max_tokens
        self._text_before = self._reasoning_before = 0  # characters that earlier ones wrote
        self._calls = ""
        self._usage: Usage | None = None  # of the last request
        self._has_ended = False  # the last request
        self._used_before = NOTHING
        self.total: Usage | None = Usage()
        self.has_asked = False
        use.task.last_request_of = self.last_request

    def open(self, opened: AnswerOpened) -> None:
        self._opened = opened

    def end(self, finished: Finished) -> None:
        """Count what a request has used. Without one figure, the sum is unknown."""
        self._usage, self._has_ended, self.has_asked = finished.usage, True, True
        self._calls = "".join(each.name + each.arguments for each in finished.tool_calls)
        self.total = self.total + finished.usage if self.total and finished.usage else None

    def fail(self) -> None:
        """Count nothing for the last request, which has failed before its first word."""
        if not self._has_ended:
            self._usage = Usage()

    def last_request(self) -> LastRequest:
        opened = self._opened
        return LastRequest(
            used_before=self._used_before,
            answered_by=opened.model if opened else "",
            routed_to=opened.routed_to if opened else "",
            usage=self._usage,
            output_tokens=self._output_tokens(),
        )

    async def note(self, made: Sequence[StoredToolCall]) -> None:
        """Store what the requests have used, and the calls that the last one has made."""
        used = self._used()

        @transaction.atomic
        def store() -> None:
            if self._use.message_id is not None:
                tool_calls.add(made)
            charging.note_used(self._use.task.id, used)

        await threads.writer.run(store)

    def _used(self) -> Amount:
        opened = self._opened
        model = available_models.priced(opened.model, opened.routed_to) if opened else None
        usage = self._usage or usage_of(self._prompt_tokens, self._output_tokens())
        return self._used_before + amount_of(model or self._use.model, usage)

    async def reserve(self, request: CompletionRequest) -> int:
        """Reserve the next request; return how many tokens of answer are granted.

        Raise `QuotaExceeded` if too little is left.
        """
        use, task = self._use, self._use.task
        estimate = charging.estimate(
            request.read_messages, use.model, request.max_tokens, use.fallback
        )
        granted = await threads.writer.run(charging.extend, task.id, use.principal.payer, estimate)
        if not self.has_asked:  # what was reserved first is for a request that is never sent
            task.prompt_tokens = task.max_tokens = 0
        task.prompt_tokens += estimate.prompt_tokens
        task.max_tokens += granted
        self._begin(estimate.prompt_tokens, granted)
        return granted

    def _begin(self, prompt_tokens: int, max_tokens: int) -> None:
        """Begin to count another request."""
        if self._has_ended:
            self._used_before = self._used()
        self._prompt_tokens, self._max_tokens = prompt_tokens, max_tokens
        self._text_before = len(self._use.task.text)
        self._reasoning_before = len(self._use.task.reasoning)
        self._calls, self._usage, self._opened, self._has_ended = "", None, None, False

    def _output_tokens(self) -> int:
        """Return an estimate of what the last request has written, at most what it was granted."""
        task = self._use.task
        text, reasoning = task.text[self._text_before :], task.reasoning[self._reasoning_before :]
        tokens = estimate_tokens(text + reasoning + self._calls)
        return min(tokens, self._max_tokens or tokens)
