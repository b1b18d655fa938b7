"""Another website makes the browser of an administrator send requests here (CSRF).

Every address of the site gets every kind of request that a page elsewhere can cause, with the session
of an administrator who may change everything. No row may change, and nothing may be answered as if
the administrator had asked.
"""

import itertools
from collections.abc import Iterator

import httpx
import pytest

from tests.support.attacks.people import CSRF, Person, browser, person
from tests.support.attacks.rows import changed, digests
from tests.support.attacks.world import Ids, all_routes, objects_of, path_of
from tests.support.servers.server import Server

EVIL = "https://attacker.invalid"
FIELDS = (
    "reason=because&action=delete&confirm=on&name=Taken&title=Taken&email=eve%40attacker.invalid"
    "&action_add=&role=owner&text=Taken&value=1&last=1&password=x&is_suspended=on&_method=DELETE"
)
JSON_BODY = (
    '{"text":"Taken","prompt":"Taken","key":"taken-taken-taken","value":1,"reason":"harmful"}'
)
PART = '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nTaken\r\n--b--\r\n'
FORM = "application/x-www-form-urlencoded"
#: Bodies and headers of what a page elsewhere can send.
WAYS: dict[str, tuple[str, str, dict[str, str]]] = {
    "a form": (FIELDS, FORM, {"Origin": EVIL, "Sec-Fetch-Site": "cross-site"}),
    "a form with a guessed token": (
        f"{FIELDS}&csrfmiddlewaretoken={'b' * 64}",
        FORM,
        {"Origin": EVIL, "Sec-Fetch-Site": "cross-site"},
    ),
    "a form in parts": (PART, "multipart/form-data; boundary=b", {"Origin": EVIL}),
    "text that is JSON": (
        JSON_BODY,
        "text/plain",
        {"Origin": EVIL, "Sec-Fetch-Site": "cross-site"},
    ),
    "JSON": (JSON_BODY, "application/json", {"Origin": EVIL, "Sec-Fetch-Site": "cross-site"}),
    "JSON from a sandbox": (JSON_BODY, "application/json", {"Origin": "null"}),
    "an old browser's form": (FIELDS, FORM, {"Referer": f"{EVIL}/http://127.0.0.1/"}),
    "a form without any origin": (FIELDS, FORM, {"Referer": ""}),
    "a sibling's form": (
        FIELDS,
        FORM,
        {"Sec-Fetch-Site": "same-site", "Origin": "http://a.127.0.0.1"},
    ),
}
#: Origins that resemble ours; `{port}` is that of the site.
LOOKALIKES = [
    "http://127.0.0.1", "https://127.0.0.1:{port}", "http://127.0.0.1:{port}.attacker.invalid", "http://127.0.0.1:1",
    "http://127.0.0.1.attacker.invalid:{port}", "http://attacker.invalid:{port}", "http://localhost:{port}",
    "http://[::1]:{port}", "http://127.1:{port}", "http://2130706433:{port}", "http://127.0.0.1:0{port}",
    "HTTP://127.0.0.1:{port}@attacker.invalid", "http://user@127.0.0.1:{port}", "http://127.0.0.1:{port}/x", "file://", "null, null", "*",
    "http://127.0.0.1:{port} http://attacker.invalid", "http://127.0.0.1:{port},http://attacker.invalid", "chrome-extension://abc",
    "http://127.0.0.1:{port}\\@attacker.invalid", "//127.0.0.1:{port}", "127.0.0.1:{port}", "data:", "about:blank",
]  # fmt: skip
#: No cookie counts there: whoever calls them is nobody's browser (tests/attacks/access/test_other_doors.py).
COOKIELESS = ("w/", "v1", "client/")


@pytest.fixture(scope="module")
def amelia(site: Server) -> Person:
    """Return another administrator, who gave a reason for access."""
    amelia = person(site, "amelia@example.org", is_staff=True, is_superuser=True)
    given = amelia.form("/review/reason/", {"reason": "To see who attacks us", "next": "/review/"})
    assert given.status_code == 302, given.text
    return amelia


@pytest.fixture(scope="module")
def hers(amelia: Person) -> Ids:
    return objects_of(amelia)


def posts_of(amelia: Person, hers: Ids) -> Iterator[tuple[str, str, httpx.Response]]:
    for route, (way, (body, kind, headers)) in itertools.product(all_routes(), WAYS.items()):
        if not route.startswith(COOKIELESS):
            sent = {**headers, "Content-Type": kind, "Accept": "text/html"}
            path = path_of(route, hers)
            yield route, way, amelia.client.post(path, content=body, headers=sent)


@pytest.mark.timeout(900)
def test_no_request_of_another_website_changes_anything(
    site: Server, amelia: Person, hers: Ids
) -> None:
    assert len(all_routes()) > 300
    before, taken = digests(site), []
    for route, way, answer in posts_of(amelia, hers):
        if answer.status_code < 400:
            taken.append((route, way, answer.status_code))
        assert answer.status_code < 500, (route, way)
    assert taken == []
    assert changed(before, digests(site)) == set()


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "post"]
)
def test_no_other_method_changes_anything(
    site: Server, amelia: Person, hers: Ids, method: str
) -> None:
    before = digests(site)
    for route in all_routes():
        if not route.startswith(COOKIELESS):
            headers = {"Origin": EVIL, "X-HTTP-Method-Override": "POST", "Content-Type": FORM}
            answer = amelia.client.request(
                method, path_of(route, hers), content=FIELDS, headers=headers
            )
            assert answer.status_code < 500, route
    assert changed(before, digests(site)) == set()


@pytest.mark.timeout(600)
def test_no_picture_or_link_of_another_website_changes_anything(
    site: Server, amelia: Person, hers: Ids
) -> None:
    """A GET of a staff page is recorded, and one of unread chats or notices marks them as read.

    Nothing else changes, so these are opened first.
    """
    recorded = {"chat_accesslogentry", "chat_staffaction"}
    for read in (f"/chat/{hers['conversation']}/", "/review/notifications/"):
        assert amelia.get(read).status_code == 200
    before = digests(site, recorded)
    for route in all_routes():
        headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image", "Referer": f"{EVIL}/"}
        path = f"{path_of(route, hers)}?{FIELDS}"
        answer = amelia.client.get(path, headers=headers)
        assert answer.status_code < 500, route
    assert changed(before, digests(site, recorded)) == set()


def test_an_origin_that_resembles_ours_is_another(site: Server, amelia: Person, hers: Ids) -> None:
    paths = [f"/chat/{hers['conversation']}/title/", "/chat/messages", "/chat/stream", "/settings/"]
    before = digests(site)
    for origin, path in itertools.product(LOOKALIKES, paths):
        for kind, body in ((FORM, FIELDS), ("application/json", JSON_BODY)):
            headers = {
                "Origin": origin.format(port=site.port),
                "Content-Type": kind,
                "X-CSRFToken": CSRF,
            }
            answer = amelia.client.post(path, content=body, headers=headers)
            assert answer.status_code in {401, 403, 404, 415}, (origin, path, answer.status_code)
    assert changed(before, digests(site)) == set()


def test_nobody_signs_a_browser_in_from_elsewhere(site: Server) -> None:
    """Signing in or up in somebody's browser as the attacker would collect what they write."""
    with browser(site) as victim:
        for path in (
            "/accounts/login/",
            "/accounts/signup/",
            "/accounts/sso/",
            "/accounts/2fa/webauthn/login/",
        ):
            for body, kind, headers in WAYS.values():
                sent = {**headers, "Content-Type": kind}
                assert victim.post(path, content=body, headers=sent).status_code in {403, 404, 415}
        assert "sessionid" not in victim.cookies
