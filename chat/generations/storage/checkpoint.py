"""Write one flush: new log pages of all running generations, and the results of those that ended.

All are written in one transaction. If it fails because of its data, each generation is written by
itself, so that only the one at fault ends as `failed`: one invalid byte must not stop all answers.
If the database itself is unavailable nothing is lost: the same pages are written with the next
flush.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from chat.conversations import turns
from chat.conversations.models import Message, RedactedText
from chat.conversations.prompt import estimate_tokens
from chat.database.errors import error_for
from chat.errors import ChatError
from chat.generations.billing import charging
from chat.generations.models import Generation
from chat.generations.result import Result, State
from chat.generations.storage import late_results
from chat.generations.storage.flush_statements import (
    insert_pages,
    requested_stops,
    update_generation,
)
from chat.generations.storage.log_pages import LoggedText, logged_text, split_into_pages

log = logging.getLogger(__name__)

DATABASE_ERRORS = (OperationalError, InterfaceError)
NO_FACTS: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What one flush stores of a generation: `frames`, numbered from `first_seq` to `last_seq`."""

    generation_id: UUID
    first_seq: int = 0
    last_seq: int = 0
    frames: bytes = b""
    result: Result | None = None
    text: str = ""  # with a result: the message's complete text
    reasoning: str = ""
    facts: dict[str, Any] = field(default_factory=dict)  # columns that became known


@dataclass(frozen=True, slots=True)
class Written:
    """The outcome of a flush.

    `ended` tells for each result whether it was stored, `offenders` are the generations that could
    not be written, and `to_stop` those that must stop, with the cause if staff requested it.
    """

    ended: dict[UUID, bool]
    offenders: set[UUID]
    to_stop: dict[UUID, int | None]


def write(checkpoints: list[Checkpoint], running: list[UUID]) -> Written:
    """Store `checkpoints` and look up which of `running` must stop.

    A generation whose conversation was purged is returned in both `offenders` and `to_stop`. Raise
    a `DATABASE_ERRORS` error if the database is unavailable.
    """
    ended: dict[UUID, bool] = {}
    offenders: set[UUID] = set()
    known = requested_stops({each.generation_id for each in checkpoints} | set(running))
    present = sorted(
        (each for each in checkpoints if each.generation_id in known),
        key=lambda each: each.generation_id,
    )
    try:
        with transaction.atomic():
            ended = _write_all(present)
    except DATABASE_ERRORS:
        raise
    except Exception as error:
        _require_database(error)
        log.exception("flush failed; writing its %d generations one by one", len(present))
        ended, offenders = _write_one_by_one(present)
    offenders |= {each.generation_id for each in checkpoints} - known.keys()
    gone = (True, None)
    to_stop = {each: known.get(each, gone) for each in running}
    return Written(
        ended,
        offenders,
        {each: cause for each, (is_requested, cause) in to_stop.items() if is_requested},
    )


def _write_all(checkpoints: list[Checkpoint]) -> dict[UUID, bool]:
    insert_pages(
        (each.generation_id, *page)
        for each in checkpoints
        for page in split_into_pages(each.first_seq, each.frames)
    )
    for each in checkpoints:
        if each.facts and not each.result:
            update_generation(each.generation_id, each.facts)
    results = {each.generation_id: each.result for each in checkpoints if each.result}
    ended = {each.generation_id: _end(each, each.result) for each in checkpoints if each.result}
    charging.settle(results)
    charging.correct({key: results[key] for key, end in ended.items() if end is _End.SUPERSEDED})
    return {key: end is not _End.LOST for key, end in ended.items()}


class _End(Enum):
    """What storing a result came to."""

    STORED = auto()
    SUPERSEDED = auto()  # another process had ended the answer, with less
    LOST = auto()


def _end(new: Checkpoint, result: Result) -> _End:
    if close(new.generation_id, result, new.text, new.reasoning, new.facts):
        return _End.STORED
    columns = {"ended_at": timezone.now(), **columns_of(result), **new.facts}
    has_replaced = late_results.supersede(
        new.generation_id, result, columns, new.text, new.reasoning
    )
    return _End.SUPERSEDED if has_replaced else _End.LOST


def _write_one_by_one(checkpoints: list[Checkpoint]) -> tuple[dict[UUID, bool], set[UUID]]:
    ended: dict[UUID, bool] = {}
    offenders: set[UUID] = set()
    for each in checkpoints:
        try:
            with transaction.atomic():
                ended |= _write_all([each])
        except DATABASE_ERRORS:
            raise
        except Exception as error:
            _require_database(error)
            log.exception("could not store generation %s", each.generation_id)
            offenders.add(each.generation_id)
    return ended, offenders


def _require_database(error: Exception) -> None:
    """Raise a `DATABASE_ERRORS` error if the cause is the database, not what was to be stored.

    PostgreSQL's error for a read-only server is none of these classes.
    """
    if error_for(error):
        raise OperationalError(str(error)) from error


def close(
    generation_id: UUID,
    result: Result,
    text: str,
    reasoning: str,
    facts: Mapping[str, Any] = NO_FACTS,
) -> bool:
    """End a running generation and store its text; return False if it had already ended.

    Call it inside a transaction. `facts` are stored along with the result.
    """
    columns = {"ended_at": timezone.now(), **columns_of(result), **facts}
    message_id = update_generation(generation_id, columns, only_running=True)
    if message_id is not None:
        turns.finish_answer(message_id, text, reasoning)
    return message_id is not None


@transaction.atomic
def fail(generation_id: UUID, meant: Result) -> Result:
    """End a generation whose text cannot be stored; return its result.

    Text that earlier flushes stored is kept.

    Its cost is settled according to `meant`, the result that could not be stored.
    """
    result = replace(meant, state="stopped", is_purged=True)  # unless it is found
    generation = Generation.objects.filter(id=generation_id).first()
    if generation:
        logged = logged_text(generation_id)
        text = _text_before(generation).text + logged.text
        result = Result.of("failed", len(text), logged.last_seq, error=ChatError())
        close(generation_id, result, text, logged.reasoning)
    charging.settle({generation_id: meant})
    return result


def columns_of(result: Result) -> dict[str, Any]:
    """Return the columns of `Generation` that store a result."""
    usage, problem = result.usage, result.problem
    return {
        "state": result.state,
        "length": result.length,
        "last_seq": result.last_seq,
        "finish_reason": (result.finish_reason or "")[:40],
        "prompt_tokens": usage.prompt_tokens if usage else None,
        "completion_tokens": usage.completion_tokens if usage else None,
        "total_tokens": usage.total_tokens if usage else None,
        "cached_tokens": usage.cached_tokens if usage else None,
        "neurons": usage.neurons if usage else None,
        "cost_usd": result.cost_usd,
        "milliseconds": result.timing.milliseconds if result.timing else None,
        "error_code": problem.code if problem else "",
        "error_message": problem.message if problem else "",
        "error_retryable": problem.retryable if problem else False,
        "gateway_log_id": result.gateway_log_id,
        "gateway_cache_status": result.gateway_cache_status,
    }


def close_from_pages(generation: Generation, state: State) -> bool:
    """End a generation whose process is gone, with the text that was flushed.

    Return False if it had already ended.
    """
    with transaction.atomic():
        logged: LoggedText = logged_text(generation.id)
        base = _text_before(generation)
        text = base.text[: generation.base_length] + logged.text
        tokens = estimate_tokens(logged.text + logged.reasoning)
        result = Result(state, len(text), logged.last_seq, output_tokens=tokens)
        won = close(generation.id, result, text, base.reasoning + logged.reasoning)
        charging.settle({generation.id: result})
        return won


def _text_before(generation: Generation) -> Message | RedactedText:
    """Return the message as it was before the generation, which may continue its text."""
    return turns.stored_text(generation.message_id)
