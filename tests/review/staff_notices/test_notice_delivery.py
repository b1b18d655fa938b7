"""Notices to staff go out by mail and webhook, as each of them has chosen, without chat text."""

import json
from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.outbox.models import Delivery
from chat.review.staff_notices import notify
from chat.review.staff_notices.models import NoticeChoices
from chat.webhooks.signed_post import SIGNATURE_HEADER
from tests.review.conftest import say
from tests.support.browser.website import Website, website
from tests.support.outbox import deliver, make_due
from tests.support.servers.mail_server import mail_server


@pytest.fixture
async def chat(alice: User) -> Conversation:
    return await sync_to_async(say)(alice, "Rivers", "Water")


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Website]:
    settings.CHECK_LOCAL_SITES = True
    settings.SITE_URL = "https://chat.example.org"
    async with website() as found:
        found.show("/hook")
        yield found


async def assign(chat: Conversation, person: User) -> None:
    await sync_to_async(notify.of_assignment)(chat.pk, person.pk)


async def test_a_notice_is_mailed_once_without_the_chats_text(
    chat: Conversation, reviewer: User, settings: Settings
) -> None:
    settings.SITE_URL = "https://chat.example.org"
    await assign(chat, reviewer)
    for _time in range(2):
        await deliver()
    (message,) = mail.outbox
    assert message.to == [reviewer.email]
    assert "A case was assigned to you." in message.subject
    assert f"https://chat.example.org/review/{chat.pk}/" in message.body
    assert "Rivers" not in message.subject + str(message.body)


async def test_a_webhook_gets_a_signed_request_that_slack_shows(
    chat: Conversation, reviewer: User, server: Website
) -> None:
    await NoticeChoices.objects.acreate(
        person=reviewer,
        by_mail=False,
        webhook_url=f"http://localhost:{server.port}/hook",
        webhook_secret="one",
    )
    await assign(chat, reviewer)
    await deliver()
    assert mail.outbox == []
    (request,) = server.requests
    body = server.bodies[0].decode()
    assert SIGNATURE_HEADER.lower() in request.lower()
    content = json.loads(body)
    assert content["event"] == "assigned"
    assert content["text"].endswith(f"/review/{chat.pk}/")
    assert "Rivers" not in body


async def test_a_failed_webhook_is_tried_again_without_a_second_mail(
    chat: Conversation, reviewer: User, server: Website
) -> None:
    await NoticeChoices.objects.acreate(
        person=reviewer, webhook_url=f"http://localhost:{server.port}/gone", webhook_secret="one"
    )
    await assign(chat, reviewer)
    for _time in range(2):
        await deliver()
        await make_due()
    assert len(server.requests) == 2
    assert len(mail.outbox) == 1


async def test_a_failed_mail_is_tried_again_without_a_second_webhook(
    chat: Conversation, reviewer: User, server: Website, settings: Settings
) -> None:
    await NoticeChoices.objects.acreate(
        person=reviewer, webhook_url=f"http://localhost:{server.port}/hook", webhook_secret="one"
    )
    await assign(chat, reviewer)
    with mail_server(settings) as mails:
        mails.replies[reviewer.email] = "451 try again"
        for _time in range(2):
            await deliver()
            await make_due()
        mails.replies.clear()
        await deliver()
        assert mails.tried == {reviewer.email: 3}
        assert mails.taken == {reviewer.email: 1}
    assert len(server.requests) == 1
    assert not await Delivery.objects.aexists()


async def test_who_is_no_longer_staff_is_told_nothing(chat: Conversation, reviewer: User) -> None:
    await assign(chat, reviewer)
    await reviewer.groups.aclear()
    await reviewer.user_permissions.aclear()
    await deliver()
    assert mail.outbox == []
    assert not await Delivery.objects.aexists()


async def test_a_deleted_staff_member_gets_nothing(chat: Conversation, reviewer: User) -> None:
    await assign(chat, reviewer)
    await reviewer.adelete()
    await deliver()
    assert mail.outbox == []
    assert not await Delivery.objects.aexists()
