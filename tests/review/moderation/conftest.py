"""Fixtures for moderation: a lead reviewer."""

import pytest

from chat.accounts.models import User
from chat.review.access_log.staff_context import StaffContext
from tests.review.conftest import look_of


@pytest.fixture
def staff_context(lead: User) -> StaffContext:
    return look_of(lead, "Report 7 of May")
