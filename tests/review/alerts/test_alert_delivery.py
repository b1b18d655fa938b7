"""Alerts reach administrators like other notifications, and lead to what they are about."""

import json

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.quotas.models import Limit
from chat.quotas.payer import Payer
from chat.review.alerts.spending import check_spending
from chat.review.staff_notices import notify
from chat.review.staff_notices.models import Alert, NoticeChoices, StaffNotice
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import give
from tests.support.browser.website import website
from tests.support.outbox import deliver
from tests.support.quotas.spending import spend
from tests.support.widget.visitor_client import make_site


@pytest.fixture
def shop(bob: User) -> WidgetSite:
    site = make_site(bob)
    WidgetSite.objects.filter(pk=site.pk).update(name="<b>Shop</b>\r\nBcc: x@example.org")
    return site


def spend_at(site: WidgetSite) -> None:
    Limit.objects.create(scope="site", measure="dollars", amount=10)
    spend(Payer(site=site.key, visitor="v"), 8)
    assert check_spending() == 1


async def test_the_page_shows_alerts_with_links(
    administrator_client: AsyncClient, administrator: User, shop: WidgetSite
) -> None:
    await sync_to_async(spend_at)(shop)
    alert = await Alert.objects.acreate(kind="failing", percent=20)
    await sync_to_async(notify.of_alert)(StaffNotice.Kind.FAILING, alert)
    page = (await administrator_client.get("/review/notifications/")).content.decode()
    assert "80% of the limit of $10.00" in page
    assert "&lt;b&gt;Shop&lt;/b&gt; Bcc: x@example.org" in page
    assert f'href="/review/quotas/website/{shop.key}/"' in page
    assert "More than 20% of recent answers failed." in page
    assert 'href="/review/status/"' in page


async def test_an_alert_is_mailed_with_the_limits_address(
    administrator: User, shop: WidgetSite, settings: Settings
) -> None:
    settings.SITE_URL = "https://chat.example.org"
    await sync_to_async(spend_at)(shop)
    for _time in range(2):
        await deliver()
    (message,) = mail.outbox
    assert message.to == [administrator.email]
    assert "80% of the limit of $10.00" in message.subject
    assert "\n" not in message.subject
    assert f"https://chat.example.org/review/quotas/website/{shop.key}/" in message.body


async def test_a_webhook_names_no_conversation(
    administrator: User, shop: WidgetSite, settings: Settings
) -> None:
    settings.CHECK_LOCAL_SITES = True
    async with website() as server:
        server.show("/hook")
        await NoticeChoices.objects.acreate(
            person=administrator,
            by_mail=False,
            webhook_url=f"http://localhost:{server.port}/hook",
            webhook_secret="one",
        )
        await sync_to_async(spend_at)(shop)
        await deliver()
        content = json.loads(server.bodies[0])
    assert (content["event"], content["conversation"]) == ("budget", None)
    assert content["url"].endswith(f"/review/quotas/website/{shop.key}/")


async def test_who_is_no_longer_an_administrator_is_told_nothing(
    administrator: User, shop: WidgetSite, settings: Settings
) -> None:
    await sync_to_async(spend_at)(shop)
    await administrator.user_permissions.aclear()
    await sync_to_async(give)(administrator, "review", None)
    await deliver()
    assert mail.outbox == []


async def test_with_reading_turned_off_administrators_still_see_their_notices(
    administrator_client: AsyncClient,
    reviewer_client: AsyncClient,
    shop: WidgetSite,
    administrator: User,
    settings: Settings,
) -> None:
    settings.REVIEW_PRIVACY = "off"
    await sync_to_async(spend_at)(shop)
    await sync_to_async(notify.of_assignment)(shop.pk, administrator.pk)
    page = (await administrator_client.get("/review/notifications/")).content.decode()
    assert "80% of the limit of $10.00" in page
    assert "A case was assigned to you." in page
    assert f"/review/{shop.pk}/" not in page
    assert (await reviewer_client.get("/review/notifications/")).status_code == 404
