"""What one flush writes: new pages of all running generations, and the endings among them.

One transaction for all of them. If it fails for a reason that lies in the data, each generation is
written alone, so that only the offender ends `failed`: one bad byte must not stop everybody's text.
If the database itself is in trouble nothing is lost: the same pages are written with the next
flush.
"""

import logging
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from chat.conversations import turns
from chat.conversations.models import Message, RedactedText
from chat.conversations.prompt import estimate_tokens
from chat.errors import ChatError
from chat.generations.billing import charging
from chat.generations.models import Generation
from chat.generations.result import Result, State
from chat.generations.storage.flush_sql import insert_pages, stops_of
from chat.generations.storage.log_pages import LoggedText, said_in

log = logging.getLogger(__name__)

TROUBLE = (OperationalError, InterfaceError)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One generation's share of a flush: `frames` are numbered from `first_seq` to `last_seq`."""

    generation_id: UUID
    first_seq: int = 0
    last_seq: int = 0
    frames: bytes = b""
    ending: Result | None = None
    text: str = ""  # with an ending: what the answer's message holds from now on
    reasoning: str = ""
    facts: dict[str, Any] = field(default_factory=dict)  # columns that became known


@dataclass(frozen=True, slots=True)
class Written:
    """What a flush found: whose ending was stored, who could not be written, who is to stop, and
    for which cause, if it was the staff."""

    ended: dict[UUID, bool]
    offenders: set[UUID]
    to_stop: dict[UUID, int | None]


def write(checkpoints: list[Checkpoint], running: list[UUID]) -> Written:
    """Stores `checkpoints`; looks which of `running` are to stop. Raises on trouble.

    A generation whose conversation was deleted is among the offenders, and is to stop.
    """
    ended: dict[UUID, bool] = {}
    offenders: set[UUID] = set()
    known = stops_of({each.generation_id for each in checkpoints} | set(running))
    present = sorted(
        (each for each in checkpoints if each.generation_id in known),
        key=lambda each: each.generation_id,
    )
    try:
        with transaction.atomic():
            ended = _write_all(present)
    except TROUBLE:
        raise
    except Exception:
        log.exception("a flush failed; writing its %d generations one by one", len(present))
        ended, offenders = _write_one_by_one(present)
    offenders |= {each.generation_id for each in checkpoints} - known.keys()
    gone = (True, None)
    to_stop = {each: known.get(each, gone) for each in running}
    return Written(
        ended, offenders, {each: cause for each, (asked, cause) in to_stop.items() if asked}
    )


def _write_all(checkpoints: list[Checkpoint]) -> dict[UUID, bool]:
    insert_pages(
        (each.generation_id, each.first_seq, each.last_seq, each.frames)
        for each in checkpoints
        if each.frames
    )
    for each in checkpoints:
        if each.facts:
            Generation.objects.filter(id=each.generation_id).update(**each.facts)
    ended = {
        each.generation_id: close(each.generation_id, each.ending, each.text, each.reasoning)
        for each in checkpoints
        if each.ending
    }
    charging.settle({each.generation_id: each.ending for each in checkpoints if each.ending})
    return ended


def _write_one_by_one(checkpoints: list[Checkpoint]) -> tuple[dict[UUID, bool], set[UUID]]:
    ended: dict[UUID, bool] = {}
    offenders: set[UUID] = set()
    for each in checkpoints:
        try:
            with transaction.atomic():
                ended |= _write_all([each])
        except TROUBLE:
            raise
        except Exception:
            log.exception("generation %s cannot be stored", each.generation_id)
            offenders.add(each.generation_id)
    return ended, offenders


def close(generation_id: UUID, ending: Result, text: str, reasoning: str) -> bool:
    """Ends a running generation and stores its text; False if somebody else ended it before.

    Call it inside a transaction.
    """
    won = Generation.objects.filter(id=generation_id, state=Generation.State.RUNNING).update(
        ended_at=timezone.now(), **columns_of(ending)
    )
    if won:
        turns.finish_answer(generation_id, text, reasoning)
    return bool(won)


@transaction.atomic
def fail(generation_id: UUID, meant: Result) -> Result:
    """Ends a generation whose text cannot be stored, with what was stored of it before.

    It cost what it cost: what was `meant` to be stored says how much.
    """
    ending = Result("stopped", 0, 0)  # deleted with its conversation
    generation = Generation.objects.filter(id=generation_id).first()
    if generation:
        said = said_in(generation_id)
        text = _text_before(generation).text + said.text
        ending = Result.of("failed", len(text), said.last_seq, error=ChatError())
        close(generation_id, ending, text, said.reasoning)
    charging.settle({generation_id: meant})
    return ending


def columns_of(ending: Result) -> dict[str, Any]:
    usage, problem = ending.usage, ending.problem
    return {
        "state": ending.state,
        "length": ending.length,
        "last_seq": ending.last_seq,
        "finish_reason": (ending.finish_reason or "")[:40],
        "prompt_tokens": usage.prompt_tokens if usage else None,
        "completion_tokens": usage.completion_tokens if usage else None,
        "total_tokens": usage.total_tokens if usage else None,
        "cached_tokens": usage.cached_tokens if usage else None,
        "neurons": usage.neurons if usage else None,
        "cost_usd": ending.cost_usd,
        "milliseconds": ending.timing.milliseconds if ending.timing else None,
        "error_code": problem.code if problem else "",
        "error_message": problem.message if problem else "",
        "error_retryable": problem.retryable if problem else False,
        "gateway_log_id": ending.gateway_log_id,
        "gateway_cache_status": ending.gateway_cache_status,
    }


def close_from_pages(generation: Generation, state: State) -> bool:
    """Ends a generation whose process is gone, with the text that was flushed."""
    with transaction.atomic():
        said: LoggedText = said_in(generation.id)
        base = _text_before(generation)
        text = base.text[: generation.base_length] + said.text
        tokens = estimate_tokens(said.text + said.reasoning)
        ending = Result(state, len(text), said.last_seq, said_tokens=tokens)
        won = close(generation.id, ending, text, base.reasoning + said.reasoning)
        charging.settle({generation.id: ending})
        return won


def _text_before(generation: Generation) -> Message | RedactedText:
    """The message as it was when the generation began: its text is what it continues."""
    return turns.stored_text(generation.message_id)
