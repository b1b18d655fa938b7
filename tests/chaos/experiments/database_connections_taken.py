"""Other clients take all connections that PostgreSQL has; then they let them go."""

from contextlib import ExitStack

import psycopg

from tests.chaos.bench import Bench
from tests.chaos.outage import Outage, through
from tests.chaos.outcome import Outcome

STORES = ("postgres",)
WHY_NOT = "SQLite is a file, without connections"


async def run(bench: Bench, seed: int) -> Outcome:
    with ExitStack() as taken:

        def take() -> None:
            while True:
                try:
                    taken.enter_context(psycopg.connect(bench.site.database))
                except psycopg.OperationalError:  # there are no more
                    return

        outage = Outage("taken", take, taken.close, bench.size(4.0, 30.0))
        return await through(bench, seed, outage)
