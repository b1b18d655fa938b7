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
) -> Iterator[Callable[..., WebKitPage]]:
    """Open a page of the site, as alice unless a state is given, and fail if its scripts do."""
    page = WebKitPage(webkit)

    def open_in_webkit(path: str, state: StorageState | None = None) -> WebKitPage:
        page.open_as(state or signed_in, site.url, path)
        return page

    yield open_in_webkit
    assert page.errors() == []
    webkit.delete_all_cookies()


@pytest.fixture
def narrow_webkit(
    tmp_path_factory: pytest.TempPathFactory, site: LiveSite, signed_in: StorageState
) -> Iterator[WebKitPage]:
    """Open alice's chat in a window of its own, as narrow as WebKit's toolbar allows."""
    with started_webkit(tmp_path_factory.mktemp("narrow")) as driver:
        driver.set_window_size(390, 800)
        page = WebKitPage(driver)
        page.open_as(signed_in, site.url, "/chat/")
        yield page
        assert page.errors() == []


@pytest.fixture
def website_in_webkit(webkit: Remote, site: LiveSite, host: HostSite, site_key: str) -> WebKitPage:
    """Return a page of the website, with the widget, as vera sees it."""
    host.carry(site.url, site_key)
    page = WebKitPage(webkit)
    page.open(host.origin)
    page.run("sessionStorage.clear()")  # the window is that of the last test
    page.reload()
    return page
