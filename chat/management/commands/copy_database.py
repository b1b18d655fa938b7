"""Copy the site's data from SQLite to PostgreSQL."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.database_copy.copy import Copied, copy_database
from chat.database_copy.errors import CopyRefused

SHOWN = 20  # keys of corrected rows


class Command(BaseCommand):
    help = "Copies a SQLite database to the empty PostgreSQL database that DATABASE_URL names."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--from",
            dest="source",
            required=True,
            metavar="URL",
            help="the SQLite database, such as sqlite:///var/runnel.sqlite3",
        )

        parser.add_argument(
            "--repair",
            action="store_true",
            help="correct rows in the copy that PostgreSQL doesn't accept",
        )

    def handle(
        self, *_args: Any, source: str, verbosity: int, repair: bool = False, **_options: Any
    ) -> None:
        def progress(table: str, count: int) -> None:
            if verbosity > 0 and count:
                self.stdout.write(f"{count:>12,}  {table}")

        try:
            done = copy_database(source, progress, is_repaired=repair)
        except CopyRefused as error:
            raise CommandError(str(error)) from error
        self._report(done)

    def _report(self, done: Copied) -> None:
        self.stdout.write(f"Copied {done.rows:,} rows of {done.tables} tables; all are the same.")
        for table, keys in done.corrected.items():
            shown = ", ".join(map(str, keys[:SHOWN])) + (", …" if len(keys) > SHOWN else "")
            self.stdout.write(f"Corrected texts in {len(keys)} rows of {table}: {shown}")
        for table, count in done.dangling.items():
            self.stdout.write(f"Corrected {count} rows of {table} that referred to nothing.")
        if done.interrupted:
            self.stdout.write(f"Unfinished answers closed as interrupted: {done.interrupted}.")
        if done.unreadable_second_factors:
            self.stdout.write(
                f"{done.unreadable_second_factors} second factors can't be decrypted. Use the"
                " SECRET_KEY, or the DATA_DIR, of the old site."
            )
        if done.audit_problems:
            problems = "\n".join(done.audit_problems)
            raise CommandError(
                "The data was copied, but the audit log doesn't match its seals. Use the"
                " SECRET_KEY or AUDIT_KEY, and AUDIT_SEALS_PATH, of the old site, then run"
                f" `manage.py verify_audit`.\n{problems}"
            )
        self.stdout.write("The audit log matches its seals.")
        self.stdout.write("Start the site with this DATABASE_URL. Keep the SQLite file until then.")
