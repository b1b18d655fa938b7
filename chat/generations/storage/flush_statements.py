"""The statements of a flush, which runs several times a second for all running answers."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from chat.database.prepared import AnyOf, PreparedInsert, PreparedQuery, PreparedUpdate
from chat.generations.models import Generation, LogPage

#: The generation, the numbers of its first and last frame, and the encoded frames.
Page = tuple[UUID, int, int, bytes]

_insert_pages = PreparedInsert(
    LogPage,
    ["generation", "first_seq", "last_seq", "frames", "written_at"],
    unique=["generation", "first_seq"],
)
_stops = PreparedQuery(
    lambda ids: Generation.objects.filter(AnyOf("pk", ids)).values_list(
        "pk", "stop_requested", "stop_cause"
    )
)


def insert_pages(pages: Iterable[Page]) -> None:
    """Store `pages`. Call it inside a transaction.

    A connection that breaks during a commit leaves open whether it succeeded. So a page may have
    been stored already, with fewer frames: it is replaced.
    """
    written_at = timezone.now()
    _insert_pages.many((*page, written_at) for page in pages)


def requested_stops(generation_ids: Iterable[UUID]) -> dict[UUID, tuple[bool, int | None]]:
    """Return, for each existing generation, whether a stop was requested, and its cause."""
    return {
        pk: (is_requested, cause) for pk, is_requested, cause in _stops.all(list(generation_ids))
    }


def update_generation(
    generation_id: UUID, columns: Mapping[str, Any], *, only_running: bool = False
) -> int | None:
    """Set columns of a generation; return the id of its message.

    Return None if the generation does not exist or, with `only_running`, is not running.
    """
    update = _update(tuple(columns), only_running=only_running)
    message_ids = update.returning(generation_id, *columns.values())
    return message_ids[0] if message_ids else None


@cache
def _update(columns: tuple[str, ...], *, only_running: bool) -> PreparedUpdate[int]:
    def build(pk: Any, *values: Any) -> tuple[QuerySet[Generation, int], dict[str, Any]]:
        generations = Generation.objects.filter(pk=pk)
        if only_running:
            generations = generations.filter(state=Generation.State.RUNNING)
        return generations.values_list("message", flat=True), dict(
            zip(columns, values, strict=True)
        )

    return PreparedUpdate(build)
