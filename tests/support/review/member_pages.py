"""Helpers for the tests of people."""

from typing import Any

from django.test import Client

from chat.accounts.models import User
from tests.conftest import signed_in_client
from tests.review.conftest import Reasoned


def client_of(user: User) -> Client:
    client = Reasoned()
    client.cookies = signed_in_client(user).cookies
    return client


def text_of(client: Client, path: str, **query: Any) -> str:
    response = client.get(path, query)
    assert response.status_code == 200, path
    return str(response.content.decode())
