"""Delete what is due, once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from chat.database import housekeeping
from chat.database.errors import error_for
from chat.generations.process.prune_now import prune
from chat.lib import steady_clock


class Command(BaseCommand):
    help = "Deletes everything that is due, as the running site does bit by bit."

    def handle(self, *_args: Any, verbosity: int, **_options: Any) -> None:
        if not steady_clock.system_clock.is_steady():
            raise CommandError(
                "The clock was set less than an hour ago, so nothing is deleted. Try again later."
            )
        try:
            deleted = prune()
        except Exception as error:
            if known := error_for(error):
                words = f"The database is unavailable ({known.detail}). Try again later."
                raise CommandError(words) from error
            raise
        if verbosity >= 1:
            for table, count in sorted(deleted.items()):
                if count:
                    self.stdout.write(f"{count:>12,}  {table}")
            self.stdout.write(f"Deleted {deleted.total():,} rows.")
        if failing := housekeeping.failing():
            listed = ", ".join(f"{count} of {kind}" for kind, count in sorted(failing.items()))
            raise CommandError(f"These failed, and everything else was done: {listed}.")
