"""Store results of answers that another process ended, because it took this one for dead.

That process stored only the text that was flushed. This one has read the answer to its end.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from chat.conversations import turns
from chat.conversations.access import raise_revision
from chat.generations.models import Generation
from chat.generations.result import Result
from chat.generations.storage.flush_statements import update_generation


def supersede(
    generation_id: UUID, result: Result, columns: Mapping[str, Any], text: str, reasoning: str
) -> bool:
    """Replace the stored result if `result` has more; return whether it was replaced.

    Only an interrupted result is replaced, by a longer text or a complete one, and not once the
    answer was continued. `columns` of the generation are stored with it. Call it inside a
    transaction.
    """
    interrupted = Generation.objects.filter(pk=generation_id, state=Generation.State.INTERRUPTED)
    row = (
        interrupted.select_related("message")
        .only("length", "started_at", "message__conversation")
        .first()
    )
    if row is None or not _has_more(result, row):
        return False
    # A send takes this lock, so none continues the answer meanwhile.
    raise_revision(row.message.conversation_id)
    attempts = Generation.objects.filter(message=row.message_id, started_at__gt=row.started_at)
    if attempts.exclude(pk=generation_id).exists():
        return False
    update_generation(generation_id, columns)
    turns.finish_answer(row.message_id, text, reasoning)
    return True


def _has_more(result: Result, row: Generation) -> bool:
    return result.length > row.length or (
        result.state == "complete" and result.length == row.length
    )
