"""Measure searches, and the cost of the search index: `make bench-search`.

Prints tables; fails above a limit. `MESSAGES=1000000` is the number of messages, a tenth of them
the searching user's. `DATABASE_URL=postgres` measures on its own PostgreSQL server.
"""

import os
import sys
import tempfile

MESSAGES = int(os.environ.get("MESSAGES", "1000000"))
REPEATS = 7


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
        from benchmarks.search import data, measure

        alice = data.build(MESSAGES)
        measure.keeping(alice)
        return measure.searching(alice, REPEATS)


if __name__ == "__main__":
    sys.exit(main())
