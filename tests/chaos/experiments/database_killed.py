"""PostgreSQL is killed and recovers: answers go on, and sends are repeated until it is back."""

from tests.chaos.bench import Bench
from tests.chaos.outage import Outage, through
from tests.chaos.outcome import Outcome

STORES = ("postgres",)
WHY_NOT = "SQLite is a file, without a server"


async def run(bench: Bench, seed: int) -> Outcome:
    server = bench.site.stores.postgres
    assert server
    outage = Outage("killed", server.kill, server.start, bench.size(4.0, 70.0))
    return await through(bench, seed, outage)
