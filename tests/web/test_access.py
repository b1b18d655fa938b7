"""The access matrix of all web routes, generated from the URLconf."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.api_keys import keys
from chat.api_keys.keys import KeyOptions
from chat.conversations.models import Conversation
from chat.personas.models import Persona, Prompt
from chat.review.moderation.warnings import ModerationWarning
from chat.sharing.models import SharedLink
from chat.sharing.shared_links import Choices, make
from chat.widget_sites.identity_keys import make_secret
from chat.widget_sites.models import WidgetSite
from tests.support.api.api_client import BrowserWithKey, new_api_client
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.access_matrix import ALL, MATRIX, WITH_KEY

#: The admin redirects everybody but staff, and shows staff without permissions no objects.
ADMIN_OPEN_TO_STAFF = {
    "admin/", "admin/jsi18n/", "admin/password_change/", "admin/password_change/done/",
    "admin/logout/", "admin/login/", "admin/autocomplete/",
}  # fmt: skip


def test_every_route_is_in_the_matrix() -> None:
    assert [route for route in ALL if route not in MATRIX and not route.startswith("admin/")] == []
    assert [route for route in MATRIX if route not in ALL] == []
    opened = {route for route in MATRIX if route.startswith(("v1", "client/"))}
    assert opened - WITH_KEY.keys() == {"client/v4/{rest}", "v1", "v1/", "v1/{rest}"}
    assert WITH_KEY.keys() <= opened


@pytest.mark.parametrize("route", list(MATRIX))
async def test_each_route_gives_each_person_the_expected_response(
    route: str,
    alice: User,
    anonymous_client: AsyncClient,
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    rita_client: AsyncClient,
) -> None:
    path = "/" + route
    message_id = ""
    if "inbox/{conv" in route or route.startswith(
        ("review/{", "chat/{", "chat/sends/", "generations/", "shared/{", "s/{")
    ):
        response = await send(alice_client, key="alices-send", text="Hello")
        await read_stream(response)
        path = path.replace("sends/{key}", "sends/alices-send")
        for name in ("Generation", "Conversation", "Message"):
            path = path.replace(f"{{{name.lower()}}}", response[f"X-{name}-Id"])
        message_id = response["X-Message-Id"]
        if route.startswith(("shared/{", "s/{")):
            link = await shared(response["X-Conversation-Id"])
            path = path.replace("{link}", str(link.pk)).replace("{token}", link.token)
    for kind in (Persona, Prompt):
        one = await kind.objects.acreate(owner=alice, name="Hers")
        path = path.replace(f"{{{kind._meta.model_name}}}", str(one.pk))
    if route.startswith("sites/{"):
        site = await WidgetSite.objects.acreate(owner=alice, name="Hers")
        key, _secret = await sync_to_async(make_secret)(site)
        path = path.replace("{key}", site.key).replace("{identity}", str(key.pk))
    if "{api_key}" in route:
        api_key, _text = await sync_to_async(keys.create)(alice, KeyOptions("Hers"))
        path = path.replace("{api_key}", str(api_key.pk))
    path = path.replace("{token}", "guess").replace("{key}", "guess").replace("{uidb36}", "1")
    if "{warning}" in route:
        one = await ModerationWarning.objects.acreate(person=alice, text="Hers")
        path = path.replace("{warning}", str(one.pk))
    path = path.replace("{kind}", "json").replace("{view}", "1").replace("{note}", "1")
    path = path.replace("{pk}", "1").replace("{member}", "1")
    path = path.replace("{name}", "people").replace("{user}", str(alice.pk))
    path = path.replace("{group}", "1").replace("{invitation}", "1")
    path = path.replace("{case}", "1").replace("{rule}", "1")
    # A key of the owner's comes first: the owner's own requests may change the object.
    with_key = BrowserWithKey((await new_api_client(alice)).text)
    gets, posts = MATRIX[route]
    by_key = WITH_KEY.get(route, (gets[0], posts[0]))
    everyone = zip(
        (with_key, anonymous_client, alice_client, bob_client, rita_client),
        (by_key[0], *gets),
        (by_key[1], *posts),
        strict=True,
    )
    for who, get_status, post_status in sorted(everyone, key=lambda row: row[0] is alice_client):
        got = await who.get(path)
        assert got.status_code == get_status, (path, "GET")
        if hasattr(got, "streaming_content") and got.streaming:
            await read_stream(got)
        form = {"last": message_id}  # what sharing asks for
        asked = await (who.post(path, form) if "sharing" in path else who.post(path))
        assert asked.status_code == post_status, (path, "POST")


@sync_to_async
def shared(conversation_id: str) -> SharedLink:
    return make(Conversation.objects.get(pk=conversation_id), Choices())


async def test_the_admin_is_for_staff_with_permissions(
    alice: User, anonymous_client: AsyncClient, alice_client: AsyncClient, rita_client: AsyncClient
) -> None:
    admin = [route for route in ALL if route.startswith("admin/")]
    assert len(admin) > 50
    for route in sorted(admin, key=lambda each: "logout" in each):  # at last: it works for all
        path = "/" + re.sub(r"\{[^}]*\}", str(alice.pk), route)
        path = path.replace("(?P", "").replace(")", "")
        for who in (anonymous_client, alice_client):
            assert (await who.get(path)).status_code in {302, 403, 404}, path
            assert (await who.post(path)).status_code in {302, 403, 404}, path
        for_staff = {200, 302, 403, 405} if route in ADMIN_OPEN_TO_STAFF else {302, 403, 404}
        assert (await rita_client.get(path)).status_code in for_staff, path
