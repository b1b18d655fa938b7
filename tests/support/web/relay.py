"""Helpers for the tests of the relay."""

import json
from typing import Any

from django.test import AsyncClient

from chat.widget_sites.models import WidgetSite
from tests.support.generations.stream_reader import read_stream
from tests.support.widget.visitor_client import HOST

HELLO = {"messages": [{"role": "user", "content": "Hello"}]}


async def ask(site: WidgetSite | str, body: Any = HELLO, origin: str = HOST, **headers: str) -> Any:
    key = site if isinstance(site, str) else site.key
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Origin": origin, **headers} if origin else headers
    return await AsyncClient().generic(
        "POST", f"/w/{key}/chat", raw, "application/json" if raw else "", headers=given
    )


async def drained(response: Any) -> Any:
    if response.status_code == 200:
        await read_stream(response)
    return response
