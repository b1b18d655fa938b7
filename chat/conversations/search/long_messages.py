"""What enters the index a moment after it is stored: long messages, and those of a new owner.

Finding the words of half a million characters takes a tenth of a second, of all that a visitor may
store many. In the transaction that stores them, everybody else's messages would wait for that.
"""

from django.db import connection

from chat.conversations.models import Message, UnindexedMessage
from chat.conversations.search import postgres_index, sqlite_index
from chat.conversations.sizes.row_batches import MAX_ROWS, first_batch

INDEXES = {"sqlite": sqlite_index, "postgresql": postgres_index}
# Those that wait already are locked: who indexes one for its old owner just now must not end that.
INDEX_ANEW = """
INSERT INTO chat_unindexedmessage (message_id)
SELECT message.id FROM chat_message message
JOIN chat_conversation conversation ON conversation.id = message.conversation_id
WHERE conversation.owner_id = %s AND conversation.purge_after IS NULL AND message.text <> ''
ON CONFLICT (message_id) DO UPDATE SET message_id = excluded.message_id
"""


def index_next() -> bool:
    """Adds the oldest that wait to the index, each by itself; whether any did."""
    waiting = UnindexedMessage.objects.order_by("message").values_list("pk", flat=True)[:MAX_ROWS]
    batch = first_batch(Message.objects.filter(pk__in=list(waiting)))
    for message_id in batch:
        with connection.cursor() as cursor:
            INDEXES[connection.vendor].add_waiting(cursor, message_id)
    return bool(batch)


def index_anew(owner_id: int) -> None:
    """Has all that `owner_id` has indexed again soon, by its owner then.

    Until then it has the words of the one before. They find nothing: whose a message is, is asked
    of its conversation as well (messages.py).
    """
    with connection.cursor() as cursor:
        cursor.execute(INDEX_ANEW, [owner_id])
