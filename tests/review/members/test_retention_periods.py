"""Administrators set how long chats are kept, and are asked before chats are deleted by it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.retention import expiry
from chat.conversations.retention.models import GroupRetention
from chat.lib.number_format import format_day
from chat.site_settings import effective, stored_settings
from tests.review.conftest import recorded_actions
from tests.support.review.member_pages import client_of, text_of

SITE = "/review/site/retention/"


@pytest.fixture
def old(alice: User) -> Conversation:
    used_at = timezone.now() - timedelta(days=100)
    return Conversation.objects.create(owner=alice, title="Old", updated_at=used_at)


def days_of_site() -> int | None:
    stored_settings.refresh()
    return effective.retention_days()


def test_the_sites_period_is_saved_after_a_question(
    admin_browser: Client, old: Conversation
) -> None:
    asked = admin_browser.post(SITE, {"days": "30"})
    assert asked.status_code == 422
    assert "1 chat hasn&#x27;t been used for that long." in asked.content.decode()
    assert days_of_site() is None
    saved = admin_browser.post(SITE, {"days": "30", "sure": "yes"})
    assert saved.status_code == 302
    assert days_of_site() == 30
    assert recorded_actions().get().detail == "RETENTION_DAYS: – → 30"


def test_a_period_that_deletes_nothing_is_saved_at_once(
    admin_browser: Client, old: Conversation
) -> None:
    assert admin_browser.post(SITE, {"days": "365"}).status_code == 302
    assert days_of_site() == 365
    assert admin_browser.post(SITE, {"days": ""}).status_code == 302
    assert days_of_site() is None


def test_a_groups_period_is_saved_after_a_question(
    admin_browser: Client, old: Conversation, pupils: Group
) -> None:
    path = f"/review/groups/{pupils.pk}/retention/"
    assert admin_browser.post(path, {"days": "30"}).status_code == 422
    assert not GroupRetention.objects.exists()
    admin_browser.post(path, {"days": "30", "sure": "yes"})
    assert GroupRetention.objects.get().days == 30
    action = recorded_actions().get()
    assert (action.kind, action.detail) == ("retention_changed", "Pupils: – → 30")
    assert "Pupils" in text_of(admin_browser, SITE)
    admin_browser.post(path, {"days": ""})
    assert not GroupRetention.objects.exists()


@pytest.mark.parametrize("days", ["-1", "a week", "36501", "1.5"])
def test_what_is_no_period_is_refused_and_kept(
    admin_browser: Client, pupils: Group, days: str
) -> None:
    for path in (SITE, f"/review/groups/{pupils.pk}/retention/"):
        refused = admin_browser.post(path, {"days": days})
        assert refused.status_code == 422
        assert f'value="{days}"' in refused.content.decode()


def test_members_read_how_long_their_chats_are_kept(
    admin_browser: Client, alice: User, bob: User, pupils: Group
) -> None:
    GroupRetention.objects.create(group=pupils, days=30)
    words = "Chats that you haven't used for 30 days are deleted."
    assert words in text_of(client_of(alice), "/settings/data/")
    assert "Older chats in the file will be deleted on" in text_of(
        client_of(alice), "/settings/import/"
    )
    assert "Chats that you haven" not in text_of(client_of(bob), "/settings/data/")


def test_members_read_which_of_their_chats_will_be_deleted(
    old: Conversation, alice: User, bob: User, pupils: Group
) -> None:
    GroupRetention.objects.create(group=pupils, days=30)
    expiry.apply()
    client = client_of(alice)
    day = format_day(expiry.earliest_deletion(30))
    listed = text_of(client, "/settings/data/")
    assert "Chats that will be deleted" in listed
    assert f"/chat/{old.pk}/" in listed
    assert day in listed
    assert "Some of your older chats will be deleted soon." in text_of(client, "/chat/")
    told = f"It will be deleted on {day}, unless you send a message."
    assert told in text_of(client, f"/chat/{old.pk}/")
    for path in ("/settings/data/", "/chat/"):
        assert "deleted soon" not in text_of(client_of(bob), path)
        assert "will be deleted" not in text_of(client_of(bob), path)
