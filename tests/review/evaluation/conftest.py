"""Adam, who evaluates models, and alice, who has agreed that her chats are used."""

import pytest

from chat.accounts.models import User
from chat.evaluation import consent, datasets
from chat.evaluation.models import EvaluationDataset
from chat.review.access_log.staff_context import StaffContext
from tests.review.conftest import staff_context_of


@pytest.fixture
def adam(administrator: User) -> StaffContext:
    return staff_context_of(administrator)


@pytest.fixture
def dataset(adam: StaffContext) -> EvaluationDataset:
    return datasets.create(adam, "Geography")


@pytest.fixture
def willing(alice: User) -> User:
    consent.set_consent(alice, is_given=True)
    return User.objects.get(pk=alice.pk)
