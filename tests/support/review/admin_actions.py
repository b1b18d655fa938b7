"""Helpers for the tests of admin actions."""

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction

USERS = "/admin/chat/user/"
Kind = StaffAction.Kind


def again(user: User) -> User:
    return User.objects.get(pk=user.pk)
