"""Store results of answers that another process ended, because it took this one for dead.

That process stored only the text that was flushed. This one has read the answer to its end.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from chat.conversations import turns
from chat.conversations.models import Conversation
from chat.generations.models import Generation
from chat.generations.result import Result
from chat.generations.storage.flush_sql import update_generation


def supersede(
    generation_id: UUID, ending: Result, columns: Mapping[str, Any], text: str, reasoning: str
) -> bool:
    """Replace the stored result if `ending` has more; return whether it was replaced.

    Only an interrupted result is replaced, by a longer text or a complete one, and not once the
    answer was continued. `columns` of the generation are stored with it. Call it inside a
    transaction.
    """
    found = Generation.objects.filter(pk=generation_id, state=Generation.State.INTERRUPTED)
    row = found.only("length", "message_id", "started_at", "message__conversation").first()
    if row is None or not _has_more(ending, row):
        return False
    # A send takes this lock, so none continues the answer meanwhile.
    conversations = Conversation.all_objects.select_for_update(no_key=True)
    conversations.filter(messages=row.message_id).first()
    attempts = Generation.objects.filter(message=row.message_id, started_at__gt=row.started_at)
    if attempts.exclude(pk=generation_id).exists():
        return False
    update_generation(generation_id, columns)
    turns.finish_answer(generation_id, text, reasoning)
    return True


def _has_more(ending: Result, row: Generation) -> bool:
    return ending.length > row.length or (
        ending.state == "complete" and ending.length == row.length
    )
