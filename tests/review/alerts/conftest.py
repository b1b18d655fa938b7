"""What administrators are told."""

from collections.abc import Callable

import pytest

from chat.accounts.models import User
from chat.review.staff_notices.wording import wordings_of

Told = Callable[[User], list[str]]


@pytest.fixture
def told() -> Told:
    """Return the texts of a person's notices, oldest first."""

    def texts(person: User) -> list[str]:
        return [each.text for each in wordings_of(person.staff_notices.order_by("id"))]

    return texts
