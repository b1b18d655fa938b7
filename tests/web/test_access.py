"""The access matrix of all web routes, generated from the URLconf."""

import re

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from chat.web.api import api_callers
from tests.support.api.api_client import BrowserWithKey, new_api_client
from tests.support.generations.stream_reader import read_stream
from tests.support.web.access_matrix import ALL, MATRIX
from tests.support.web.api_access import MANAGED, WITH_KEY
from tests.support.web.own_objects import objects_of, path_of

#: The admin redirects everybody but staff, and shows staff without permissions no objects.
ADMIN_OPEN_TO_STAFF = {
    "admin/", "admin/jsi18n/", "admin/password_change/", "admin/password_change/done/",
    "admin/logout/", "admin/login/", "admin/autocomplete/",
}  # fmt: skip


def test_every_route_is_in_the_matrix() -> None:
    assert [route for route in ALL if route not in MATRIX and not route.startswith("admin/")] == []
    assert [route for route in MATRIX if route not in ALL] == []
    opened = {route for route in MATRIX if route.startswith(("v1", "client/", "api"))}
    unknown = {"client/v4/{rest}", "v1", "v1/", "v1/{rest}", "api", "api/", "api/{rest}"}
    assert opened - WITH_KEY.keys() == {*unknown, *MANAGED}
    assert WITH_KEY.keys() <= opened


def is_harmless(route: str) -> bool:
    """Return whether no POST to the route changes anything for the routes asked after it."""
    return all(status in {401, 403, 404, 405} for status in MATRIX[route][1])


#: Routes that are asked after each other; those that may change something have a test each.
HARMLESS = [route for route in MATRIX if is_harmless(route)]
TOGETHER = [HARMLESS[at : at + 15] for at in range(0, len(HARMLESS), 15)]
TOGETHER += [[route] for route in MATRIX if not is_harmless(route)]


@pytest.mark.every_variant
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
