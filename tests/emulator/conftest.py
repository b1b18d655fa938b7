import pytest

from chat.emulator import Emulator


@pytest.fixture
def emulator() -> Emulator:
    """Return an emulator that answers without delay."""
    return Emulator(tokens_per_second=0)
