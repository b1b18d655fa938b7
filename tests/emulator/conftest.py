import pytest

from chat.emulator import Emulator


@pytest.fixture
def emulator() -> Emulator:
    """One that does not keep anybody waiting."""
    return Emulator(tokens_per_second=0)
