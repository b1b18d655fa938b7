"""Administrators decide whether questions are suggested after answers."""

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from chat.site_settings import effective, stored_settings

SETTING = "/review/site/suggested-questions/"


async def test_an_administrator_turns_them_on_and_off(
    administrator_client: AsyncClient, administrator: User
) -> None:
    assert not effective.suggests_questions()
    page = (await administrator_client.get(SETTING)).content.decode()
    assert "no model writes titles" in page
    for sent, is_on in (({"suggests": "on"}, True), ({}, False)):
        posted = {**sent, "reason": "It was agreed"}
        assert (await administrator_client.post(SETTING, posted)).status_code == 302
        await sync_to_async(stored_settings.refresh)()
        assert effective.suggests_questions() is is_on
    details = [each.detail async for each in StaffAction.objects.filter(kind="site_changed")]
    assert "SUGGESTED_QUESTIONS: – → True" in details
