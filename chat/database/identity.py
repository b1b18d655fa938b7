"""Tell databases apart, so that a restored copy is not taken for its original."""

import os

from django.db import connection


def database_identity() -> str:
    """Return what tells this database from its copies: the file, or the server's address and name.

    Two processes may name the same database differently; then they count as using different ones.
    """
    settings = connection.settings_dict
    if connection.vendor != "sqlite":
        return f"{settings['HOST']}:{settings['PORT']}/{settings['NAME']}"
    file = os.stat(settings["NAME"])
    return f"{file.st_dev}:{file.st_ino}"
