"""Copy a whole database in one transaction, and prove that nothing was lost."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, transaction

from chat.accounts.second_factor.second_factors import count_unreadable
from chat.database_copy import target_database
from chat.database_copy.errors import CopyRefused
from chat.database_copy.row_repair import RowRepair, remove_dangling_references
from chat.database_copy.source_database import ALIAS, locked_source
from chat.database_copy.table_copy import (
    NOTHING_COPIED,
    REPAIR,
    Model,
    copied_models,
    copy_rows,
    digest_of_table,
)
from chat.generations.process import workers
from chat.review.access_log import audit_chain


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy came to."""

    tables: int
    rows: int
    interrupted: int  # answers that were running when the site ended
    audit_problems: list[str]
    unreadable_second_factors: int
    #: With `repair`: the keys of rows whose texts were corrected, by table, and the number of rows
    #: that referred to nothing.
    corrected: dict[str, list[Any]]
    dangling: dict[str, int]


def copy_database(
    url: str, progress: Callable[[str, int], None], *, is_repaired: bool = False
) -> Copied:
    """Copy the SQLite database at `url` to the site's; report each table to `progress`.

    With `is_repaired`, rows that PostgreSQL does not accept are corrected in the copy.
    Raise `CopyRefused`, with nothing copied, if that is impossible or the copy differs.
    """
    copied = copied_models()
    target_database.require_empty_target(copied)
    corrected: dict[str, list[Any]] = {}
    dangling: dict[str, int] = {}
    with locked_source(url):
        try:
            with transaction.atomic():
                rows = _copy_all(copied, progress, corrected if is_repaired else None)
                if is_repaired:
                    dangling = dict(remove_dangling_references(copied))
                target_database.restore_triggers(copied)
                target_database.reset_sequences(copied, ALIAS)
                target_database.rebuild_search()
                interrupted = workers.close_all()
        except DatabaseError as error:
            advice = "" if is_repaired else f" {REPAIR}"
            raise CopyRefused(
                f"PostgreSQL refused the copy: {error}.{advice} {NOTHING_COPIED}"
            ) from error
    target_database.analyze()
    problems = [f"{each.seal.day}: {each.problem}" for each in audit_chain.verify() if each.problem]
    return Copied(len(copied), rows, interrupted, problems, count_unreadable(), corrected, dangling)


def _copy_all(
    copied: list[Model],
    progress: Callable[[str, int], None],
    corrected: dict[str, list[Any]] | None,
) -> int:
    """Copy all tables and compare them; return the number of rows.

    Unless `corrected` is None, rows are corrected, and their keys noted there.
    """
    target_database.suspend_triggers(copied)
    total = 0
    for model in copied:
        repair = None if corrected is None else RowRepair(model)
        read = copy_rows(model, ALIAS, repair)
        if repair and corrected is not None and repair.changed:
            corrected[model._meta.db_table] = repair.changed
        written = digest_of_table(model, DEFAULT_DB_ALIAS)
        if written != read:
            raise CopyRefused(
                f"The copy of {model._meta.db_table} differs: {read.count} rows were read,"
                f" {written.count} written. Nothing was copied. Please report this."
            )
        progress(model._meta.db_table, read.count)
        total += read.count
    return total
