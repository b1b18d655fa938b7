"""Many visitors on two websites get exactly what limits allow."""

import asyncio
from collections import Counter

import pytest
from asgiref.sync import sync_to_async
from django.db.models import Sum
from pytest_django import Settings

from chat.accounts.models import User
from chat.quotas.models import Charge, Limit, Meter
from chat.quotas.units import Measure
from chat.web.widget.views import session
from chat.widget_sites.limits import set_limits
from chat.widget_sites.models import Visitor, WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.upstream_override import site_with
from tests.support.web.relay import drained
from tests.support.widget.canned_answer import SAYS_AYE
from tests.support.widget.visitor_client import HOST, Visiting

AT_ONCE = 20
SENDS = 3


@pytest.fixture(autouse=True)
def _addresses_are_those_that_visitors_name(settings: Settings) -> None:
    settings.TRUSTED_PROXY_COUNT = 1


class Crowd:
    """Visitors of one site, each with their own address, who all send `SENDS` messages."""

    def __init__(self, site: WidgetSite, count: int, network: int) -> None:
        self.site = site
        self.addresses = [f"10.{network}.{n // 250}.{n % 250 + 1}" for n in range(count)]
        self.by_visitor: list[Counter[int]] = []
        self.codes: Counter[str] = Counter()
        self._few = asyncio.Semaphore(AT_ONCE)

    async def come(self) -> None:
        await asyncio.gather(*map(self._visit, self.addresses))

    async def _visit(self, address: str) -> None:
        async with self._few:
            visitor = Visiting(self.site)
            visitor.address = address
            assert (await visitor.begin()).status_code == 200
            statuses = Counter([await self._send(visitor) for _ in range(SENDS)])
            self.by_visitor.append(statuses)

    async def _send(self, visitor: Visiting) -> int:
        response = await visitor.send()
        if response.status_code == 200:
            assert (await read_stream(response)).done
        else:
            self.codes[response.json()["error"]["measure"]] += 1
        return int(response.status_code)

    @property
    def answered(self) -> int:
        return sum(statuses[200] for statuses in self.by_visitor)


@pytest.mark.parametrize(
    "count", [pytest.param(12, id="small"), pytest.param(1000, id="full", marks=pytest.mark.long)]
)
@pytest.mark.timeout(900)
async def test_many_visitors_get_exactly_what_limits_allow(
    count: int, alice: User, shop: WidgetSite
) -> None:
    elsewhere = await WidgetSite.objects.acreate(owner=alice, name="Elsewhere", origins=[HOST])
    await Limit.objects.acreate(scope="visitor", measure="requests", amount=2)
    most = count + count // 2
    await Limit.objects.acreate(scope="site", site=shop.key, measure="requests", amount=most)
    big, small = Crowd(shop, count, 1), Crowd(elsewhere, count // 4, 2)
    async with site_with(SAYS_AYE):
        await asyncio.gather(big.come(), small.come())
    assert big.answered == most
    assert max(statuses[200] for statuses in big.by_visitor) == 2
    assert sum(big.codes.values()) == SENDS * count - most
    assert all(statuses == {200: 2, 429: 1} for statuses in small.by_visitor)
    assert set(big.codes) == set(small.codes) == {"requests"}
    await costs_are_what_was_answered(shop, big.answered)
    await costs_are_what_was_answered(elsewhere, small.answered)


async def costs_are_what_was_answered(site: WidgetSite, answers: int) -> None:
    meter = await Meter.objects.aget(key=f"site:{site.key}")
    assert (meter.requests, meter.running) == (answers, 0)
    mine = [each async for each in Charge.objects.all() if meter.key in each.keys]
    assert len(mine) == answers
    assert sum(each.tokens for each in mine) == meter.tokens
    assert sum(each.microdollars for each in mine) == meter.microdollars
    assert all(each.settled_at for each in mine)


async def test_a_sites_daily_tokens_are_never_exceeded(shop: WidgetSite) -> None:
    await Limit.objects.acreate(scope="site", site=shop.key, measure="tokens", amount=5000)
    crowd = Crowd(shop, 10, 3)
    await crowd.come()
    assert 0 < crowd.answered < 10 * SENDS
    total = await Charge.objects.aaggregate(tokens=Sum("tokens"))
    assert total["tokens"] <= 9000
    assert set(crowd.codes) == {"tokens"}


async def test_an_owners_limit_applies_from_the_next_message(
    shop: WidgetSite, vera: Visiting, victor: Visiting
) -> None:
    allow = sync_to_async(set_limits)
    await allow(shop, {(Limit.Scope.VISITOR, Measure.REQUESTS): 1})
    for visitor, statuses in ((vera, [200, 429]), (victor, [200, 429])):
        assert [(await drained(await visitor.send())).status_code for _ in statuses] == statuses
    await allow(shop, {(Limit.Scope.VISITOR, Measure.REQUESTS): 2})
    assert (await drained(await vera.send())).status_code == 200
    await allow(shop, {(Limit.Scope.SITE, Measure.TOKENS): 0})
    refused = await victor.send()
    assert refused.status_code == 429
    assert "reached its daily limit" in refused.json()["error"]["message"]
    listed = (await victor.get("conversations")).json()["conversations"]
    assert len(listed) == 1  # nothing is stored of what was refused


async def test_new_visitors_from_one_address_are_rate_limited(
    shop: WidgetSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "NEW_VISITORS_PER_MINUTE", 3)
    answers = []
    for _ in range(3 * 2 + 1):  # a minute may end meanwhile
        visitor = Visiting(shop)
        visitor.address = "10.9.9.9"
        answers.append(await visitor.begin())
    refused = [answer for answer in answers if answer.status_code != 200]
    assert refused
    assert {answer.status_code for answer in refused} == {429}
    assert all(int(answer["Retry-After"]) <= 60 for answer in refused)
    elsewhere = Visiting(shop)
    elsewhere.address = "10.9.9.10"
    assert (await elsewhere.begin()).status_code == 200


@pytest.mark.parametrize("is_by_cookie", [True, False], ids=["by cookie", "by bearer"])
async def test_resumed_sessions_from_one_address_are_rate_limited(
    shop: WidgetSite, vera: Visiting, monkeypatch: pytest.MonkeyPatch, is_by_cookie: bool
) -> None:
    monkeypatch.setattr(session, "RETURNS_PER_MINUTE", 3)
    vera.address = "10.9.9.11"
    answers = []
    for _ in range(3 * 2 + 1):  # a minute may end meanwhile
        if is_by_cookie:
            answers.append(await vera.begin())
        else:
            vera.cookie = ""
            answers.append(await vera.begin(Authorization=f"Bearer {vera.bearer}"))
    assert {answer.status_code for answer in answers} == {200, 429}
    vera.address = "10.9.9.12"
    assert (await vera.begin(Authorization=f"Bearer {vera.bearer}")).status_code == 200
    assert await Visitor.objects.acount() == 1
