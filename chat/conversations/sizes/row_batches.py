"""Split messages into batches for short transactions: few rows and few bytes."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from django.db.models import F, Func, IntegerField, QuerySet
from django.db.models.expressions import Combinable

from chat.conversations.models import Message

T = TypeVar("T")

#: Limits of one transaction. Most of its time goes into the search index, which takes about a
#: millisecond for 3 KB.
MAX_BYTES = 30_000
MAX_ROWS = 100


class ByteLength(Func):
    """The length of a text in UTF-8 bytes."""

    function = "octet_length"
    output_field = IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "length(CAST(%(expressions)s AS BLOB))"
        return self.as_sql(compiler, connection, template=template, **extra)


def text_bytes() -> Combinable:
    """Return the combined size of a message's text and reasoning."""
    return ByteLength(F("text")) + ByteLength(F("reasoning"))


def batches(
    items: Iterable[T],
    bytes_of: Callable[[T], int],
    max_bytes: int = MAX_BYTES,
    max_rows: int = MAX_ROWS,
) -> Iterator[list[T]]:
    """Yield `items` in batches, in order; an oversized item is a batch by itself."""
    batch: list[T] = []
    size = 0
    for item in items:
        length = bytes_of(item)
        if batch and (size + length > max_bytes or len(batch) == max_rows):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += length
    if batch:
        yield batch


def first_batch(messages: QuerySet[Message]) -> list[int]:
    """Return the ids of the first of `messages` that make a batch."""
    rows = messages.annotate(size=text_bytes()).values_list("pk", "size")[:MAX_ROWS]
    first = next(batches(rows, lambda row: row[1]), [])
    return [pk for pk, _size in first]
