"""No cache, nor the Back button after signing out, keeps what is somebody's own."""

import pytest
from django.test import AsyncClient

from chat.accounts.models import User
from tests.support.generations.stream_reader import read_stream
from tests.support.web.access_matrix import MATRIX
from tests.support.web.own_objects import objects_of, path_of
from tests.support.web.signed_in import signed_in

#: What is the same for everybody, or has an address that changes with the content.
PUBLIC = {
    "manifest.webmanifest",
    "brand/accent-{digits}.css",
    "chat/notices/worker.js",
    "w.js",
    "w-panel.js",
}
ROUTES = [route for route in MATRIX if route not in PUBLIC]
TOGETHER = [ROUTES[at : at + 25] for at in range(0, len(ROUTES), 25)]


@pytest.mark.every_variant
@pytest.mark.parametrize("routes", TOGETHER, ids=lambda routes: routes[0])
async def test_no_page_may_be_kept_by_a_cache(
    routes: list[str], alice: User, alice_client: AsyncClient, anonymous_client: AsyncClient
) -> None:
    hers = await objects_of(alice, alice_client, " ".join(routes))
    kept = []
    for route in routes:
        for client in (anonymous_client, alice_client):
            response = await client.get(path_of(route, hers))
            if response.streaming:
                await read_stream(response)
            said = response.get("Cache-Control", "")
            if "no-store" not in said and response.status_code == 200:
                kept.append((route, response.status_code, said))
    assert not kept, kept


def test_signing_out_makes_the_browser_forget(alice: User) -> None:
    browser = signed_in(alice)
    response = browser.post("/accounts/logout/")
    assert response["Clear-Site-Data"] == '"cache", "storage"'
    assert "no-store" in response["Cache-Control"]
