"""Another program holds SQLite's lock: what runs goes on, and sends are repeated until it is free."""

import sqlite3
from contextlib import closing

from tests.chaos.bench import Bench
from tests.chaos.outage import Outage, through
from tests.chaos.outcome import Outcome

STORES = ("sqlite",)
WHY_NOT = "PostgreSQL has no lock that stops all writers"


async def run(bench: Bench, seed: int) -> Outcome:
    path = bench.site.database
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        outage = Outage(
            "locked",
            lambda: other.execute("BEGIN IMMEDIATE"),
            lambda: other.execute("ROLLBACK"),
            bench.size(8.0, 60.0),
            logged="database is locked",
        )
        return await through(bench, seed, outage)
