"""A rating form, a chat, and a second reviewer."""

import pytest
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.rating_models import RatingForm
from tests.review.conftest import give, say
from tests.support.review.ratings import make_form


@pytest.fixture
def form(lead: User) -> RatingForm:
    return make_form(lead)


@pytest.fixture
def chat(alice: User) -> Conversation:
    return say(alice, "Is the moon a planet?", "It is a moon.")


@pytest.fixture
def second(pupils: Group, transactional_db: None) -> User:
    ruth = User.objects.create_user("ruth@example.org", "tide table", name="Ruth")
    return give(ruth, "review", pupils)
