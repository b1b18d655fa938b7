"""A reviewer's browser, and a case."""

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.review.case_models import Case
from tests.conftest import signed_in_client
from tests.support.review.cases import make_case


@pytest.fixture
def reviewer_client(reviewer: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(reviewer)


@pytest.fixture
def case(alice: User) -> Case:
    return make_case(alice)
