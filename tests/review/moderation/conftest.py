"""Fixtures for moderation: a lead reviewer."""

import pytest

from chat.accounts.models import User
from chat.review.access_log.staff_context import StaffContext
from tests.review.conftest import staff_context_of


@pytest.fixture
def staff_context(lead: User) -> StaffContext:
    return staff_context_of(lead, "Report 7 of May")
