"""Owners try the webhook of their website, and see what became of each request."""

import json
from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from pytest_django import Settings

from chat.inbox.models import InboxWebhookAttempt
from chat.webhooks import attempts
from chat.widget_sites.models import WidgetSite
from tests.support.browser.website import Website, website
from tests.support.outbox import deliver
from tests.support.widget.visitor_client import Visiting

pytestmark = pytest.mark.usefixtures("no_network_jobs")
HTML = {"Accept": "text/html"}


@pytest.fixture
async def server(shop: WidgetSite, settings: Settings) -> AsyncIterator[Website]:
    """Return the server of the shop, which takes webhooks at /hook."""
    settings.CHECK_LOCAL_SITES = True
    async with website() as found:
        url = f"http://localhost:{found.port}/hook"
        await WidgetSite.objects.aupdate(webhook_url=url, webhook_secret="a secret")
        yield found


def place(shop: WidgetSite) -> str:
    return f"/sites/{shop.key}/people/"


async def page_of(client: AsyncClient, shop: WidgetSite) -> str:
    page = (await client.get(place(shop), headers=HTML)).content.decode()
    return " ".join(page.split())


async def test_a_test_event_arrives_and_is_logged(
    alice_client: AsyncClient, shop: WidgetSite, server: Website
) -> None:
    server.show("/hook")
    assert "Nothing was sent in the last 30 days." in await page_of(alice_client, shop)
    assert (await alice_client.post(place(shop) + "webhook-test/")).status_code == 302
    await deliver()
    sent = json.loads(server.bodies[-1])
    assert (sent["event"], sent["site"]) == ("test", shop.key)
    assert "conversation" not in sent
    page = await page_of(alice_client, shop)
    assert '<code dir="ltr">test</code>' in page
    assert "Accepted" in page


async def test_a_failed_attempt_is_shown_with_the_next_one_and_without_any_text(
    alice_client: AsyncClient, shop: WidgetSite, server: Website, vera: Visiting, chat: str
) -> None:
    server.show("/hook", status="500 Broken")
    await vera.post(f"conversations/{chat}/person-request")
    await deliver()
    page = await page_of(alice_client, shop)
    assert "Attempt 1 failed: <bdi>status 500</bdi>" in page
    assert "Next attempt:" in page
    assert "canoe" not in page
    attempt = await InboxWebhookAttempt.objects.aget()
    assert (attempt.event, attempt.number) == ("person_requested", 1)
    await sync_to_async(attempts.remove_old)()
    assert await InboxWebhookAttempt.objects.acount() == 1
    await InboxWebhookAttempt.objects.aupdate(created_at="2020-01-01T00:00Z")
    await sync_to_async(attempts.remove_old)()
    assert not await InboxWebhookAttempt.objects.aexists()


async def test_only_owners_try_it_and_only_if_there_is_an_address(
    agent_client: AsyncClient, alice_client: AsyncClient, bob_client: AsyncClient, shop: WidgetSite
) -> None:
    assert (await alice_client.post(place(shop) + "webhook-test/")).status_code == 404
    await WidgetSite.objects.aupdate(webhook_url="https://shop.example/hook")
    for client in (agent_client, bob_client):
        assert (await client.post(place(shop) + "webhook-test/")).status_code == 404


@pytest.mark.parametrize(
    "address",
    [
        "http://shop.example/hook",
        "https://127.0.0.1:8146/hook",
        "https://10.1.2.3/",
        "https://[::1]/",
    ],
)
async def test_an_address_that_can_never_be_reached_is_refused_on_saving(
    alice_client: AsyncClient, shop: WidgetSite, settings: Settings, address: str
) -> None:
    settings.CHECK_LOCAL_SITES = False
    sent = await alice_client.post(place(shop), {"webhook_url": address}, headers=HTML)
    assert sent.status_code == 422
    await shop.arefresh_from_db()
    assert shop.webhook_url == ""
