import pytest
from django.test import AsyncClient

from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.takeovers import staff
from tests.support.widget.visitor_client import Visiting, visit


@pytest.fixture
async def victor(shop: WidgetSite) -> Visiting:
    """Return another visitor."""
    return await visit(shop)


@pytest.fixture
async def rita_client(transactional_db: None, stop_server_process: None) -> AsyncClient:
    return await staff("rita")


@pytest.fixture
async def chat(vera: Visiting) -> str:
    """Create a chat in which a model has answered vera."""
    sent = await vera.send("What does a day cost?")
    await read_stream(sent)
    return str(sent["X-Conversation-Id"])
