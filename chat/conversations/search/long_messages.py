"""Long messages enter the index a moment after they are stored.

Finding the words of half a million characters takes a tenth of a second. In the transaction that
stores them, everybody else's messages would wait for that.
"""

from django.db import connection

from chat.conversations.models import UnindexedMessage
from chat.conversations.search import postgres_index, sqlite_index

INDEXES = {"sqlite": sqlite_index, "postgresql": postgres_index}


def index_next() -> bool:
    """Adds the oldest that waits to the index; whether one did."""
    waiting = UnindexedMessage.objects.order_by("message").first()
    if waiting is None:
        return False
    with connection.cursor() as cursor:
        INDEXES[connection.vendor].add_long(cursor, waiting.pk)
    waiting.delete()
    return True
