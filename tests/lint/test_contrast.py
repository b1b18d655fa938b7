"""The colours in tokens.css have enough contrast in both themes and on every surface."""

import re

import pytest
from django.conf import settings

TOKENS = (settings.BASE_DIR / "static/css/base/tokens.css").read_text()
BASE = (settings.BASE_DIR / "templates/base.html").read_text()
COLOUR = re.compile(r"--([a-z-]+):\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
THEMES = {
    "light": {name: light for name, light, _ in COLOUR.findall(TOKENS)},
    "dark": {name: dark for name, _, dark in COLOUR.findall(TOKENS)},
}
SURFACES = ("canvas", "surface", "raised")

#: Foreground, background, and the required contrast.
DEMANDS = [
    *((name, surface, 7.0) for name in ("ink", "accent-strong") for surface in SURFACES),
    *(
        (name, surface, 4.5)
        for name in ("ink-quiet", "accent", "danger", "warn", "ok")
        for surface in SURFACES
    ),
    *((name, surface, 3.0) for name in ("focus", "line-strong") for surface in SURFACES),
    *((f"code-{name}", "surface", 4.5) for name in ("quiet", "keyword", "string", "value", "name")),
    ("accent-ink", "accent", 7.0),
    ("accent-ink", "accent-strong", 7.0),
]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("ink", "paper", "demanded"), DEMANDS)
def test_text_has_enough_contrast(theme: str, ink: str, paper: str, demanded: float) -> None:
    colours = THEMES[theme]
    assert contrast(colours[ink], colours[paper]) >= demanded


def test_the_browsers_toolbar_has_the_colour_of_the_canvas() -> None:
    themes = re.findall(r'theme-color" content="(#\w+)" media="\(prefers-color-scheme: (\w+)', BASE)
    assert {theme: colour for colour, theme in themes} == {
        theme: colours["canvas"] for theme, colours in THEMES.items()
    }


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
