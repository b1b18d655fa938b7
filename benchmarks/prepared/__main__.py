"""Measure what prepared statements gain over the ORM: `python -m benchmarks.prepared`.

For each use it prints the time of a call by the ORM, the time of the call that the site makes, and
their ratio. Fails if a use takes more than 0.85 of the ORM's time. `DATABASE_URL=postgres` measures
on its own PostgreSQL server.
"""

import os
import sys
import tempfile

REPEATS = int(os.environ.get("REPEATS", "20"))


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="runnel-bench-") as folder:
        os.environ |= {"DATA_DIR": folder, "INITIAL_LIMITS": "none", "LOG_LEVEL": "error"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
        if os.environ.get("DATABASE_URL") == "postgres":
            from tests.support.database.postgres import start_postgres

            os.environ["DATABASE_URL"] = start_postgres()
        import django

        django.setup()
        from benchmarks.prepared import measure, uses

        return measure.report(uses.build(), REPEATS)


if __name__ == "__main__":
    sys.exit(main())
