"""Sort results, return them page by page, and add them up."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.db.models import Count, Model, Q, QuerySet, Sum

from chat.conversations.errors import SearchTooLong
from chat.conversations.search.time_limit import time_limit
from chat.errors import BadRequest

NEWEST, OLDEST, COST, TOKENS = "", "oldest", "cost", "tokens"

Row = TypeVar("Row", bound=Model)


class SearchCursor(NamedTuple):
    """The entry that a page of results starts after: what it is sorted by, and its ID."""

    value: datetime | float
    id: UUID


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums over all results."""

    count: int
    tokens: int
    cost_usd: float


def sorted_page(
    rows: QuerySet[Row], field: str, size: int, after: SearchCursor | None, *, ascending: bool
) -> tuple[list[Row], SearchCursor | None]:
    """Return a page of `rows` sorted by a field that is never null, and the next page's cursor."""
    sign, beyond = ("", "gt") if ascending else ("-", "lt")
    if after:
        if isinstance(after.value, datetime) != (field == "updated_at"):
            raise BadRequest  # of a list in another order
        same = Q(**{field: after.value, f"pk__{beyond}": after.id})
        rows = rows.filter(Q(**{f"{field}__{beyond}": after.value}) | same)
    page = list(rows.order_by(f"{sign}{field}", f"{sign}pk")[: size + 1])
    shown = page[:size]
    last: Any = shown[-1] if len(page) > len(shown) else None
    return shown, SearchCursor(getattr(last, field), last.pk) if last else None


def totals_of(rows: QuerySet[Any], tokens: str, cost: str) -> Totals | None:
    """Add up all results; None if that takes longer than a search may."""
    try:
        with time_limit():
            sums = rows.order_by().aggregate(
                number=Count("pk"), all_tokens=Sum(tokens), all_cost=Sum(cost)
            )
    except SearchTooLong:
        return None
    return Totals(sums["number"], sums["all_tokens"] or 0, sums["all_cost"] or 0.0)
