"""Sign in without the page for it."""

from django.test import Client

from chat.accounts.models import User


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client
