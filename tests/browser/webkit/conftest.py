from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import StorageState
from selenium.webdriver import Remote

from tests.browser.host_site import HostSite
from tests.browser.server import LiveSite
from tests.browser.webkit.webkit import started_webkit
from tests.browser.webkit.webkit_page import WebKitPage


@pytest.fixture(scope="package")
def webkit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    with started_webkit(tmp_path_factory.mktemp("webkit")) as driver:
        yield driver


@pytest.fixture
def open_in_webkit(
    webkit: Remote, site: LiveSite, signed_in: StorageState
) -> Iterator[Callable[[str], WebKitPage]]:
    """Open a page of the site as alice, and fail if its scripts do."""
    page = WebKitPage(webkit)

    def open_in_webkit(path: str) -> WebKitPage:
        webkit.get(f"{site.url}/healthz")  # cookies are set on a page of their site
        for each in signed_in["cookies"]:
            webkit.add_cookie({"name": each["name"], "value": each["value"], "path": "/"})
        page.open(site.url + path)
        return page

    yield open_in_webkit
    assert page.errors() == []
    webkit.delete_all_cookies()


@pytest.fixture
def website_in_webkit(webkit: Remote, site: LiveSite, host: HostSite, site_key: str) -> WebKitPage:
    """Return a page of the website, with the widget, as vera sees it."""
    host.carry(site.url, site_key)
    page = WebKitPage(webkit)
    page.open(host.origin)
    return page
