import pytest

from chat.accounts.models import User
from chat.web.api import api_callers
from tests.support.api.api_client import ApiClient, new_api_client


@pytest.fixture(autouse=True)
def _no_wrong_keys_from_other_tests() -> None:
    api_callers.wrong_keys.clear()


@pytest.fixture
async def program(alice: User, stop_server_process: None) -> ApiClient:
    """Return a program with a key of Alice's."""
    return await new_api_client(alice)
