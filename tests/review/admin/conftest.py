"""Fixtures for the admin: a superuser and their browser."""

import pytest
from django.test import Client

from chat.accounts.models import User
from tests.support.review.admin_actions import reasoned


@pytest.fixture
def superuser(transactional_db: None) -> User:
    return User.objects.create_superuser("superuser@example.org", "tide table")


@pytest.fixture
def superuser_client(superuser: User) -> Client:
    return reasoned(superuser)
