"""Restore the site from a backup."""

import logging
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from chat.backup.errors import BackupError, UnfinishedRestore
from chat.backup.restore import COMPANIONS, restore
from chat.lib import new_files


class Command(BaseCommand):
    help = "Restores a backup, after verifying it. Stop the site first."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="replace all data that is there now"
        )

    def handle(self, *_args: Any, file: Path, replace: bool, **_options: Any) -> None:
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # the error tells it
        try:
            done = restore(file.absolute(), settings.BACKUP_PASSPHRASE, replace)
        except UnfinishedRestore as error:
            raise CommandError(str(error)) from error
        except BackupError as error:
            _remove_new_files()
            raise CommandError(f"{error} Nothing was changed.") from error
        made = done.manifest
        self.stdout.write(
            f"Restored {made.total_rows} rows of {made.site_url}, backed up at"
            f" {made.made_at:%Y-%m-%d %H:%M} UTC by version {made.version}."
        )
        if done.interrupted_answers:
            self.stdout.write(
                f"Answers that were running then, and can be continued: {done.interrupted_answers}."
            )
        if done.kept:
            kept = " and ".join(map(str, done.kept))
            self.stdout.write(f"What was there before is in {kept}; remove it later.")
        if done.has_other_key:
            self.stderr.write(
                "The site has another SECRET_KEY than when it was backed up. Set the old one:"
                " without it, people are signed out, second factors can't be used, and"
                " verify_audit fails."
            )
        self.stdout.write("Next: manage.py verify_audit, start the site, manage.py doctor.")


def _remove_new_files() -> None:
    """Remove what reading the settings of a new installation has created.

    A database is only removed as long as it is empty: meanwhile the site may have been started.
    """
    path = Path(settings.DATABASES["default"]["NAME"])
    if connection.vendor == "sqlite" and new_files.is_new(path):
        if connection.introspection.table_names():
            return
        connection.close()
        for end in COMPANIONS[1:]:
            new_files.note(path.with_name(path.name + end))
    new_files.remove()
