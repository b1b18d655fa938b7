"""Set Django up for a benchmark that calls the site's functions in its own process."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_site() -> Iterator[None]:
    """Use an empty database; with `DATABASE_URL=postgres`, on a PostgreSQL server of its own."""
    with tempfile.TemporaryDirectory(prefix="runnel-bench-") as folder:
        os.environ |= {"DATA_DIR": folder, "INITIAL_LIMITS": "none", "LOG_LEVEL": "error",
                       "MAX_MEMBER_REQUESTS_PER_SECOND": "0"}  # fmt: skip
        os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
        if os.environ.get("DATABASE_URL") == "postgres":
            from tests.support.database.postgres import start_postgres

            os.environ["DATABASE_URL"] = start_postgres()
        import django

        django.setup()
        yield
