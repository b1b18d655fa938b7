"""Verify a record or certificate that was made for somebody's request."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.data_requests import signed_archive


class Command(BaseCommand):
    help = "Verifies that an archive was made by this site and hasn't been changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a record or certificate, as a ZIP file")

    def handle(self, *_args: Any, file: Path, **_options: Any) -> None:
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        try:
            facts = signed_archive.verified(file)
        except signed_archive.InvalidArchive as problem:
            raise CommandError(f"The archive isn't authentic: {problem}.") from None
        self.stdout.write(
            f"The archive is authentic: request {facts['request']} of person {facts['person']},"
            f" {len(facts['files'])} files, made on {facts['created_at']}."
        )
