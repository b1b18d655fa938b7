"""A failover without a reset: PostgreSQL's connections stay open, and nothing answers on them."""

from tests.chaos.bench import Bench
from tests.chaos.outage import Outage, through
from tests.chaos.outcome import Outcome

STORES = ("postgres",)
WHY_NOT = "SQLite is a file, without connections"


async def run(bench: Bench, seed: int) -> Outcome:
    server = bench.site.stores.postgres
    assert server
    proxy = server.proxy
    outage = Outage("silent", proxy.fall_silent, proxy.come_back, bench.size(4.0, 60.0))
    with bench.site.changed(DATABASE_STATEMENT_SECONDS="2"):
        return await through(bench, seed, outage)
