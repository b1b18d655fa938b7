"""What tests of people and their accounts share."""

from chat.review.access_log.staff_actions import Deed
from tests.review.conftest import deeds

Kind = Deed.Kind


def kinds() -> list[str]:
    return list(deeds().order_by("id").values_list("kind", flat=True))
