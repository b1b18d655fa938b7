"""Fixtures for the admin: a superuser and their browser."""

import pytest
from django.test import Client

from chat.accounts.models import User
from tests.support.review.admin_actions import reasoned


@pytest.fixture
def chief(transactional_db: None) -> User:
    return User.objects.create_superuser("chief@example.org", "tide table")


@pytest.fixture
def chiefs(chief: User) -> Client:
    return reasoned(chief)
