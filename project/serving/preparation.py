"""Check the settings, migrate the database and collect static files, before workers start."""

import hashlib
from collections.abc import Callable

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core import checks
from django.core.management import CommandError, call_command
from django.db import connection

from chat.database.migration_state import migration_state
from chat.database.unusable_database import find_problem
from project.serving.checks import SERVING
from project.serving.start_lock import start_lock
from project.static_storage import remove_unfinished

#: The file with the digest of the files that were collected last.
DIGEST_NAME = "collected.txt"


def prepare(tell: Callable[[str], object], *, is_trial: bool = False) -> None:
    """Prepare the site. Raise `CommandError` if it must not be served like this.

    `tell` gets a line for each thing done or to be known. For a trial, the settings need not be
    safe, and what was done is not told.
    """
    if problem := find_problem():
        raise CommandError(str(problem))
    if not is_trial:
        check(tell)
    with start_lock(tell):
        call_command("migrate", interactive=False, verbosity=0)
        if unknown := migration_state().unknown:
            tell(f"Warning: The database has migrations of a newer version: {unknown[-1]}")
        if _collect_static_files() and not is_trial:
            tell("Static files are collected.")
    connection.close()


def check(tell: Callable[[str], object]) -> None:
    """Tell warnings, and raise `CommandError` for errors."""
    problems = checks.run_checks(
        tags=[SERVING], include_deployment_checks=True, databases=["default"]
    )
    problems = [each for each in problems if not each.is_silenced()]
    errors = [each for each in problems if each.is_serious()]
    for each in problems:
        if each not in errors:
            tell(f"Warning: {_words(each)}")
    if errors:
        listed = "\n".join(f"  {_words(each)}" for each in errors)
        raise CommandError(f"The site can't be served with these settings:\n{listed}")


def _words(message: checks.CheckMessage) -> str:
    return f"{message.msg} {message.hint or ''}".strip() + f" ({message.id})"


def _collect_static_files() -> bool:
    """Collect the static files if there are new ones; return whether there were.

    Files of earlier versions stay, for pages that are open in browsers.
    """
    now, digest = _static_digest(), settings.STATIC_ROOT / DIGEST_NAME
    if digest.is_file() and digest.read_text() == now:
        return False  # collecting takes seconds
    remove_unfinished(settings.STATIC_ROOT)
    call_command("collectstatic", interactive=False, verbosity=0)
    digest.write_text(now)
    return True


def _static_digest() -> str:
    """Return a digest of names, sizes and times of all files that would be collected."""
    digest = hashlib.sha256(str(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            facts = f"{path} {storage.size(path)} {storage.get_modified_time(path).timestamp()}\n"
            digest.update(facts.encode())
    return digest.hexdigest()
