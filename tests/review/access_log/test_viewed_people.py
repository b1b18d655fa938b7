"""Opening the page of a person or website is on record, as the pages say."""

import pytest
from asgiref.sync import sync_to_async

from chat.accounts.models import User
from chat.review.models import AccessLogEntry
from chat.widget_sites.models import WidgetSite
from tests.support.review.member_pages import client_of, text_of
from tests.support.web.signed_in import signed_in_client


@pytest.mark.parametrize("is_site", [False, True])
def test_opening_the_page_is_recorded(alice: User, lead: User, is_site: bool) -> None:
    client = client_of(lead)
    client.post("/review/reason/", {"reason": "A report of today", "next": "/review/"})
    site = WidgetSite.objects.create(owner=alice, name="Shop")
    path = f"/review/sites/{site.key}/" if is_site else f"/review/people/{alice.pk}/"
    assert "Everything you view here is recorded." in text_of(client, path)
    entry = AccessLogEntry.objects.get(kind="viewed")
    expected = (None, "Shop") if is_site else (alice.pk, "")
    assert (entry.owner, entry.detail) == expected
    assert (entry.reader, entry.reason) == (lead.pk, "A report of today")
    assert "page of the person or website" in text_of(client, "/review/audit/")


async def test_members_see_that_their_page_was_opened(alice: User, lead: User) -> None:
    @sync_to_async
    def open_page() -> None:
        client = client_of(lead)
        client.post("/review/reason/", {"reason": "A report of today", "next": "/review/"})
        text_of(client, f"/review/people/{alice.pk}/")

    await open_page()
    shown = await (await sync_to_async(signed_in_client)(alice)).get("/settings/access-history/")
    assert "Opened the page about you" in shown.content.decode()
