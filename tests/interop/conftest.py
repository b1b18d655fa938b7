from collections.abc import Iterator

import pytest

from tests.support.api.api_site import ApiSite, api_site
from tests.support.api.task_model import TaskSite, task_site


@pytest.fixture(scope="package")
def site() -> Iterator[ApiSite]:
    """Return a running site with the emulator as its provider."""
    with api_site() as site:
        yield site


@pytest.fixture(scope="package")
def tasks() -> Iterator[TaskSite]:
    """Return a running site whose model works on a task."""
    with task_site() as site:
        yield site
