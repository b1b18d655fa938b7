"""Add to the facts of a chat what was found in its messages later."""

from uuid import UUID

from django.db.models import F, Q, Value
from django.db.models.functions import Concat

from chat.review.models import ConversationStats


def add(chat_id: UUID, column: str, name: str, separator: str) -> None:
    """Add a name to a column of names, each between separators, unless it is there already.

    One statement, outside of a transaction that has locked messages: triggers lock these rows, too.
    """
    missing = ~Q(**{f"{column}__contains": f"{separator}{name}{separator}"})
    added = Concat(F(column), Value(f"{name}{separator}"))
    ConversationStats.objects.filter(missing, pk=chat_id).update(**{column: added})
