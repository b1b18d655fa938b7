from collections.abc import Iterator

import pytest

from tests.support.api.api_site import ApiSite, api_site


@pytest.fixture(scope="package")
def site() -> Iterator[ApiSite]:
    """Return a running site with the emulator as its provider."""
    with api_site() as site:
        yield site
