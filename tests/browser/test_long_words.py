"""A word that is longer than a phone is wide makes no page wider, wherever somebody can write it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page

from tests.browser.conftest import sign_in
from tests.browser.server import LiveSite, live_site
from tests.support.browser.every_page import PERSON, give_reason, page_paths, write_pages

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
#: By how many pixels the page can be scrolled sideways, once everything in it is unfolded.
OVERFLOW = """() => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth - clientWidth;
}"""


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(Path(tmp_path_factory.mktemp("site"))) as site:
        yield site


@pytest.mark.timeout(600)
def test_no_page_can_be_scrolled_sideways(own_site: LiveSite, browser: Browser) -> None:
    state = sign_in(own_site, PERSON)
    written = write_pages(own_site)[-1]  # about the long word
    page = browser.new_context(storage_state=state, base_url=own_site.url, **PHONE).new_page()
    page.goto(f"/review/{written['conversation_id']}/")
    give_reason(page)
    paths = [each for each in page_paths(own_site, written) if is_page(page, each)]
    assert len(paths) > 80
    assert {path: width for path in paths if (width := overflow(page, path)) > 0} == {}
    page.context.close()


def is_page(page: Page, path: str) -> bool:
    answer = page.request.get(f"/{path}")
    return answer.ok and "text/html" in answer.headers.get("content-type", "")


def overflow(page: Page, path: str) -> int:
    try:
        page.goto(f"/{path}")
    except Error:  # a download
        return 0
    width: int = page.evaluate(OVERFLOW)
    return width
