"""Fixtures for the admin: a superuser and their browser."""

import pytest
from django.test import Client

from chat.accounts.models import User
from tests.support.review.member_pages import client_of


@pytest.fixture
def superuser(transactional_db: None) -> User:
    return User.objects.create_superuser("superuser@example.org", "tide table")


@pytest.fixture
def superuser_client(superuser: User) -> Client:
    return client_of(superuser)
