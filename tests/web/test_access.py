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
from chat.projects.models import ChatTag, Project
from chat.review.moderation.warnings import ModerationWarning
from chat.sharing.models import SharedLink
from chat.sharing.shared_links import Choices, make
from chat.web.api import api_callers
from chat.widget_sites.identity_keys import make_secret
from chat.widget_sites.models import WidgetSite
from tests.support.api.api_client import BrowserWithKey, new_api_client
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream
from tests.support.web.access_matrix import ALL, MATRIX
from tests.support.web.api_access import WITH_KEY

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


def is_harmless(route: str) -> bool:
    """Return whether no POST to the route changes anything for the routes asked after it."""
    return all(status in {401, 403, 404, 405} for status in MATRIX[route][1])


#: Routes that are asked after each other; those that may change something have a test each.
HARMLESS = [route for route in MATRIX if is_harmless(route)]
TOGETHER = [HARMLESS[at : at + 15] for at in range(0, len(HARMLESS), 15)]
TOGETHER += [[route] for route in MATRIX if not is_harmless(route)]


@pytest.mark.parametrize("routes", TOGETHER, ids=lambda routes: routes[0])
async def test_each_route_gives_each_person_the_expected_response(
    routes: list[str],
    alice: User,
    anonymous_client: AsyncClient,
    alice_client: AsyncClient,
    bob_client: AsyncClient,
    rita_client: AsyncClient,
) -> None:
    # A key of the owner's comes first: the owner's own requests may change the object.
    with_key = BrowserWithKey((await new_api_client(alice)).text)
    hers = await objects_of(alice, alice_client, " ".join(routes))
    wrong = []
    for route in routes:
        api_callers.wrong_keys.clear()  # an address may send twenty in a minute
        path = path_of(route, hers)
        gets, posts = MATRIX[route]
        by_key = WITH_KEY.get(route, (gets[0], posts[0]))
        everyone = zip(
            (with_key, anonymous_client, alice_client, bob_client, rita_client),
            (by_key[0], *gets),
            (by_key[1], *posts),
            strict=True,
        )
        for who, *due in sorted(everyone, key=lambda row: row[0] is alice_client):
            got = await who.get(path)
            if hasattr(got, "streaming_content") and got.streaming:
                await read_stream(got)
            form = {"last": hers.get("message", "")} if "sharing" in path else {}
            posted = await who.post(path, form)
            if (found := [got.status_code, posted.status_code]) != due:
                wrong.append((path, found, due))
    assert wrong == []


async def objects_of(owner: User, client: AsyncClient, routes: str) -> dict[str, str]:
    """Make what the routes name, and return the ids by the names of the parameters."""
    found = {"user": str(owner.pk)}
    if re.search(r"\{(conversation|message|generation|link)\}|sends/\{key\}|\bs/\{", routes):
        response = await send(client, key="alices-send", text="Hello")
        await read_stream(response)
        for name in ("Generation", "Conversation", "Message"):
            found[name.lower()] = response[f"X-{name}-Id"]
    if re.search(r"\{link\}|\bs/\{", routes):
        link = await shared(found["conversation"])
        found |= {"link": str(link.pk), "token": link.token}
    tag = await ChatTag.objects.acreate(owner=owner, name="Hers")
    found["tag"] = str(tag.pk)
    for kind in (Persona, Prompt, Project):
        one = await kind.objects.acreate(owner=owner, name="Hers")
        found[str(kind._meta.model_name)] = str(one.pk)
    if "sites/{" in routes:
        site = await WidgetSite.objects.acreate(owner=owner, name="Hers")
        key, _secret = await sync_to_async(make_secret)(site)
        found |= {"site": site.key, "identity": str(key.pk)}
        invitation = await site.invitations.acreate(email="agnes@example.org", role="agent")
        found["invitation"] = str(invitation.pk)
    if "sites/invitations/{" in routes:
        another = await User.objects.acreate(email="agnes@example.org")
        site = await WidgetSite.objects.acreate(owner=another, name="Theirs")
        invitation = await site.invitations.acreate(email=owner.email, account=owner, role="agent")
        found["invitation"] = str(invitation.pk)
    if "{api_key}" in routes:
        api_key, _text = await sync_to_async(keys.create)(owner, KeyOptions("Hers"))
        found["api_key"] = str(api_key.pk)
    if "{warning}" in routes:
        warning = await ModerationWarning.objects.acreate(person=owner, text="Hers")
        found["warning"] = str(warning.pk)
    return found


def path_of(route: str, hers: dict[str, str]) -> str:
    """Return the path with her objects, and a guess for what is nobody's."""
    given = {"key": "guess", "token": "guess", "kind": "json", "name": "people"}
    given |= {"digits": "0b6e4f", "digest": "guess"}
    if route.startswith("sites/{"):
        given["key"] = hers["site"]
    if "sends/{key}" in route:
        given["key"] = "alices-send"
    if route.startswith("s/"):
        given["token"] = hers["token"]
    mine = {name: one for name, one in hers.items() if name != "token"}
    return "/" + re.sub(r"\{(\w+)\}", lambda found: (given | mine).get(found[1], "1"), route)


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
