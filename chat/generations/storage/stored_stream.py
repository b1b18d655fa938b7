"""Read stored generations: their results, and their frames for readers in other processes."""

from dataclasses import dataclass
from uuid import UUID

from chat.generations.log import frames
from chat.generations.models import Generation
from chat.generations.result import STATES, Problem, Result, Timing
from chat.generations.storage.log_pages import frames_after
from chat.upstream.events import Usage


@dataclass(frozen=True, slots=True)
class StoredRead:
    """What a read found: frames, the new cursor, and whether nothing follows, or more is stored."""

    frames: bytes
    after: int
    is_end: bool
    has_more: bool = False


def result_of(row: Generation) -> Result | None:
    """Return the result of a generation; None while it runs."""
    if row.state == Generation.State.RUNNING:
        return None
    usage = None
    if row.total_tokens is not None:
        usage = Usage(
            row.prompt_tokens or 0,
            row.completion_tokens or 0,
            row.total_tokens,
            row.neurons,
            row.cached_tokens,
        )
    problem = None
    if row.error_code:
        problem = Problem(row.error_code, row.error_message, row.error_retryable)
    timing = None
    if row.milliseconds is not None:
        timing = Timing(row.first_token_milliseconds, row.milliseconds)
    return Result(
        state=STATES[row.state],
        length=row.length,
        last_seq=row.last_seq,
        finish_reason=row.finish_reason or None,
        usage=usage,
        problem=problem,
        gateway_log_id=row.gateway_log_id,
        gateway_cache_status=row.gateway_cache_status,
        timing=timing,
        cost_usd=row.cost_usd,
        hides_model=row.hides_model,
    )


def stored_result(generation_id: UUID) -> Result | None:
    """Return the stored result of a generation; None if it runs or does not exist."""
    row = Generation.objects.filter(id=generation_id).first()
    return result_of(row) if row else None


def read_after(generation_id: UUID, after: int) -> StoredRead:
    """Return the next frames after number `after`. The terminal ones follow whatever the cursor.

    For a purged generation the read is empty and at its end.
    """
    row = Generation.objects.filter(id=generation_id).first()
    if row is None:
        return StoredRead(b"", after, is_end=True)
    result = result_of(row)
    stored = frames_after(generation_id, after)
    if result is None or stored.has_more:
        return StoredRead(stored.frames, stored.last_seq, is_end=False, has_more=stored.has_more)
    terminal = b"".join(frames.terminal(result))
    return StoredRead(stored.frames + terminal, stored.last_seq, is_end=True)


def can_follow(generation_id: UUID, after: int) -> bool:
    """Return False after `[DONE]`, or if the frames after `after` were pruned."""
    row = Generation.objects.filter(id=generation_id).first()
    result = result_of(row) if row else None
    if row is None or result is None:
        return row is not None
    done_id = result.last_seq + len(frames.terminal(result))
    if after == done_id:
        return False
    return after >= result.last_seq or row.pages.filter(last_seq__gt=after).exists()
