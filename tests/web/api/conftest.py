import pytest

from chat.accounts.models import User
from tests.support.api.api_client import ApiClient, new_api_client


@pytest.fixture
async def program(alice: User, stop_server_process: None) -> ApiClient:
    """Return a program with a key of Alice's."""
    return await new_api_client(alice)
