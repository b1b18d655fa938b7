"""Whatever colour an administrator chooses, what has it can be read in both themes."""

import re

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from chat.lib.contrast import contrast
from chat.site_settings import accent

TOKENS = (settings.BASE_DIR / "static/css/base/tokens.css").read_text()
COLORS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@given(COLORS)
def test_text_in_the_colour_and_on_it_has_enough_contrast(color: str) -> None:
    for tuned, surfaces in (
        (accent.light(color), accent.LIGHT_SURFACES),
        (accent.dark(color), accent.DARK_SURFACES),
    ):
        for surface in surfaces:
            assert contrast(tuned.base, surface) >= accent.READABLE
            assert contrast(tuned.strong, surface) >= accent.STRONG
        assert contrast(tuned.ink, tuned.base) >= accent.READABLE
        assert contrast(tuned.ink, tuned.strong) >= accent.READABLE


def test_a_readable_colour_stays_as_it_is() -> None:
    assert accent.light("#0b5560").base == "#0b5560"
    assert accent.dark("#84c5cd").base == "#84c5cd"
    assert accent.is_corrected("#ffd400")


def test_the_surfaces_are_those_of_the_style_sheets() -> None:
    for place, name in enumerate(("canvas", "surface", "raised")):
        found = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", TOKENS)
        assert found
        assert found.groups() == (accent.LIGHT_SURFACES[place], accent.DARK_SURFACES[place])


@pytest.mark.parametrize("name", ["accent", "accent-strong", "accent-ink", "focus"])
def test_the_style_sheet_replaces_the_tokens_of_the_accent(name: str) -> None:
    assert f"--{name}:light-dark(#" in accent.style_sheet("#ffd400")
    assert f"--{name}: light-dark(" in TOKENS
