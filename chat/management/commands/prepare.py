"""Prepare the site for serving, as `serve` does by itself."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from project.serving.preparation import prepare


class Command(BaseCommand):
    help = (
        "Checks the settings, migrates the database and collects static files. Several processes"
        " may run this at once: one works, the others wait."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--trial", action="store_true", help="accept all settings")

    def handle(self, *_args: Any, **options: Any) -> None:
        prepare(self._tell, is_trial=options["trial"])
        self._tell("The site is ready to be served.")

    def _tell(self, line: str) -> None:
        self.stderr.write(line, self.style.NOTICE)
        self.stderr.flush()
