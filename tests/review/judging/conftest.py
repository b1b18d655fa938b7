"""Let the emulator's Clef judge messages."""

from typing import Any

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from tests.conftest import signed_in_client
from tests.support.review.judging import CLEF


@pytest.fixture(autouse=True)
def _with_judge(settings: Any) -> None:
    settings.JUDGE_MODEL = CLEF


@pytest.fixture
def reviewer_client(reviewer: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(reviewer)


@pytest.fixture
def lead_client(lead: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(lead)


@pytest.fixture
def administrator_client(administrator: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(administrator)
