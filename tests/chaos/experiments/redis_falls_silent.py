"""Redis answers nothing for a while and closes no connection: nobody waits for it."""

from tests.chaos.bench import Bench
from tests.chaos.outage import Outage, through
from tests.chaos.outcome import Outcome

STORES = ("postgres",)
WHY_NOT = "one process needs no Redis"


async def run(bench: Bench, seed: int) -> Outcome:
    server = bench.site.stores.redis
    assert server
    outage = Outage("redis-silent", server.fall_silent, server.come_back, bench.size(3.0, 30.0))
    return await through(bench, seed, outage)
