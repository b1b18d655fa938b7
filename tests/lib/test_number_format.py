"""Figures are rounded, not cut off, so that every page shows the same number for the same value."""

import pytest
from django.utils.translation import override

from chat.lib.number_format import format_value


@pytest.mark.parametrize(
    ("value", "kind", "shown"),
    [
        (0.00035, "dollars", "$0.0004"),
        (0.00039, "dollars", "$0.0004"),
        (0.00034, "dollars", "$0.0003"),
        (0.99996, "dollars", "$1.0000"),
        (1234.567, "dollars", "$1,234.57"),
        (0.9996, "share", "100.0%"),
        (0.6666, "share", "66.7%"),
        (1.239, "seconds", "1.24 s"),
        (41.96, "speed", "42.0"),
        (2.75, "count", "2.8"),
        (1999.5, "count", "2,000"),
        (0, "dollars", "$0.0000"),
    ],
)
def test_a_figure_is_rounded(value: float, kind: str, shown: str) -> None:
    with override("en"):
        assert format_value(value, kind) == shown


def test_a_figure_is_written_as_the_language_does() -> None:
    with override("de"):
        assert format_value(1234.567, "dollars") == "$1.234,57"
