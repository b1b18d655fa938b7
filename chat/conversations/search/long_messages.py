"""Index messages after they are stored: long ones, and those that have a new owner.

Splitting half a million characters into words takes a tenth of a second, and a visitor may store
many such messages. In the transaction that stores them it would delay all other messages.
"""

from django.db import connection

from chat.conversations.models import Message, UnindexedMessage
from chat.conversations.search import postgres_index, sqlite_index
from chat.conversations.sizes.row_batches import MAX_ROWS, first_batch
from chat.database.housekeeping import isolated, left_out

WAITING = UnindexedMessage._meta.db_table
INDEXES = {"sqlite": sqlite_index, "postgresql": postgres_index}
# Locks entries that are already waiting, so that indexing one for its old owner cannot remove it.
INDEX_ANEW = """
INSERT INTO chat_unindexedmessage (message_id)
SELECT message.id FROM chat_message message
JOIN chat_conversation conversation ON conversation.id = message.conversation_id
WHERE conversation.owner_id = %s AND conversation.purge_after IS NULL AND message.text <> ''
ON CONFLICT (message_id) DO UPDATE SET message_id = excluded.message_id
"""


def index_next() -> bool:
    """Index the oldest waiting messages, one transaction each; return whether there were any."""
    due = UnindexedMessage.objects.exclude(pk__in=left_out(WAITING)).order_by("message")
    waiting = due.values_list("pk", flat=True)[:MAX_ROWS]
    batch = first_batch(Message.objects.filter(pk__in=list(waiting)))
    for message_id in batch:
        with isolated(WAITING, message_id), connection.cursor() as cursor:
            INDEXES[connection.vendor].add_waiting(cursor, message_id)
    return bool(batch)


def reindex(owner_id: int) -> None:
    """Queue all messages of `owner_id` for indexing, under their owner at that time.

    Until then the index has them under the previous owner, who still cannot find them: a search
    also checks the owner of the conversation (messages.py).
    """
    with connection.cursor() as cursor:
        cursor.execute(INDEX_ANEW, [owner_id])
