"""Measure the staff's pages on a large site: `make bench-review`.

Prints a table; fails above a limit. `MESSAGES=100000` is the number of messages, of 5,000 people.
`DATABASE_URL=postgres` measures on its own PostgreSQL server.
"""

import os
import sys
import tempfile

MESSAGES = int(os.environ.get("MESSAGES", "100000"))
REPEATS = int(os.environ.get("REPEATS", "5"))


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="runnel-bench-") as folder:
        os.environ |= {"DATA_DIR": folder, "INITIAL_LIMITS": "none", "LOG_LEVEL": "error",
                       "MAX_MEMBER_REQUESTS_PER_SECOND": "0"}  # fmt: skip
        os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
        if os.environ.get("DATABASE_URL") == "postgres":
            from tests.support.database.postgres import start_postgres

            os.environ["DATABASE_URL"] = start_postgres()
        import django

        django.setup()
        from benchmarks.review import data, measure

        return measure.pages(data.build(MESSAGES), REPEATS)


if __name__ == "__main__":
    sys.exit(main())
