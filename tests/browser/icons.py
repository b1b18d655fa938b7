"""Draw the icons of the installed app from the brand's shape: `make icons`."""

import re

from playwright.sync_api import sync_playwright

from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.server import ROOT

FOLDER = ROOT / "static" / "icons"
PAPER, INK = "#fbfaf7", "#0b5560"
#: file → size in pixels, how much of it the shape takes, how round its corners are. Of a maskable
#: icon, only the middle 80 % are sure to be seen.
ICONS = {
    "app-192.png": (192, 0.68, 0.2),
    "app-512.png": (512, 0.68, 0.2),
    "app-maskable-512.png": (512, 0.5, 0.0),
}


def main() -> None:
    found = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found.path, args=list(FLAGS), env={**found.environment}
        )
        for name, (size, part, rounding) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(drawing(size, part, rounding))
            page.screenshot(path=FOLDER / name, omit_background=True)
        browser.close()


def drawing(size: int, part: float, rounding: float) -> str:
    shape = re.search(r' d="([^"]+)"', (FOLDER / "runnel.svg").read_text())
    assert shape
    scale, middle = size * part / 20, size / 2  # the shape is 20 units high, around 13.25, 12
    return f"""<style>body {{ margin: 0 }} svg {{ display: block }}</style>
      <svg width="{size}" height="{size}">
        <rect width="{size}" height="{size}" rx="{size * rounding}" fill="{PAPER}"/>
        <path transform="translate({middle} {middle}) scale({scale}) translate(-13.25 -12)"
              fill="{INK}" d="{shape[1]}"/>
      </svg>"""


if __name__ == "__main__":
    main()
