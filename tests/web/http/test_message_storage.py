"""Messages that no page has shown yet don't pile up, neither in the cookie nor on a page."""

import pytest
from django.contrib.messages import SUCCESS
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.cookie import CookieStorage
from django.test import Client, RequestFactory

from chat.accounts.models import User
from chat.web.http.message_storage import MAX_MESSAGES
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db

WORDS = "Signed out on all other devices."


def test_of_messages_that_no_page_shows_the_newest_are_kept(alice: User) -> None:
    client = signed_in(alice)
    for _ in range(MAX_MESSAGES + 5):
        client.post("/settings/devices/", {"others": "yes"})
    assert client.get("/settings/").content.decode().count(WORDS) == MAX_MESSAGES
    assert WORDS not in client.get("/settings/").content.decode()


def test_a_cookie_with_thousands_of_messages_shows_few() -> None:
    """Thousands fit into two kilobytes, and a stranger may send them with each request."""
    many = [Message(SUCCESS, WORDS)] * 5000
    cookie = CookieStorage(RequestFactory().get("/"))._encode(many)
    client = Client(headers={"Cookie": f"messages={cookie}"})
    assert client.get("/accounts/login/").content.decode().count(WORDS) == MAX_MESSAGES
