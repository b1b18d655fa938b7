"""Keep pictures of what a test shows, in the folder that `RUNNEL_PICTURES` names."""

import os
from typing import Any

from playwright.sync_api import Page


def picture(page: Page, name: str, **options: Any) -> None:
    if folder := os.environ.get("RUNNEL_PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", **options)
