"""Dora, who answers requests of people for their data, and reads no chats."""

import pytest
from django.test import Client

from chat.accounts.models import User
from tests.review.conftest import give
from tests.support.review.member_pages import client_of


@pytest.fixture
def officer(transactional_db: None) -> User:
    dora = User.objects.create_user("dora@example.org", "tide table", name="Dora")
    return give(dora, "protect_data")


@pytest.fixture
def officer_client(officer: User, stop_server_process: None) -> Client:
    return client_of(officer)
