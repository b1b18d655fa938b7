"""Random, foreign, neighbouring and malformed ids in every address that has one.

Whoever changes an id in an address gets nothing that isn't theirs: no page with another member's words,
no changed row and no fault of the server, whatever the id looks like.
"""

import secrets
import uuid
from urllib.parse import quote

import httpx
import pytest

from tests.support.attacks.people import CSRF, Person, Vera, browser, program
from tests.support.attacks.rows import changed, digests
from tests.support.attacks.world import USUAL, Ids, all_routes, path_of
from tests.support.servers.server import Server

WORDS = "Nobody else may read these words"
ROUTES = [each for each in all_routes() if "{" in each]
MALFORMED = [
    "0", "-1", "1.5", "1e3", "0x1", "9" * 19, "9" * 400, "01", "+1", "١", "１", "²", "%00", "1%00", "%0d%0aX-A:b", "null",
    "undefined", "NaN", "true", "[]", "{}", "' OR 1=1 --", "1;DROP TABLE chat_user", "<script>alert(1)</script>", "%2e%2e",
    "..%2f..%2fetc%2fpasswd", "..%5c..%5cwindows", "%252e%252e%252f", "%2f", "%5c", "%20", "*", "%25", "%ff%fe", "%ed%a0%80",
    "x" * 3000, "%F0%9F%98%80" * 50, "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "self", "me",
]  # fmt: skip
#: Some of them at each address, so that every one is tried at many.
PER_ROUTE = 6
#: Whoever has the token may open the shared chat, and continue it as their own.
SHARED = "s/"
#: What these show to everybody, or is a page about one's own account.
SAME_FOR_ALL = ("brand/", "accounts/", "client/v4/", "v1/{rest}", "admin/{url}")


@pytest.fixture(scope="module")
def hers(alice: Person, objects_of_alice: Ids) -> Ids:
    return objects_of_alice | {"text": alice.send(WORDS).headers["X-Conversation-Id"]}


def neighbours(hers: Ids) -> Ids:
    """Return ids beside hers, and other ids of the same kind."""

    def beside(name: str, each: str) -> str:
        if each.isdecimal():
            return str(int(each) + 1_000_000)
        return (
            str(uuid.uuid4()) if len(each) == 36 else secrets.token_urlsafe(len(each))[: len(each)]
        )

    return {name: beside(name, each) for name, each in hers.items()}


def malformed_paths(route: str, number: int) -> list[str]:
    """Return paths with each id of the route replaced by something that is none."""
    found = []
    for at in range(PER_ROUTE):
        odd = MALFORMED[(number * PER_ROUTE + at) % len(MALFORMED)]
        names = [each.partition("}")[0] for each in route.split("{")[1:]]
        path = path_of(
            route,
            dict.fromkeys([*USUAL, *names, "user", "site", "shared"], "ODD")
            | {f"visitors_{name}": "ODD" for name in ("conversation", "message", "generation")},
        )
        found.append(path.replace("ODD", odd if "%" in odd else quote(odd)))
    return found


def asked(client: httpx.Client, path: str) -> list[httpx.Response]:
    headers = {"X-CSRFToken": CSRF, "Accept": "text/html"}
    return [client.get(path, headers=headers), client.post(path, json={}, headers=headers)]


def is_refused(came: httpx.Response) -> bool:
    return came.status_code in {301, 302, 303} or 400 <= came.status_code < 500


@pytest.mark.timeout(900)
def test_an_id_that_is_not_theirs_opens_nothing(
    site: Server, alice: Person, bob: Person, hers: Ids
) -> None:
    """Hers, and what is beside it; asked by a stranger, a member, a visitor and a program."""
    vera = Vera(site, bob.make_site())
    callers = {
        "stranger": browser(site),
        "bob": bob.client,
        "visitor": vera.client,
        "program": program(site, bob.make_key()),
    }
    before = digests(site)
    for route in ROUTES:
        for ids in (hers, neighbours(hers)):
            if ids is hers and route.startswith(SHARED):
                continue
            path = path_of(route, ids)
            for name, client in callers.items():
                for came in asked(client, path):
                    assert came.status_code < 500, (name, path)
                    assert WORDS not in came.text, (name, path)
                    if path != path_of(route, hers) and not route.startswith(SAME_FOR_ALL):
                        assert is_refused(came), (name, came.request.method, path, came.status_code)
    assert changed(before, digests(site)) <= {"chat_apikey", "chat_visitor"}


@pytest.mark.timeout(900)
def test_what_is_no_id_is_refused(site: Server, bob: Person, ada: Person, hers: Ids) -> None:
    before = digests(site)
    for number, route in enumerate(ROUTES):
        for path in malformed_paths(route, number):
            for came in asked(bob.client, path):
                assert came.status_code < 500, (came.request.method, path)
                assert WORDS not in came.text, path
    assert changed(before, digests(site)) <= {"chat_apikey"}, "only when a key was used"
    for number, route in enumerate(ROUTES):
        for path in malformed_paths(route, number):
            for came in asked(ada.client, path):  # who may open much more
                assert came.status_code < 500, (came.request.method, path)
