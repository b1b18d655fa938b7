"""Describe tables of figures once, for pages, CSV and JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.utils.functional import Promise

from chat.lib.number_format import format_value
from chat.web.http.files import csv_file


class ColumnKind(StrEnum):
    """How a value is formatted (chat/lib/number_format.py)."""

    TEXT = "text"  # user-provided text or a name
    WORDS = "words"  # our own text
    DAY = "day"
    COUNT = "count"
    DOLLARS = "dollars"
    SHARE = "share"
    SECONDS = "seconds"
    SPEED = "speed"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    label: str | Promise
    kind: ColumnKind = ColumnKind.COUNT

    @property
    def is_number(self) -> bool:
        return self.kind not in {ColumnKind.TEXT, ColumnKind.WORDS, ColumnKind.DAY}


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Each row has one value for each column, in order; None: an empty cell."""

    name: str
    title: str | Promise
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    links: Sequence[str] = ()  # where each row's first cell leads to; empty: nowhere

    def newest_first(self) -> "Table":
        """Return the table with its rows in the other order."""
        return replace(self, rows=list(reversed(self.rows)), links=list(reversed(self.links)))

    def shown_rows(self) -> Iterator[tuple[str, str, list[tuple[str, bool]]]]:
        """Yield each row for a page: where its first cell leads to, that cell, and the others.

        Each of the others says whether it is a number.
        """
        first, *others = [(column.kind, column.is_number) for column in self.columns]
        links = self.links or [""] * len(self.rows)
        for link, (head, *values) in zip(links, self.rows, strict=True):
            cells = [
                (format_value(value, kind), is_number)
                for value, (kind, is_number) in zip(values, others, strict=True)
            ]
            yield link, format_value(head, first[0]), cells

    def values_of(self, name: str) -> list[Any]:
        place = [column.name for column in self.columns].index(name)
        return [row[place] for row in self.rows]


def as_csv(table: Table, file_name: str) -> HttpResponse:
    """Return the table as a CSV file."""
    names = [column.name for column in table.columns]
    written = csv_file.head(names) + "".join(map(csv_file.row, table.rows))
    response = HttpResponse(written, content_type=csv_file.CONTENT_TYPE)
    return _as_file(response, f"{file_name}.csv")


def as_json(table: Table, file_name: str) -> HttpResponse:
    return _as_file(JsonResponse({table.name: as_dicts(table)}), f"{file_name}.json")


def as_dicts(table: Table) -> list[dict[str, Any]]:
    """Return the rows for JSON, by the names of the columns."""
    names = [column.name for column in table.columns]
    return [dict(zip(names, map(_plain, row), strict=True)) for row in table.rows]


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return value if value is None or isinstance(value, int | float) else str(value)


def _as_file(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
