"""Ids of what led to a message, and of what follows it, as the database finds them.

A conversation may have ten thousand messages: rows of all of them take a hundred times as long.
Whatever follows a message has a higher id.
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
    """From the first message down to this one."""
    return _ids(_ABOVE, message_id)


def ids_below(message_id: int) -> list[int]:
    """This message and all that follows it, on every branch, oldest first; deleted ones too."""
    return _ids(_BELOW, message_id)


def _ids(query: str, message_id: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(query, [message_id])
        return [row[0] for row in cursor.fetchall()]
