"""With the initial limits, nobody can use up a shared budget, and nothing counts as free."""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from django.test import AsyncClient, override_settings
from pytest_django import Settings

from chat.accounts.models import User
from chat.errors import QuotaExceeded
from chat.generations.billing import charging
from chat.generations.billing.pricing import amount_of, usage_of
from chat.lib.catalogue import Model
from chat.personas.models import Persona
from chat.quotas import ledger
from chat.quotas.amounts import Amount
from chat.quotas.ledger import Estimate
from chat.quotas.models import Limit, Meter
from chat.quotas.payer import Payer
from chat.widget_sites.models import WidgetSite
from project.config import initial_limits
from tests.support.generations.follow import endless
from tests.support.generations.send import DONE, send
from tests.support.generations.stream_reader import read_stream
from tests.support.upstream.raw_upstream import always, stream_of
from tests.support.upstream.upstream_override import ask, site_with
from tests.support.web.signed_in import signed_in_client
from tests.support.widget.visitor_client import HOST, Visiting, visit

AYE = b'data: {"response":"Aye"}\n\n'
GREEDY = {"messages": [{"role": "user", "content": "Go"}], "max_tokens": 1_000_000}
PRICED = Model(id="p", context_window=99, input_usd_per_million=1.0, output_usd_per_million=1.0)
UNPRICED = Model(id="u", context_window=99)
FREE = Model(id="f", context_window=99, input_usd_per_million=0.0, output_usd_per_million=0.0)


def set_first_limits() -> None:
    for scope, measure, amount in initial_limits.read(initial_limits.DEFAULT):
        Limit.objects.create(scope=scope, measure=measure, amount=amount)


async def test_two_members_who_use_their_whole_budget_do_not_block_others(
    alice_client: AsyncClient, bob_client: AsyncClient, settings: Settings
) -> None:
    await sync_to_async(set_first_limits)()
    third = await sync_to_async(User.objects.create_user)("carol@example.org", "correct horse")
    async with site_with(endless()):
        for client in (alice_client, bob_client):
            for _ in range(5):
                assert (await ask(client, GREEDY)).status_code == 200
        everyone = await Meter.objects.aget(key="everyone")
        assert everyone.running == 10
        assert everyone.reserved_microdollars < 10 * 1_000_000
        carols = await sync_to_async(signed_in_client)(third)
        assert (await send(carols, text="May I?")).status_code == 200


async def through_the_relay(client: AsyncClient, shop: WidgetSite) -> Any:
    return await ask(client, GREEDY)


async def through_a_stored_turn(client: AsyncClient, shop: WidgetSite) -> Any:
    owner = await User.objects.aget(email="alice@example.org")
    persona = await Persona.objects.acreate(owner=owner, name="Long", max_tokens=1_000_000)
    return await send(client, text="Go", persona=str(persona.pk))


def through_the_widget(path: str, more: dict[str, Any]) -> Callable[[AsyncClient, WidgetSite], Any]:
    async def endpoint(client: AsyncClient, shop: WidgetSite) -> Any:
        url = f"/w/{shop.key}/{path}"
        return await AsyncClient().post(
            url,
            data=GREEDY | more,
            content_type="application/json",
            headers={"Origin": HOST},
        )

    return endpoint


ENDPOINTS = {
    "the relay": through_the_relay,
    "a stored turn": through_a_stored_turn,
    "the widget's chat": through_the_widget("chat", {}),
    "OpenAI's path": through_the_widget("v1/chat/completions", {"stream": True}),
}


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_no_endpoint_requests_more_tokens_than_the_setting(
    endpoint: str, alice_client: AsyncClient, shop: WidgetSite
) -> None:
    async with site_with(always(stream_of(AYE, DONE)), MAX_TOKENS_LIMIT=300) as raw:
        response = await ENDPOINTS[endpoint](alice_client, shop)
        assert response.status_code == 200
        assert b"Aye" in b"".join([part async for part in response.streaming_content])
    asked = [json.loads(each.partition(b"\r\n\r\n")[2]) for each in raw.requests]
    assert [each["max_tokens"] for each in asked] == [300]


async def test_new_visitors_from_one_address_share_a_limit(
    shop: WidgetSite, settings: Settings
) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    await sync_to_async(set_first_limits)()
    statuses = []
    async with site_with(endless()):
        for _ in range(4):
            fresh = Visiting(shop)
            fresh.address = "203.0.113.7"
            assert (await fresh.begin()).status_code == 200
            statuses += [(await fresh.send()).status_code for _ in range(2)]
        other = Visiting(shop)
        other.address = "203.0.113.8"
        await other.begin()
        assert (await other.send()).status_code == 200
    assert statuses == [200] * 6 + [429] * 2


def pay(payer: Payer, microdollars: int) -> None:
    """Charge one answer with this cost."""
    charge, cost = uuid.uuid4(), Amount(1, 0, microdollars)
    with transaction.atomic():
        ledger.reserve(charge, payer, Estimate(0, 1, Amount(), cost), model="m", process=1)
    with transaction.atomic():
        ledger.settle([charge], lambda _: cost)


@pytest.mark.django_db(transaction=True)
def test_visitors_of_all_websites_leave_a_share_for_members(alice: User) -> None:
    """The monthly limits of four websites equal the whole site's."""
    set_first_limits()
    dollar = 1_000_000
    refused = []
    for number in range(60):
        vera = Payer(site=f"site{number % 8}", visitor=f"vera{number}", address=f"192.0.2.{number}")
        try:
            pay(vera, dollar // 4)
        except QuotaExceeded as error:
            refused.append(error)
    spent = Meter.objects.get(key="everyone").microdollars
    assert refused
    assert 9 * dollar <= spent <= 10 * dollar
    pay(Payer(user_id=alice.pk), dollar)


def test_a_websites_daily_limit_is_a_fraction_of_its_monthly_one() -> None:
    limits = initial_limits.read(initial_limits.DEFAULT)
    amounts = {(scope, measure): amount for scope, measure, amount in limits}
    dollars_a_day = amounts["site", "neurons"] / 1000 * 0.011  # what Workers AI takes for them
    assert dollars_a_day * 9 < amounts["site", "dollars"] < dollars_a_day * 31


async def test_a_refusal_distinguishes_reserved_from_spent(
    alice_client: AsyncClient, alice: User
) -> None:
    await Limit.objects.acreate(scope="member", measure="tokens", amount=900)
    async with site_with(endless(), MAX_TOKENS=890):
        running = await send(alice_client, text="Go")
        reserved = await send(alice_client, text="And this")
        await alice_client.post(f"/generations/{running['X-Generation-Id']}/cancellation")
        await read_stream(running)
        await Meter.objects.filter(key=f"user:{alice.pk}").aupdate(tokens=899)
        spent = await send(alice_client, text="And this")
    assert reserved.status_code == spent.status_code == 429
    assert "Try again in a minute" in reserved.json()["error"]["message"]
    assert reserved["Retry-After"] == "60"
    assert "It resets on" in spent.json()["error"]["message"]
    assert int(spent["Retry-After"]) > 0


def reserve(payer: Payer, amount: int) -> int:
    one = Estimate(0, 1000, Amount(), Amount(amount, 0, 0))
    with transaction.atomic():
        return ledger.reserve(uuid.uuid4(), payer, one, model="m", process=1)


@pytest.mark.django_db(transaction=True)
def test_one_person_reserves_only_a_share_of_a_shared_limit(alice: User, bob: User) -> None:
    Limit.objects.create(scope="everyone", measure="tokens", amount=1000)
    alice_client, bob_client = Payer(user_id=alice.pk), Payer(user_id=bob.pk)
    assert reserve(alice_client, 400) == 1000  # one answer may take what it needs
    with pytest.raises(QuotaExceeded) as refused:
        reserve(alice_client, 100)
    assert "reserved" in str(refused.value.public)
    assert reserve(bob_client, 100) == 1000
    assert reserve(bob_client, 100) == 1000
    assert reserve(bob_client, 100) == 500  # a shorter one, up to a quarter of all
    ledger.settle_orphans([])
    assert not Meter.objects.exclude(reserved_tokens=0).exists()


def test_a_model_without_a_price_costs_something_and_one_with_price_0_nothing() -> None:
    usage = usage_of(600_000, 400_000)
    with override_settings(ASSUMED_USD_PER_MILLION_TOKENS=5.0):
        assert amount_of(UNPRICED, usage).microdollars == 5_000_000
        assert amount_of(None, usage).microdollars == 5_000_000
        assert amount_of(UNPRICED, usage).millineurons > 0
        assert amount_of(FREE, usage).microdollars == 0
        assert amount_of(PRICED, usage).microdollars == 1_000_000
        held = charging.estimate([], UNPRICED, 40).most
    assert held.microdollars > 0


async def test_a_refusal_names_the_visitors_spent_budget(shop: WidgetSite) -> None:
    await Limit.objects.acreate(scope="visitor", measure="dollars", amount=0)
    vera = await visit(shop)
    refused = await vera.send()
    assert refused.status_code == 429
    assert refused.json()["error"]["measure"] == "dollars"
