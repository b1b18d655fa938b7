from collections.abc import Callable

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, WidgetSite
from tests.conftest import signed_in_client
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.visitor_client import Visiting, make_site, visit


@pytest.fixture
def shop(alice: User, stop_server_process: None) -> WidgetSite:
    """Return Alice's website."""
    return make_site(alice, offers_person=True)


@pytest.fixture
async def vera(shop: WidgetSite) -> Visiting:
    """Return a visitor of the website."""
    return await visit(shop)


@pytest.fixture
def agent_client(shop: WidgetSite, transactional_db: None) -> AsyncClient:
    """Return a client of agnes, who is an agent of the shop."""
    agnes = User.objects.create_user("agnes@example.org", "open sesame", name="Agnes")
    team.add_member(shop, agnes, SiteMember.Role.AGENT)
    return signed_in_client(agnes)


@pytest.fixture
async def chat(vera: Visiting) -> str:
    """Create a chat in which a model has answered vera."""
    sent = await vera.send("What does a canoe cost?")
    await read_stream(sent)
    return str(sent["X-Conversation-Id"])


@pytest.fixture
def inbox(shop: WidgetSite) -> Callable[..., str]:
    """Return addresses of the shop's inbox."""
    return lambda *parts: "/".join([f"/sites/{shop.key}/inbox", *parts, ""])
