"""Context windows are shown in thousands of tokens."""

import pytest

from chat.templatetags.figures import compact


@pytest.mark.parametrize(
    ("count", "shown"), [(24_000, "24K"), (131_072, "131K"), (1_048_576, "1,049K"), (512, "512")]
)
def test_a_token_count_is_shown_in_thousands(count: int, shown: str) -> None:
    assert compact(count) == shown
