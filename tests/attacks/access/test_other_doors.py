"""Credentials of one face of the site at the doors of another.

A visitor's token at members' addresses, a member's session below `/w/`, an API key at pages, a session
at the API: each counts at its own door only, alone and beside another, and grants nothing twice.
"""

import itertools

import httpx
import pytest

from tests.support.attacks.people import CSRF, MODEL, Person, Vera, browser, program
from tests.support.attacks.rows import changed, digests
from tests.support.attacks.world import Ids, all_routes, path_of
from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.servers.server import Server

WORDS = "Hello"
SEND = {
    "key": "another-doors-key-00000000000000",
    "text": "Taken",
    "prompt": "Taken",
    "messages": [{"role": "user", "content": "Taken"}],
}


@pytest.fixture(scope="module")
def hers(objects_of_alice: Ids) -> Ids:
    return objects_of_alice


@pytest.fixture(scope="module")
def vera(site: Server, hers: Ids) -> Vera:
    return Vera(site, hers["site"])


@pytest.fixture(scope="module")
def key(alice: Person) -> str:
    return alice.make_key()


def is_closed(came: httpx.Response) -> bool:
    """Return whether nobody was recognised: an error, or the way to the sign-in page."""
    leads_in = came.headers.get("location", "").startswith(("/accounts/", "/chat/", "/admin/login"))
    return came.status_code >= 400 or (came.status_code in {301, 302, 303} and leads_in)


OPEN_TO_ALL = (
    "accounts/",
    "brand/",
    "healthz",
    "readyz",
    "metrics",
    "manifest",
    "w.js",
    "w-panel.js",
    "chat/notices/worker.js",
    "code-preview/",
    "s/",
    ".well-known",
    "robots",
    "stop-emails",
    "chat/announcement/",
    "admin/jsi18n",
    "admin/logout/",
)


@pytest.mark.timeout(600)
def test_a_visitors_token_and_cookie_open_no_members_door(
    site: Server, hers: Ids, vera: Vera
) -> None:
    thief, before, opened = browser(site), digests(site), []
    thief.headers["Authorization"] = f"Bearer {vera.bearer}"
    thief.cookies.update(vera.client.cookies)
    thief.cookies.set("sessionid", vera.bearer)
    for route in all_routes():
        if not route.startswith(("w/", *OPEN_TO_ALL)) and route:
            path = path_of(route, hers)
            for came in (
                thief.get(path),
                thief.post(path, json=SEND, headers=SAME_ORIGIN | {"X-CSRFToken": CSRF}),
            ):
                if not is_closed(came):
                    opened.append((came.request.method, path, came.status_code))
    assert opened == []
    assert changed(before, digests(site)) == set()


@pytest.mark.timeout(600)
def test_a_members_session_or_key_opens_no_visitors_door(
    site: Server, alice: Person, key: str, hers: Ids
) -> None:
    """Not even the owner's: visitors' chats are read in the inbox, which records it."""
    before, opened = digests(site), []
    for route, bearer in itertools.product(all_routes(), ("", alice.session, key, "null")):
        if route.startswith("w/{site_key}/") and "chat" not in route.rpartition("}")[2]:
            path = path_of(route, hers)
            headers = (
                {"X-CSRFToken": CSRF, "Authorization": f"Bearer {bearer}"}
                if bearer
                else {"X-CSRFToken": CSRF}
            )
            for came in (
                alice.client.get(path, headers=headers),
                alice.client.post(path, json={}, headers=headers),
            ):
                is_public = route.endswith(
                    ("site_key}/", "look.js", "challenge", "session", "{digest}")
                )
                if not is_closed(came) and not is_public:
                    opened.append((came.request.method, path, came.status_code))
    assert opened == []
    assert changed(before, digests(site)) <= {"chat_apikey"}, "only when the key was used"


@pytest.mark.timeout(600)
def test_a_session_opens_no_door_of_programs(site: Server, alice: Person, hers: Ids) -> None:
    before = digests(site)
    for route in all_routes():
        if route.startswith(("v1", "client/")):
            path = path_of(route, hers)
            for headers in (
                {},
                {"Authorization": f"Bearer {alice.session}"},
                {"X-CSRFToken": CSRF, "Origin": site.url},
            ):
                for came in (
                    alice.client.get(path, headers=headers),
                    alice.client.post(path, json=SEND, headers=headers),
                ):
                    assert came.status_code in {400, 401, 404, 405, 429}, (path, came.status_code)
                    assert "set-cookie" not in came.headers
    assert changed(before, digests(site)) == set()


def test_two_credentials_at_once_are_the_doors_own(
    site: Server, alice: Person, bob: Person, hers: Ids, key: str
) -> None:
    """Bob's session beside Alice's key: the API is Alice's program, the pages are Bob's."""
    both = bob.client
    headers = {"Authorization": f"Bearer {key}"}
    assert both.get(f"/chat/{hers['conversation']}/", headers=headers).status_code == 404
    assert both.get("/v1/models", headers=headers).status_code == 200
    sent = both.post(
        "/chat/messages",
        json={**SEND, "key": "k" * 32, "prompt": None},
        headers=headers | {"X-CSRFToken": CSRF},
    )
    assert sent.status_code in {200, 400}
    assert "alice" not in both.get("/accounts/email/", headers=headers).text
    vera = Vera(site, hers["site"])
    vera.client.cookies.set("sessionid", alice.session)
    assert vera.get("conversations").json() == {"conversations": []}
    assert vera.get(f"conversations/{hers['conversation']}").status_code == 404


def test_an_id_of_one_face_is_none_of_another(
    site: Server, alice: Person, bob: Person, hers: Ids, vera: Vera, key: str
) -> None:
    """Chats of visitors, of programs and of members have ids of one kind, and different doors."""
    theirs = Vera(site, hers["site"]).send("From another visitor")
    chat, generation = theirs.headers["X-Conversation-Id"], theirs.headers["X-Generation-Id"]
    for who in (alice, bob):
        for path in (
            f"/chat/{chat}/",
            f"/chat/{chat}/export.json",
            f"/chat/{chat}/sharing/",
            f"/generations/{generation}/stream",
            f"/chat/{chat}/title/",
        ):
            assert who.get(path).status_code == 404, path
        for path in (
            f"/chat/{chat}/deletion/",
            f"/chat/{chat}/title/",
            f"/generations/{generation}/cancellation",
            f"/chat/{chat}/sharing/",
        ):
            assert who.form(path, {"title": "Taken", "last": "1"}).status_code == 404, path
        assert who.send("Taken", chat).status_code == 404
    for path in (
        f"conversations/{hers['conversation']}",
        f"generations/{hers['generation']}/stream",
        f"conversations/{chat}",
        f"generations/{generation}/stream",
    ):
        assert vera.get(path).status_code == 404, path
    for path in (f"{hers['conversation']}/messages", f"{chat}/messages"):
        assert vera.post(path, {"key": "v" * 32, "text": "Taken"}).status_code == 404, path
    message, digest = hers["message"], "0" * 64
    assert bob.json(
        "/chat/messages", {"key": "b" * 32, "text": "Hi", "parent": int(message)}
    ).status_code in {400, 404}
    assert bob.json(
        "/chat/messages", {"key": "c" * 32, "text": "Hi", "images": [digest]}
    ).status_code in {400, 404, 422}
    assert bob.json(
        "/chat/messages", {"key": "d" * 32, "text": "Hi", "persona": hers["persona"]}
    ).status_code in {400, 404}
    assert bob.json(
        "/chat/messages", {"key": "e" * 32, "text": "Hi", "project": hers["project"]}
    ).status_code in {400, 404}
    caller = program(site, key)
    asked = {
        "messages": SEND["messages"],
        "chat_id": hers["conversation"],
        "previous_response_id": generation,
    }
    assert caller.post("/v1/chat/completions", json=asked).status_code < 500
    assert (
        caller.post(
            "/v1/responses",
            json={"model": MODEL, "input": "x", "previous_response_id": f"resp_{generation}"},
        ).status_code
        >= 400
    )


def test_a_shared_link_opens_its_copy_only(site: Server, hers: Ids) -> None:
    reader = browser(site)
    assert reader.get(f"/s/{hers['shared']}/").status_code == 200
    for method, path in itertools.product(
        ("GET", "POST"),
        ("images/" + "0" * 64, "continuation/", "messages", "../../chat/", "stream", "export.json"),
    ):
        came = reader.request(method, f"/s/{hers['shared']}/{path}", headers={"X-CSRFToken": CSRF})
        assert came.status_code in {302, 404, 405}, path
    for token in (
        hers["shared"][:-1],
        hers["shared"] + "A",
        hers["shared"].swapcase(),
        hers["link"],
        hers["conversation"],
    ):
        assert reader.get(f"/s/{token}/").status_code == 404, token
    reader.cookies.set("sessionid", hers["shared"])
    assert reader.get("/chat/").status_code == 302
