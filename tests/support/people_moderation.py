"""What tests of acts on people share."""

from tests.review.conftest import deeds


def kinds() -> list[str]:
    return list(deeds().order_by("id").values_list("kind", flat=True))
