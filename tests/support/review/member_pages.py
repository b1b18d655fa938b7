"""Browsers of staff, and what their pages say."""

from typing import Any

from django.test import Client

from chat.accounts.models import User
from tests.support.web.signed_in import sign_in

#: The reason for actions in tests about something else.
WHY = "It was agreed so"


class Reasoned(Client):
    """A client whose forms all contain a reason."""

    def post(self, path: str, data: Any = None, **options: Any) -> Any:
        return super().post(path, {"reason": WHY} | (data or {}), **options)


def client_of(user: User) -> Client:
    return sign_in(Reasoned(), user)


def with_reason(user: User) -> Client:
    """Return a client that has stated a reason for access."""
    client = client_of(user)
    client.post("/review/reason/", {"reason": "A report of today"})
    return client


def text_of(client: Client, path: str, **query: Any) -> str:
    response = client.get(path, query)
    assert response.status_code == 200, path
    return str(response.content.decode())
