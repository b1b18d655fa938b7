"""Helpers for the tests of takeovers."""

import uuid
from typing import Any

from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from tests.review.conftest import give
from tests.support.web.access_paths import state_reason
from tests.support.web.signed_in import signed_in_client
from tests.support.widget.visitor_client import Visiting


async def staff(name: str) -> AsyncClient:
    client = await sync_to_async(_staff)(name)
    await state_reason(client)
    return client


def _staff(name: str) -> AsyncClient:
    user = User.objects.create_user(f"{name}@example.org", "x", name=name.title())
    return signed_in_client(give(user, "review", None))


ASKED = {"reason": "She asks for a person"}


async def take(client: AsyncClient, chat: str) -> None:
    assert (await client.post(f"/review/{chat}/takeover/", ASKED)).status_code == 302


async def say(client: AsyncClient, chat: str, text: str, key: str = "") -> Any:
    body = {"text": text, "key": key or uuid.uuid4().hex}
    return await client.post(f"/review/{chat}/turns/", body, headers={"Accept": "application/json"})


async def person(vera: Visiting, chat: str) -> Any:
    return (await vera.get(f"conversations/{chat}/person")).json()


async def shown(vera: Visiting, chat: str) -> list[Any]:
    found: list[Any] = (await vera.get(f"conversations/{chat}")).json()["turns"]
    return found
