"""The result of a generation, from which terminal frames are made, both live and from storage."""

from dataclasses import dataclass
from typing import Literal, get_args

from chat.errors import ChatError, ErrorReader
from chat.quotas.amounts import Amount
from chat.upstream.events import AnswerOpened, Finished, ToolCall, Usage

#: As stored in `Generation.State`.
State = Literal["running", "complete", "stopped", "interrupted", "failed"]
STATES: dict[str, State] = {state: state for state in get_args(State)}


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as clients see it."""

    code: str
    message: str
    retryable: bool

    @classmethod
    def of(cls, error: ChatError, reader: ErrorReader) -> "Problem":
        return cls(error.code, error.words_for(reader), error.retryable)


@dataclass(frozen=True, slots=True)
class Timing:
    """Duration of an answer: to its first token (None if there was none), and in total."""

    first_token_milliseconds: int | None
    milliseconds: int


@dataclass(frozen=True, slots=True)
class LastRequest:
    """The last of several requests to a model for one answer, and what the others have used."""

    used_before: Amount
    answered_by: str
    routed_to: str
    usage: Usage | None
    output_tokens: int  # estimated


@dataclass(frozen=True, slots=True)
class Result:
    """How a generation ended.

    `length` counts the code points of the complete text; `last_seq` is the number of the last frame
    before the terminal ones.
    """

    state: State
    length: int
    last_seq: int
    finish_reason: str | None = None
    usage: Usage | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    problem: Problem | None = None
    answered_by: str = ""  # the model, if the provider accepted the request
    routed_to: str = ""  # the model that a route of AI Gateway chose
    gateway_log_id: str = ""
    gateway_cache_status: str = ""
    timing: Timing | None = None
    cost_usd: float | None = None
    prompt_tokens: int = 0  # estimated, for results without usage; 0: unknown
    output_tokens: int = 0  # estimated, for results without usage
    last_request: LastRequest | None = None  # None: it was the only one, or is unknown
    hides_model: bool = False  # readers must not learn which one answers, nor what it cost
    is_purged: bool = False  # it was deleted while it ran, and nothing is stored

    @classmethod
    def of(
        cls,
        state: State,
        length: int,
        last_seq: int,
        finished: Finished | None = None,
        opened: AnswerOpened | None = None,
        error: ChatError | None = None,
        reader: ErrorReader = ErrorReader.MEMBER,
    ) -> "Result":
        return cls(
            state=state,
            length=length,
            last_seq=last_seq,
            finish_reason=finished.finish_reason if finished else None,
            usage=finished.usage if finished else None,
            tool_calls=tuple(finished.tool_calls) if finished else (),
            problem=Problem.of(error, reader) if error else None,
            answered_by=opened.model if opened else "",
            routed_to=opened.routed_to if opened else "",
            gateway_log_id=opened.gateway_log_id if opened else "",
            gateway_cache_status=opened.gateway_cache_status if opened else "",
        )
