"""What a search takes, and what it costs to keep its index: `make bench-search`.

Prints tables; fails where a limit is passed. `MESSAGES=1000000` is how many there are, a tenth of
them of the one who searches. `DATABASE_URL=postgres` measures on a PostgreSQL of its own.
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
            from tests.support.postgres import start_postgres

            os.environ["DATABASE_URL"] = start_postgres()
        import django

        django.setup()
        from benchmarks.search import data, measure

        alice = data.build(MESSAGES)
        measure.keeping(alice)
        return measure.searching(alice, REPEATS)


if __name__ == "__main__":
    sys.exit(main())
