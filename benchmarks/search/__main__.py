"""Measure searches, and the cost of the search index: `make bench-search`.

Prints tables; fails above a limit. `MESSAGES=1000000` is the number of messages, a tenth of them
the searching user's. `DATABASE_URL=postgres` measures on its own PostgreSQL server.
"""

import os
import sys

from benchmarks.own_site import own_site

MESSAGES = int(os.environ.get("MESSAGES", "1000000"))
REPEATS = 7


def main() -> int:
    with own_site():
        from benchmarks.search import data, measure

        alice = data.build(MESSAGES)
        measure.keeping(alice)
        return measure.searching(alice, REPEATS)


if __name__ == "__main__":
    sys.exit(main())
