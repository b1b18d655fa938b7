"""Helpers for the tests of people and their accounts."""

from chat.review.access_log.staff_actions import StaffAction
from tests.review.conftest import recorded_actions

Kind = StaffAction.Kind


def kinds() -> list[str]:
    return list(recorded_actions().order_by("id").values_list("kind", flat=True))
