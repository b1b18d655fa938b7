"""Redis is killed and comes back empty: nothing is lost, because the database holds everything."""

from tests.chaos.bench import Bench
from tests.chaos.outage import Outage, through
from tests.chaos.outcome import Outcome

STORES = ("postgres",)
WHY_NOT = "one process needs no Redis"


async def run(bench: Bench, seed: int) -> Outcome:
    server = bench.site.stores.redis
    assert server
    outage = Outage("redis-killed", server.kill, server.start, bench.size(3.0, 10.0))
    return await through(bench, seed, outage)
