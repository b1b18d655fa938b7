"""Tune the accent colour for light and dark pages, and write it as a style sheet.

static/css/base/tokens.css has the same surfaces and the usual accent. A colour that would be hard
to read on them is darkened or lightened, as little as needed.
"""

from dataclasses import dataclass
from functools import lru_cache

from chat.lib.contrast import BLACK, WHITE, contrast, mixed

LIGHT_SURFACES = ("#fbfaf7", "#f1efe9", WHITE)
DARK_SURFACES = ("#161817", "#212423", "#1c1f1e")
DARK_INK = "#0c100f"
#: By WCAG 2.2: of text, and of small text that is emphasised.
READABLE, STRONG = 4.5, 7.0
STEPS = 100
#: Of black or white in what is pointed at, so that it differs.
EMPHASIS = 0.25


@dataclass(frozen=True, slots=True)
class Accent:
    """The colours of one theme: `ink` is for text on the accent."""

    base: str
    strong: str
    ink: str


def light(color: str) -> Accent:
    base = _readable(color, BLACK, LIGHT_SURFACES, READABLE)
    return Accent(base, _strong(base, BLACK, LIGHT_SURFACES), WHITE)


def dark(color: str) -> Accent:
    base = _readable(color, WHITE, (*DARK_SURFACES, DARK_INK), READABLE)
    return Accent(base, _strong(base, WHITE, DARK_SURFACES), DARK_INK)


def is_corrected(color: str) -> bool:
    """Return whether a theme can't use the colour as it is."""
    return light(color).base != color or dark(color).base != color


@lru_cache(maxsize=64)
def style_sheet(color: str) -> str:
    """Return the rules that replace the tokens. They are in no layer, so they win."""
    bright, dim = light(color), dark(color)
    tokens = {
        "accent": (bright.base, dim.base),
        "accent-strong": (bright.strong, dim.strong),
        "accent-ink": (bright.ink, dim.ink),
        "focus": (bright.base, dim.base),
    }
    rules = ";".join(f"--{name}:light-dark({one},{other})" for name, (one, other) in tokens.items())
    return f":root{{{rules}}}\n"


def _strong(base: str, towards: str, papers: tuple[str, ...]) -> str:
    return _readable(mixed(base, towards, EMPHASIS), towards, papers, STRONG)


def _readable(color: str, towards: str, papers: tuple[str, ...], least: float) -> str:
    """Return the colour, mixed with black or white until it is readable on all papers."""
    for step in range(STEPS + 1):
        candidate = mixed(color, towards, step / STEPS)
        if all(contrast(candidate, paper) >= least for paper in papers):
            return candidate
    return towards
