"""Helpers for the tests of list state."""

from django.test import Client

from chat.accounts.models import User


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client
