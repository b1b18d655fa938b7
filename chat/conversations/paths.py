"""Find the ids above and below a message by recursive SQL.

A conversation may have ten thousand messages, and loading the rows of all would take a hundred
times as long. A message always has a higher id than its parent.
"""

from django.db import connection

_ABOVE = """
WITH RECURSIVE above(id, parent_id) AS (
    SELECT id, parent_id FROM chat_message WHERE id = %s
    UNION ALL
    SELECT message.id, message.parent_id
    FROM above JOIN chat_message message ON message.id = above.parent_id
)
SELECT id FROM above ORDER BY id
"""
_BELOW = """
WITH RECURSIVE below(id) AS (
    SELECT id FROM chat_message WHERE id = %s
    UNION ALL
    SELECT message.id FROM below JOIN chat_message message ON message.parent_id = below.id
)
SELECT id FROM below ORDER BY id
"""


def ids_to(message_id: int) -> list[int]:
    """Return the ids from the first message down to this one."""
    return _ids(_ABOVE, message_id)


def ids_below(message_id: int) -> list[int]:
    """Return the ids of this message and all below it, on every branch, deleted ones included."""
    return _ids(_BELOW, message_id)


def _ids(query: str, message_id: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(query, [message_id])
        return [row[0] for row in cursor.fetchall()]
