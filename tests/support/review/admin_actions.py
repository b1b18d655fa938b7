"""Helpers for the tests of admin actions."""

from django.test import Client

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from tests.review.conftest import Reasoned

USERS = "/admin/chat/user/"
Kind = StaffAction.Kind


def reasoned(user: User) -> Client:
    client = Reasoned()
    client.force_login(user)
    return client


def again(user: User) -> User:
    return User.objects.get(pk=user.pk)
