"""With concurrent messages to two processes, nobody gets more than the limit."""

import asyncio
import json
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import httpx
import pytest

from tests.support.database.postgres import address_of, migrated_database, start_postgres
from tests.support.servers.server import Server, signed_up

SENDS = 200
pytestmark = [pytest.mark.xdist_group("the last unit"), pytest.mark.long]
_LIMIT = "from chat.quotas.models import Limit; Limit.objects.all().delete(); Limit.objects.create"
_USED = """
import json
from chat.quotas.models import Charge, Meter
meter = Meter.objects.get(key="everyone")
charges = list(Charge.objects.values_list("tokens", flat=True))
open_charges = Charge.objects.filter(settled_at=None).count()
print(json.dumps([meter.running, meter.requests, meter.tokens, sum(charges), len(charges), open_charges]))
Charge.objects.all().delete(); Meter.objects.all().delete()
"""


@dataclass
class Used:
    running: int
    requests: int
    tokens: int
    charged_tokens: int
    charges: int
    open_charges: int


@dataclass
class Pair:
    """Two processes on one database, and a signed-in member."""

    servers: list[Server]
    client: httpx.Client
    sends: int

    def limit(self, scope: str, measure: str, amount: int) -> None:
        fields = f"scope={scope!r}, measure={measure!r}, amount={amount}"
        self.servers[0].run(f"{_LIMIT}({fields})")

    def used(self) -> Used:
        return Used(*json.loads(self.servers[0].run(_USED)))

    async def storm(self) -> Counter[int]:
        """Send all messages at once, half to each process; read the answers and return the statuses."""
        cookies = {cookie.name: cookie.value or "" for cookie in self.client.cookies.jar}
        headers = {"X-CSRFToken": cookies["csrftoken"], "Content-Type": "application/json"}
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        connector = aiohttp.TCPConnector(limit=self.sends)
        async with aiohttp.ClientSession(connector=connector, headers=headers) as web:

            async def one(number: int) -> int:
                url = f"{self.servers[number % 2].url}/chat/messages"
                body = {"key": uuid.uuid4().hex, "text": f"Storm {number}"}
                async with web.post(url, json=body) as response:
                    await response.read()
                    return response.status

            return Counter(await asyncio.gather(*(one(number) for number in range(self.sends))))


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    database = request.param
    settings = {"MAX_TOKENS": "100", "LOG_LEVEL": "error"}
    if database == "postgres":
        server = start_postgres()
        settings["DATABASE_URL"] = address_of(server, migrated_database(server))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="runnel-pair-")))
        servers = [Server(folder, **settings) for _ in range(2)]
        servers[0].prepare()
        for server in servers:
            stack.callback(server.end)
            server.start()
        client = signed_up(servers[0])
        stack.callback(client.close)
        yield Pair(servers, client, SENDS)


@pytest.mark.parametrize("scope", ["everyone", "member"])
async def test_exactly_the_allowed_number_of_messages_is_answered(pair: Pair, scope: str) -> None:
    pair.limit(scope, "requests", 7)
    statuses = await pair.storm()
    used = pair.used()
    # If a new minute starts meanwhile, the messages count in two minutes.
    assert statuses[200] in {7, 14}
    assert statuses[200] + statuses[429] == pair.sends
    assert used.charges == statuses[200]
    assert (used.running, used.open_charges) == (0, 0)


async def test_no_more_tokens_are_spent_than_allowed(pair: Pair) -> None:
    pair.limit("everyone", "tokens", 1000)
    statuses = await pair.storm()
    used = pair.used()
    assert statuses[200] > 0
    assert statuses[429] > 0
    assert statuses[200] + statuses[429] == pair.sends
    assert used.tokens == used.charged_tokens <= 1000
    assert (used.running, used.open_charges) == (0, 0)
