"""Fixtures for the tests of pages."""

import pytest
from django.test import Client

from chat.accounts.models import User
from tests.support.web.signed_in import signed_in


@pytest.fixture
def browser(alice: User) -> Client:
    return signed_in(alice)
