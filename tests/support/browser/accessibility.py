"""Helpers for accessibility tests."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Frame, Page

from tests.support.variants import later

AXE = Path(__file__).resolve().parents[3] / "node_modules/axe-core/axe.min.js"


#: What fades in has too little contrast until it's there.
RUN = """async () => {
  const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}"""


#: The site's policy would refuse axe's script; the policy has tests of its own.
BARE: dict[str, Any] = {"bypass_csp": True, "watched": False}


def axe(page: Page | Frame) -> list[str]:
    page.evaluate(_source())  # a script element would need the policy's consent in Firefox
    violations: list[str] = page.evaluate(RUN)
    return violations


@cache
def _source() -> str:
    return f"{AXE.read_text()}; null"


LIGHT, DARK = {"color_scheme": "light"}, {"color_scheme": "dark"}


FORCED = {"color_scheme": "dark", "forced_colors": "active"}


COLOURS = [LIGHT, *later(DARK), FORCED]


def tab_to(page: Page, target: Any, key: str = "Tab") -> None:
    """Press Tab until `target` has the focus; 60 stops suffice for any page here."""
    for _ in range(60):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {target}")
