from collections.abc import Iterator

import pytest

from tests.browser.host_site import HostSite, host_site
from tests.browser.server import LiveSite
from tests.browser.widget_page import make_site


@pytest.fixture(scope="module")
def shop() -> Iterator[HostSite]:
    """Run a website."""
    with host_site() as host:
        yield host


@pytest.fixture(scope="module")
def key(site: LiveSite, shop: HostSite) -> str:
    """Let the website show the chat; return its key."""
    return make_site(site, shop)
