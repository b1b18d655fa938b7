"""Back up the site."""

import logging
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from chat.backup.create import back_up
from chat.backup.errors import BackupError
from chat.site_status.backup_and_seals import record_backup


class Command(BaseCommand):
    help = "Writes the database, the secret key and the site's other files to one file."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that doesn't exist yet")
        parser.add_argument(
            "--encrypt", action="store_true", help="encrypt it with BACKUP_PASSPHRASE"
        )

    def handle(self, *_args: Any, file: Path, encrypt: bool, **_options: Any) -> None:
        file = file.absolute()
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # the error tells it
        try:
            made = back_up(file, settings.BACKUP_PASSPHRASE if encrypt else None)
        except BackupError as error:
            raise CommandError(str(error)) from error
        record_backup()
        size = file.stat().st_size / 1024**2
        self.stdout.write(
            f"{file}: {size:,.1f} MB, {made.total_rows} rows, version {made.version}."
        )
        if not encrypt:
            self.stdout.write("It contains all chats and the keys of the site: keep it secret.")
