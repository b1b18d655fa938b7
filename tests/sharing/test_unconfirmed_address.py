"""Whoever has yet to confirm an address reads so, and learns nothing about a chat."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.sharing.links import Choices, make
from chat.sharing.recipients import Recipients
from tests.sharing.conftest import page_of

pytestmark = pytest.mark.django_db


def test_whoever_has_yet_to_confirm_is_told_so_whether_or_not_there_is_such_a_chat(
    bob: User, bob_browser: Client, browser: Client, alice: User, conversation: Conversation
) -> None:
    link = make(
        conversation, Choices(recipients=Recipients(is_restricted=True, emails=(bob.email,)))
    )
    hint = "it opens after you confirm that address"
    theirs = page_of(link, bob_browser, status=404)
    assert hint in theirs
    assert hint in bob_browser.get("/s/nothing/", headers={"Accept": "text/html"}).content.decode()
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True)
    assert hint not in browser.get("/s/nothing/", headers={"Accept": "text/html"}).content.decode()
    assert hint not in page_of(link, Client(), status=404)
    assert "after you confirm it" in bob_browser.get("/shared/with-me/").content.decode()
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True)
    assert "after you confirm it" not in bob_browser.get("/shared/with-me/").content.decode()
