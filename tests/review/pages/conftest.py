"""Browsers of a reviewer and a lead."""

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from tests.conftest import browser_of


@pytest.fixture
def staff(reviewer: User, life_ends: None) -> AsyncClient:
    return browser_of(reviewer)


@pytest.fixture
def leads(lead: User, life_ends: None) -> AsyncClient:
    return browser_of(lead)
