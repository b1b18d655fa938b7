"""Measure the staff's pages on a large site: `make bench-review`.

Prints a table; fails above a limit. `MESSAGES=100000` is the number of messages, of 5,000 people.
`DATABASE_URL=postgres` measures on its own PostgreSQL server.
"""

import os
import sys

from benchmarks.own_site import own_site

MESSAGES = int(os.environ.get("MESSAGES", "100000"))
REPEATS = int(os.environ.get("REPEATS", "5"))


def main() -> int:
    with own_site():
        from benchmarks.review import data, measure

        return measure.pages(data.build(MESSAGES), REPEATS)


if __name__ == "__main__":
    sys.exit(main())
