"""Collect static files, which takes seconds, only if they changed."""

import hashlib

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

DIGEST_NAME = "collected.txt"


def collect() -> bool:
    """Collect the static files if there are new ones; return whether there were.

    Files of earlier versions stay, for pages that are open in browsers.
    """
    now, digest = _digest(), settings.STATIC_ROOT / DIGEST_NAME
    if digest.is_file() and digest.read_text() == now:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    digest.write_text(now)
    return True


def _digest() -> str:
    """Return a digest of names, sizes and times of all files that would be collected."""
    found = hashlib.sha256(str(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            facts = f"{path} {storage.size(path)} {storage.get_modified_time(path).timestamp()}\n"
            found.update(facts.encode())
    return found.hexdigest()
