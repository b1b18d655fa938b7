"""Run a real browser on the real site.

Every page that a test opens is watched: a violation of the content security policy, a script error
or a request to another host fails the test.

Playwright's synchronous interface keeps an event loop running in this thread, which would break
async tests and Django's database: it starts with the first test here and ends with the last.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect, sync_playwright

from tests.browser.chat_page import ChatPage
from tests.browser.chromium import launch_chromium
from tests.browser.firefox import launch_firefox
from tests.browser.host_site import HostSite, host_site
from tests.browser.server import LiveSite, live_site
from tests.browser.watch import Watch
from tests.browser.widget_page import WidgetPage, make_site

PASSWORD = "correct horse battery"
DESKTOP = {"width": 1280, "height": 800}
IN_FIREFOX = os.environ.get("BROWSER") == "firefox"
FILES: dict[str, int] = {}
PATIENCE_MS = 120_000  # a busy machine never takes that long
MAKE_STAFF = """
from chat.accounts.models import User
user = User.objects.get(email={email!r})
user.is_staff = True
user.save()
"""
expect.set_options(timeout=PATIENCE_MS)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Spread the files over two test processes, so that each starts one site and one browser.

    All browser tests take many minutes: `make test` runs only those marked `quick`.
    """
    item.add_marker(pytest.mark.browser)
    if not item.get_closest_marker("quick"):
        item.add_marker(pytest.mark.long)
    place = FILES.setdefault(item.path.stem, len(FILES))
    item.add_marker(pytest.mark.xdist_group(f"browser {place % 2}"))


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with live_site(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="package")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        if IN_FIREFOX:
            browser = launch_firefox(playwright, tmp_path_factory.mktemp("firefox"))
        else:
            browser = launch_chromium(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def signed_in(site: LiveSite) -> StorageState:
    """Return the browser state of alice, signed in; shared, so no test may sign her out."""
    return sign_in(site, "alice@example.org")


@pytest.fixture(scope="package")
def administrator(site: LiveSite) -> StorageState:
    """Return the browser state of an administrator, signed in, who sees notices for the staff."""
    state = sign_in(site, "ada@example.org")
    site.run(MAKE_STAFF.format(email="ada@example.org"))
    return state


def sign_in(site: LiveSite, email: str) -> StorageState:
    """Return the browser state of a new member, signed in."""
    return {
        "cookies": [
            {
                "name": "sessionid",
                "value": site.make_member(email, PASSWORD),
                "domain": "127.0.0.1",
                "path": "/",
                "expires": -1,
                "httpOnly": True,
                "secure": False,
                "sameSite": "Lax",
            }
        ],
        "origins": [],
    }


@pytest.fixture
def open_page(site: LiveSite, browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a URL in a watched browser of its own; options are Playwright's for a context."""
    watches = []

    def open_page(path: str, *, watched: bool = True, **options: Any) -> Page:
        context = browser.new_context(**{"base_url": site.url, "viewport": DESKTOP} | options)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        watches.append(Watch(page, site.url if watched else None))
        page.goto(path)
        return page

    yield open_page
    for watch in watches:
        watch.close()
    for watch in watches:
        assert watch.complaints == []


@pytest.fixture
def open_chat(
    open_page: Callable[..., Page], signed_in: StorageState, request: pytest.FixtureRequest
) -> Callable[..., ChatPage]:
    """Open alice's chat: a temporary one, unless the test's module sets another `START`."""
    start = getattr(request.module, "START", "/chat/temporary/")

    def open_chat(**options: Any) -> ChatPage:
        return ChatPage(open_page(start, **{"storage_state": signed_in} | options))

    return open_chat


@pytest.fixture
def chat(open_chat: Callable[..., ChatPage]) -> ChatPage:
    return open_chat()


@pytest.fixture(scope="package")
def host() -> Iterator[HostSite]:
    with host_site() as host:
        yield host


@pytest.fixture(scope="package")
def site_key(site: LiveSite, host: HostSite) -> str:
    return make_site(site, host)


@pytest.fixture
def visit(
    site: LiveSite, host: HostSite, site_key: str, browser: Browser
) -> Iterator[Callable[..., WidgetPage]]:
    """Open a page of the website as vera, in a watched browser of her own."""
    watches = []
    host.carry(site.url, site_key)

    def visit(*, watched: bool = True, **options: Any) -> WidgetPage:
        context = browser.new_context(**{"viewport": DESKTOP} | options)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        watches.append(Watch(page, site.url if watched else None, host.origin))
        page.goto(host.origin)
        return WidgetPage(page)

    yield visit
    for watch in watches:
        watch.close()
    for watch in watches:
        assert watch.complaints == []
