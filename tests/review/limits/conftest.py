"""The browser of an administrator."""

import pytest
from django.test import Client

from chat.accounts.models import User
from tests.support.review.member_pages import client_of


@pytest.fixture
def administrator_client(administrator: User) -> Client:
    return client_of(administrator)
