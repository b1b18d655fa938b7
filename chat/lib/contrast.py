"""Compute the contrast of colours, written as `#rrggbb`, by WCAG 2.2."""

BLACK, WHITE = "#000000", "#ffffff"


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(color: str, other: str, share: float) -> str:
    """Return `color` with a `share` of another one, from 0 to 1."""
    parts = zip(_parts(color), _parts(other), strict=True)
    return "#" + "".join(f"{round(ours + (theirs - ours) * share):02x}" for ours, theirs in parts)


def _luminance(color: str) -> float:
    red, green, blue = (_linear(part / 255) for part in _parts(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _parts(color: str) -> tuple[int, int, int]:
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
