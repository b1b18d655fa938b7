"""A case."""

import pytest

from chat.accounts.models import User
from chat.review.case_models import Case
from tests.support.review.cases import make_case


@pytest.fixture
def case(alice: User) -> Case:
    return make_case(alice)
