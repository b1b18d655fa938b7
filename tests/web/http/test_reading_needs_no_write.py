"""Everything can be read while the database takes no writes, except what must be recorded."""

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.hashers import make_password
from django.test import AsyncClient
from django.urls import reverse
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.process import server_process
from chat.personas.models import Persona, Prompt
from chat.sharing.links import Choices, make
from chat.web.api import api_callers
from chat.widget_sites.identity_keys import make_secret
from chat.widget_sites.models import WidgetSite
from tests.support.database.database_faults import HOW, NO_WRITES, during
from tests.support.generations.follow import follow
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.access_matrix import ALL, MATRIX

pytestmark = pytest.mark.parametrize("how", HOW)
#: It says whether the database takes writes.
READINESS = {"/readyz": (200, 503)}
TABLE = {"default": {"BACKEND": "chat.database.table_cache.TableCache", "LOCATION": "chat_cache"}}


@pytest.fixture(autouse=True)
def _counts_are_in_the_database(settings: Settings) -> None:
    settings.CACHES = TABLE


async def read(client: AsyncClient, path: str) -> int:
    response = await client.get(path, headers={"Accept": "text/html"})
    if getattr(response, "streaming", False):
        await read_stream(response)
    return int(response.status_code)


async def changed(client: AsyncClient, paths: list[str], how: str) -> dict[str, tuple[int, int]]:
    """Return the status of each path that has another one while nothing can be written."""
    before = {path: await read(client, path) for path in paths}
    await Conversation.objects.all().aupdate(is_unread=True)
    api_callers.wrong_keys.clear()  # the API has more addresses than a minute's attempts
    async with during(NO_WRITES[how]()):
        found = {path: await read(client, path) for path in paths}
    return {path: (before[path], now) for path, now in found.items() if now != before[path]}


async def everything_of(owner: User, client: AsyncClient) -> dict[str, str]:
    """Create one of each thing that pages show; return what names them in routes."""
    response = await send(client, key="alices-send", text="Hello")
    await read_stream(response)
    things = ("Generation", "Conversation", "Message")
    found = {thing.lower(): response[f"X-{thing}-Id"] for thing in things}
    for kind in (Persona, Prompt):
        one = await kind.objects.acreate(owner=owner, name="Hers")
        found[str(kind._meta.model_name)] = str(one.pk)
    chat = await Conversation.objects.aget()
    link = await sync_to_async(make)(chat, Choices())
    site = await WidgetSite.objects.acreate(owner=owner, name="Hers")
    key, _secret = await sync_to_async(make_secret)(site)
    found |= {"link": str(link.pk), "token": link.token, "site": site.key, "user": str(owner.pk)}
    return found | {"identity": str(key.pk)}


def filled(route: str, names: dict[str, str]) -> str:
    own = {"key": names["site"]} if route.startswith("sites/") else {}
    usual = {"key": "alices-send", "kind": "json", "pk": "1", "uidb36": "1", "name": "people"}
    for name, value in {**usual, **names, **own}.items():
        route = route.replace(f"{{{name}}}", value)
    return "/" + route


async def test_all_pages_of_a_member(how: str, alice: User, alice_client: AsyncClient) -> None:
    names = await everything_of(alice, alice_client)
    # What staff and the teams of websites read is only shown if it can be recorded.
    logged = ("review/", "sites/{key}/inbox/", "sites/{key}/gaps/")
    routes = [route for route in MATRIX if not route.startswith(logged)]
    paths = [filled(route, names) for route in routes if MATRIX[route][0][1] in {200, 302}]
    assert len(paths) > 50
    assert await changed(alice_client, paths, how) == READINESS


async def test_all_pages_of_somebody_who_is_not_signed_in(
    how: str, alice: User, alice_client: AsyncClient, anonymous_client: AsyncClient
) -> None:
    names = await everything_of(alice, alice_client)
    paths = [filled(route, names) for route in MATRIX]
    assert await changed(anonymous_client, paths, how) == READINESS


async def test_pages_of_the_admin(how: str, rita: User, rita_client: AsyncClient) -> None:
    rita.is_superuser = True
    await rita.asave()
    lists = [f"/{route}" for route in ALL if route.startswith("admin/") and "{" not in route]
    lists.remove("/admin/logout/")
    one = reverse("admin:chat_user_change", args=[rita.pk])
    assert await changed(rita_client, [*lists, one], how) == {}


async def test_an_ended_answer_streams_from_a_process_that_has_just_started(
    how: str, alice_client: AsyncClient
) -> None:
    sent = await send(alice_client, text="Hello")
    before = await read_stream(sent)
    await server_process.end()
    async with during(NO_WRITES[how]()):
        again = await read_stream(await follow(alice_client, sent["X-Generation-Id"]))
    assert (again.text, again.done) == (before.text, True)


async def test_a_session_that_ended_leads_to_the_sign_in_page(
    how: str, alice: User, alice_client: AsyncClient
) -> None:
    await User.objects.filter(pk=alice.pk).aupdate(password=make_password("another one"))
    async with during(NO_WRITES[how]()):
        response = await alice_client.get("/chat/", headers={"Accept": "text/html"})
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")


async def test_the_unread_mark_stays_until_it_can_be_removed(
    how: str, alice_client: AsyncClient
) -> None:
    sent = await send(alice_client, text="Hello")
    await read_stream(sent)
    path = f"/chat/{sent['X-Conversation-Id']}/"

    async def is_unread() -> bool:
        return (await Conversation.objects.aget()).is_unread

    async with during(NO_WRITES[how]()):
        assert await read(alice_client, path) == 200
    assert await is_unread()
    assert await read(alice_client, path) == 200
    assert not await is_unread()
