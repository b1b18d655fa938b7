"""Measure what prepared statements gain over the ORM: `python -m benchmarks.prepared`.

For each use it prints the time of a call by the ORM, the time of the call that the site makes, and
their ratio. Fails if a use takes more than 0.85 of the ORM's time. `DATABASE_URL=postgres` measures
on its own PostgreSQL server.
"""

import os
import sys

from benchmarks.own_site import own_site

REPEATS = int(os.environ.get("REPEATS", "20"))


def main() -> int:
    with own_site():
        from benchmarks.prepared import measure, uses

        return measure.report(uses.build(), REPEATS)


if __name__ == "__main__":
    sys.exit(main())
