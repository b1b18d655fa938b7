import logging
from collections.abc import Callable

import pytest
from django.test import AsyncClient
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Takeover
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.web.signed_in import signed_in_client
from tests.support.widget.mail_replies import INBOUND, SECRET
from tests.support.widget.visitor_client import Visiting, make_site
from tests.support.widget.visitor_emails import answer, leave, mail_answers


@pytest.fixture
def shop(alice: User, stop_server_process: None) -> WidgetSite:
    """Return Alice's website."""
    return make_site(alice, offers_person=True)


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


@pytest.fixture
def inbound(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    """Let the site receive mail."""
    settings.INBOUND_MAIL_ADDRESS, settings.INBOUND_MAIL_SECRET = INBOUND, SECRET
    caplog.set_level(logging.INFO, "chat.inbox.mail_replies")


@pytest.fixture
async def answered(
    agent_client: AsyncClient,
    vera: Visiting,
    inbox: Callable[..., str],
    chat: str,
    inbound: None,
) -> str:
    """Return a chat with an answer of Agnes that was mailed to vera; both have gone."""
    await WidgetSite.objects.aupdate(asks_email=True)
    await leave(vera, chat)
    await answer(agent_client, inbox, chat, "It is 20 dollars.")
    await mail_answers()
    await Takeover.objects.aupdate(ended_at=timezone.now(), ended_by=Takeover.End.LEFT)
    return chat
