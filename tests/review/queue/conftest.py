"""Browsers of a reviewer and a lead."""

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from tests.conftest import signed_in_client


@pytest.fixture
def reviewer_client(reviewer: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(reviewer)


@pytest.fixture
def lead_client(lead: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(lead)
