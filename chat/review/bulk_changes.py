"""Change several cases or chats at once, each by itself: one refusal doesn't stop the others."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from django.utils.translation import gettext as _

from chat.errors import BadRequest, Conflict, NotFound
from chat.review.access_log.authority import InsufficientRole

MAX_AT_ONCE = 200

Id = TypeVar("Id")


@dataclass(slots=True)
class BulkResult(Generic[Id]):
    """Which of several things changed, and how often each reason prevented it."""

    done: list[Id] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    not_found: list[Id] = field(default_factory=list)


def apply_to_each(ids: Sequence[Id], change: Callable[[Id], object]) -> BulkResult[Id]:
    """Apply `change` to each of `ids`. Raise `BadRequest` if there are too many."""
    if len(ids) > MAX_AT_ONCE:
        raise BadRequest(_("Select at most {most} at once.").format(most=MAX_AT_ONCE))
    bulk: BulkResult[Id] = BulkResult()
    for each in ids:
        try:
            change(each)
            bulk.done.append(each)
        except (Conflict, NotFound, InsufficientRole) as refusal:
            bulk.refused[refusal.public] += 1
            if isinstance(refusal, NotFound):
                bulk.not_found.append(each)
    return bulk
