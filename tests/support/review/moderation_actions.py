"""Helpers for the tests of moderation of people."""

from tests.review.conftest import recorded_actions


def kinds() -> list[str]:
    return list(recorded_actions().order_by("id").values_list("kind", flat=True))
