"""The page of a staff member's notifications."""

from typing import Any

from asgiref.sync import sync_to_async
from django.db import connection
from django.test import AsyncClient
from pytest_django import Settings

from chat.accounts.models import User
from chat.review.staff_notices import notice_list, notify
from chat.review.staff_notices.models import NoticeChoices, StaffNotice
from tests.review.conftest import say

PAGE = "/review/notifications/"


async def show(client: AsyncClient) -> str:
    response = await client.get(PAGE)
    assert response.status_code == 200
    return str(response.content.decode())


async def test_new_notifications_are_counted_until_they_are_seen(
    reviewer_client: AsyncClient, reviewer: User, alice: User
) -> None:
    chat = await sync_to_async(say)(alice, "Rivers", "Water")
    await sync_to_async(notify.of_assignment)(chat.pk, reviewer.pk)
    first = await show(reviewer_client)
    assert "A case was assigned to you." in first
    assert f"/review/{chat.pk}/" in first
    assert ">New<" in first
    assert ">New<" not in await show(reviewer_client)


def test_a_notification_that_comes_while_the_page_is_read_stays_new(
    reviewer: User, alice: User
) -> None:
    chat = say(alice, "Rivers", "Water")
    notify.of_assignment(chat.pk, reviewer.pk)

    def meanwhile(execute: Any, sql: str, *arguments: Any) -> Any:
        if sql.startswith("UPDATE"):
            StaffNotice.objects.create(person=reviewer, kind=StaffNotice.Kind.MENTIONED)
        return execute(sql, *arguments)

    with connection.execute_wrapper(meanwhile):
        shown = notice_list.newest_of(reviewer.pk)
    assert len(shown) == 1
    assert notice_list.unread_count(reviewer.pk) == 1


async def test_others_notifications_are_not_shown(
    reviewer_client: AsyncClient, lead: User, alice: User
) -> None:
    chat = await sync_to_async(say)(alice, "Rivers", "Water")
    await sync_to_async(notify.of_assignment)(chat.pk, lead.pk)
    assert str(chat.pk) not in await show(reviewer_client)


async def test_choices_are_kept_and_the_secret_is_shown_once(
    reviewer_client: AsyncClient, reviewer: User
) -> None:
    sent = {"is_on_duty": "on", "webhook_url": "https://hooks.example.org/one"}
    assert (await reviewer_client.post(PAGE, sent)).status_code == 302
    choices = await NoticeChoices.objects.aget(person=reviewer)
    assert (choices.is_on_duty, choices.by_mail) == (True, False)
    assert choices.webhook_secret in await show(reviewer_client)
    assert choices.webhook_secret not in await show(reviewer_client)
    await reviewer_client.post(PAGE, sent | {"by_mail": "on"})
    again = await NoticeChoices.objects.aget(person=reviewer)
    assert again.webhook_secret == choices.webhook_secret
    assert again.by_mail


async def test_an_unsafe_address_is_refused_and_kept_in_the_field(
    reviewer_client: AsyncClient, settings: Settings
) -> None:
    settings.CHECK_LOCAL_SITES = False
    refused = await reviewer_client.post(PAGE, {"webhook_url": "http://hooks.example.org/"})
    assert refused.status_code == 422
    assert "http://hooks.example.org/" in refused.content.decode()
    assert not await NoticeChoices.objects.aexists()
