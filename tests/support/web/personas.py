"""Helpers for the tests of personas."""

from django.test import Client


def page(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    return str(response.content.decode())
