"""Let the emulator's Clef judge messages."""

from typing import Any

import pytest

from tests.support.review.judging import CLEF


@pytest.fixture(autouse=True)
def _with_judge(settings: Any) -> None:
    settings.JUDGE_MODEL = CLEF
