"""Check the settings, migrate the database and collect static files, before workers start."""

from collections.abc import Callable

from django.core import checks
from django.core.management import CommandError, call_command
from django.db import connection

from project.serving import static_files
from project.serving.serving_checks import SERVING
from project.serving.start_lock import start_lock


def prepare(tell: Callable[[str], object]) -> None:
    """Prepare the site. Raise `CommandError` if it must not be served like this.

    `tell` gets a line for each thing done or to be known.
    """
    check(tell)
    with start_lock(tell):
        call_command("migrate", interactive=False, verbosity=0)
        if static_files.collect():
            tell("Static files are collected.")
    connection.close()


def check(tell: Callable[[str], object]) -> None:
    """Tell warnings, and raise `CommandError` for errors."""
    found = checks.run_checks(tags=[SERVING], include_deployment_checks=True, databases=["default"])
    found = [each for each in found if not each.is_silenced()]
    errors = [each for each in found if each.is_serious()]
    for each in found:
        if each not in errors:
            tell(f"Warning: {_words(each)}")
    if errors:
        listed = "\n".join(f"  {_words(each)}" for each in errors)
        raise CommandError(f"The site can't be served with these settings:\n{listed}")


def _words(message: checks.CheckMessage) -> str:
    return f"{message.msg} {message.hint or ''}".strip() + f" ({message.id})"
