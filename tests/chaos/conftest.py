"""Register the markers of this folder."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "chaos: real servers, real kills (tests/chaos)")
