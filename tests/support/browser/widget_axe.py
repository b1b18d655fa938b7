"""Helpers for the browser tests of the widget."""

from typing import Any

from tests.support.browser.accessibility import AXE, RUN


def _axe(page: Any) -> list[str]:
    page.evaluate(AXE.read_text())
    violations: list[str] = page.evaluate(RUN)
    return violations
