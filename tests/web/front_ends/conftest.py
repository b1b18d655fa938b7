from typing import Any

import pytest
from django.test import AsyncClient

from chat.widget_sites.models import WidgetSite
from tests.support.generations.send import send
from tests.support.upstream.upstream_override import ask
from tests.support.web.front_end import FrontEnd
from tests.support.web.parameters import Post
from tests.support.widget.visitor_client import visit


@pytest.fixture
def post(shop: WidgetSite, alice_client: AsyncClient) -> Post:
    """Send a message with these parameters to an endpoint."""

    async def post(endpoint: str, text: str = "Hello", **more: Any) -> Any:
        if endpoint == "member":
            return await ask(alice_client, {"prompt": text, **more})
        if endpoint == "messages":
            return await send(alice_client, text=text, **more)
        if endpoint == "visitor's messages":
            return await (await visit(shop)).send(text, **more)
        return await FrontEnd(shop).post(endpoint, {"prompt": text, **more})

    return post
