"""PgBouncer is killed for ten seconds: streams go on, and sends are kept and repeated until it is back."""

from tests.chaos.bench import Bench
from tests.chaos.outage import Outage, through
from tests.chaos.outcome import Outcome
from tests.chaos.served import served
from tests.chaos.site import PATIENT
from tests.support.servers import pgbouncer
from tests.support.servers.pgbouncer import PgBouncer

STORES = ("postgres",)
WHY_NOT = "SQLite is a file, without connections"
WORKERS = 2
SECONDS = 10.0
#: Fewer connections than the workers may have clients, or about as many.
POOL_SIZES = (20, 3, 8)


async def run(bench: Bench, seed: int) -> Outcome:
    pool_size = POOL_SIZES[seed % len(POOL_SIZES)]
    bouncer = PgBouncer(bench.site.database, mode="transaction", pool_size=pool_size)
    try:
        bouncer.start()
        settings = PATIENT | {"DATABASE_URL": bouncer.url} | pgbouncer.SUITABLE
        with served(bench, WORKERS, **settings) as (_, there):
            streams = bench.size(10, 100)
            outage = Outage(
                "pgbouncer",
                bouncer.kill,
                bouncer.start,
                SECONDS,
                streams=streams,
                pause_seconds=SECONDS / 2,
            )
            outcome = await through(there, seed, outage)
    finally:
        bouncer.remove()
    outcome.notes.append(f"{WORKERS} workers, {pool_size} connections in transaction mode")
    return outcome


def missing() -> str:
    """Return what this machine lacks; empty if nothing."""
    return "" if pgbouncer.BINARY else "PgBouncer is not installed"
