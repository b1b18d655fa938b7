"""A team makes labels, sets them on chats, and filters the inbox by them."""

from collections.abc import Callable

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.inbox import labels
from chat.inbox.models import InboxLabel
from chat.widget_sites.models import WidgetSite
from tests.support.widget.visitor_client import make_site

Inbox = Callable[..., str]
HTML = {"Accept": "text/html"}


async def text_of(client: AsyncClient, path: str) -> str:
    return (await client.get(path, headers=HTML)).content.decode()


def page_of(shop: WidgetSite) -> str:
    return f"/sites/{shop.key}/labels/"


async def add(client: AsyncClient, shop: WidgetSite, name: str) -> InboxLabel:
    sent = await client.post(page_of(shop), {"name": name}, headers=HTML)
    assert sent.status_code == 302
    return await InboxLabel.objects.aget(name=name)


async def test_a_chat_gets_labels_and_the_lists_are_filtered_by_one(
    agent_client: AsyncClient, inbox: Inbox, chat: str, shop: WidgetSite
) -> None:
    order = await add(agent_client, shop, "<b>Order")
    other = await add(agent_client, shop, "Complaint")
    sent = await agent_client.post(inbox(chat, "labels"), {"labels": [order.pk]})
    assert sent.status_code == 302
    page = await text_of(agent_client, inbox() + f"?show=open&label={order.pk}")
    assert inbox(chat) in page
    assert "<bdi>&lt;b&gt;Order</bdi>" in page
    assert inbox(chat) not in await text_of(agent_client, inbox() + f"?label={other.pk}")
    assert (await agent_client.get(inbox() + "?label=x")).status_code == 400
    await agent_client.post(inbox(chat, "labels"), {})
    assert inbox(chat) not in await text_of(agent_client, inbox() + f"?label={order.pk}")


async def test_removing_a_label_removes_it_from_chats(
    agent_client: AsyncClient, inbox: Inbox, chat: str, shop: WidgetSite
) -> None:
    order = await add(agent_client, shop, "Order")
    await agent_client.post(inbox(chat, "labels"), {"labels": [order.pk]})
    sent = await agent_client.post(f"{page_of(shop)}{order.pk}/removal/")
    assert sent.status_code == 302
    assert "Order" not in await text_of(agent_client, inbox(chat))


async def test_a_name_is_used_once_and_there_are_at_most_thirty(
    agent_client: AsyncClient, shop: WidgetSite
) -> None:
    await add(agent_client, shop, "Order")
    again = await agent_client.post(page_of(shop), {"name": "ORDER"}, headers=HTML)
    assert again.status_code == 422
    assert "There is already a label with this name." in again.content.decode()
    for number in range(labels.MAX_LABELS - 1):
        await sync_to_async(labels.add_label)(shop, f"Label {number}")
    one_more = await agent_client.post(page_of(shop), {"name": "One more"}, headers=HTML)
    assert "A website can have 30 labels." in one_more.content.decode()


async def test_labels_of_another_website_are_neither_set_nor_removed(
    agent_client: AsyncClient,
    bob_client: AsyncClient,
    bob: User,
    inbox: Inbox,
    chat: str,
    shop: WidgetSite,
) -> None:
    elsewhere = await sync_to_async(make_site)(bob)
    theirs = await sync_to_async(labels.add_label)(elsewhere, "Theirs")
    sent = await agent_client.post(inbox(chat, "labels"), {"labels": [theirs.pk]}, headers=HTML)
    assert sent.status_code == 422
    assert not await theirs.chats.aexists()
    removed = await agent_client.post(f"{page_of(shop)}{theirs.pk}/removal/")
    assert removed.status_code == 404
    ours = await add(agent_client, shop, "Ours")
    assert (await bob_client.post(f"{page_of(shop)}{ours.pk}/removal/")).status_code == 404
    stranger = await bob_client.post(inbox(chat, "labels"), {"labels": [ours.pk]})
    assert stranger.status_code == 404
    assert not await ours.chats.aexists()
