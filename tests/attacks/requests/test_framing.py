"""Pages in a foreign frame, and pages whose policy would let a script in.

Every address is opened as the person who sees the most there. Each answer has to carry the headers
without which another flaw would become an attack: a policy without `unsafe-*` and wildcards, no
framing, no guessing of types, nothing for caches that are shared.
"""

import re

import pytest

from tests.support.attacks.people import Person, Vera, browser, person
from tests.support.attacks.world import Ids, all_routes, objects_of, path_of
from tests.support.servers.server import Server

#: Scripts and pictures that are the same for everybody may be cached.
FOR_EVERYBODY = re.compile(
    r"/(?:w\.js|w-panel\.js|brand/|manifest|healthz|readyz|metrics|static/|chat/notices/worker|admin/jsi18n|\.well-known|w/[^/]+/pictures)"
)
WIDGET_FRAME = re.compile(r"/w/[^/]+/$")
REQUIRED = ("base-uri", "form-action", "frame-ancestors", "default-src")
FORBIDDEN = (
    "unsafe-inline",
    "unsafe-eval",
    "unsafe-hashes",
    " *",
    " data: ;",
    "http:",
    "https:;",
)
#: The frame of previews: it has an origin of its own, shows styles of answers, and runs two scripts of the site's.
#: What hostile code does in it: tests/browser/markdown/test_preview_attacks.py.
PREVIEW_FRAME = "/code-preview/"
#: Allauth's pages, until they are sent with `no-store` as all others.
ALLAUTH = "/accounts/"


@pytest.fixture(scope="module")
def agatha(site: Server) -> Person:
    agatha = person(site, "agatha@example.org", is_staff=True, is_superuser=True)
    agatha.form("/review/reason/", {"reason": "To look at every page", "next": "/review/"})
    return agatha


@pytest.fixture(scope="module")
def hers(agatha: Person) -> Ids:
    return objects_of(agatha)


def policy_of(text: str) -> dict[str, list[str]]:
    parts = [each.split() for each in text.split(";") if each.strip()]
    return {name: values for name, *values in parts}


def test_every_answer_has_a_strict_policy_and_refuses_frames(agatha: Person, hers: Ids) -> None:
    pages = 0
    for route in all_routes():
        path = path_of(route, hers)
        for accept in ("text/html", "*/*"):
            came = agatha.get(path, Accept=accept)
            kind = came.headers.get("content-type", "")
            assert came.headers.get("x-content-type-options") == "nosniff", path
            if not came.content or "javascript" in kind or "text/css" in kind:
                continue
            said = came.headers.get_list("content-security-policy")
            assert len(said) == 1, (path, came.status_code, said)
            policy = policy_of(said[0])
            if path == PREVIEW_FRAME and came.status_code == 200:
                _check_preview_frame(policy)
                assert came.headers["x-frame-options"] == "SAMEORIGIN"
                continue
            assert not [each for each in FORBIDDEN if each in said[0] + ";"], (path, said)
            if "text/html" in kind:
                pages += 1
                assert [each for each in REQUIRED if each not in policy] == [], (path, said)
                assert policy["base-uri"] == ["'none'"], path
                assert policy.get("object-src", policy["default-src"]) == ["'none'"], path
                assert policy["default-src"] in (["'none'"], ["'self'"]), path
            if WIDGET_FRAME.fullmatch(path) and came.status_code == 200:
                continue
            if path.endswith("/preview/"):  # the page about the look frames it
                assert policy["frame-ancestors"] == ["'self'"], path
                continue
            assert policy["frame-ancestors"] == ["'none'"] or "sandbox" in policy, (path, said)
            assert came.headers["x-frame-options"] == "DENY", path
    assert pages > 150


def _check_preview_frame(policy: dict[str, list[str]]) -> None:
    """Allow inline styles and nothing else that other pages don't have, so that nothing connects."""
    (nonce,) = policy.pop("script-src")
    assert re.fullmatch(r"'nonce-[\w+/=]{20,}'", nonce)
    assert policy == {
        "sandbox": ["allow-scripts"],
        "default-src": ["'none'"],
        "style-src": ["'unsafe-inline'"],
        "img-src": ["data:"],
        "font-src": ["data:"],
        "media-src": ["data:"],
        "form-action": ["'none'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'self'"],
    }


def _is_stored_by_caches(agatha: Person, path: str) -> bool:
    came = agatha.get(path, Accept="text/html")
    said = came.headers.get("cache-control", "")
    return came.status_code == 200 and not re.search(r"no-store|private", said)


def test_no_cache_stores_what_is_one_persons(agatha: Person, hers: Ids) -> None:
    paths = {path_of(route, hers) for route in all_routes()}
    mine = {
        each for each in paths if not FOR_EVERYBODY.match(each) and not each.startswith(ALLAUTH)
    }
    assert len(mine) > 200
    assert [each for each in sorted(mine) if _is_stored_by_caches(agatha, each)] == []


def test_no_cache_stores_pages_of_the_account(agatha: Person, hers: Ids) -> None:
    paths = {path_of(each, hers) for each in all_routes() if each.startswith("accounts/")}
    assert [each for each in sorted(paths) if _is_stored_by_caches(agatha, each)] == []


def test_signing_out_clears_the_cache_and_the_storage(site: Server) -> None:
    someone = person(site, "leaving@example.org")
    said = someone.form("/accounts/logout/").headers["clear-site-data"]
    assert '"storage"' in said
    assert '"cache"' in said


def test_no_answer_of_an_error_lacks_the_headers(site: Server) -> None:
    """Errors of the guards before Django, and of Django before its middleware."""
    with browser(site) as someone:
        answers = [
            someone.get("/nowhere/"),
            someone.get("/", headers={"Host": "attacker.invalid"}),
            someone.post("/chat/stream", content=b"x" * (5 << 20)),
            someone.post(
                "/accounts/login/",
                content=b"a",
                headers={"Content-Type": "text/plain; charset=utf-7"},
            ),
            someone.post(
                "/accounts/login/",
                content="a=1&" * 2000,
                headers={"Content-Type": "application/x-www-form-urlencoded"},
            ),
            someone.get("/static/nothing.js"),
            someone.get("/static/../manage.py"),
            someone.request("BREW", "/chat/"),
            someone.get("/%00"),
            someone.get("/?" + "a=1&" * 3000),
            someone.get("/", headers={"X-Long": "x" * 40_000}),
        ]
    for came in answers:
        assert 400 <= came.status_code < 500 or came.status_code in {302, 405}, came.request.url
        kind = came.headers.get("content-type", "")
        if "html" in kind:
            assert came.headers["x-content-type-options"] == "nosniff", came.request.url
            assert "frame-ancestors 'none'" in came.headers["content-security-policy"]
        assert "server" not in came.headers or "/" not in came.headers["server"]


def test_the_widgets_frame_names_its_websites_and_nothing_else(
    site: Server, agatha: Person
) -> None:
    """An origin in the list cannot add directives to the policy of the frame."""
    hostile = [
        "https://a.example; script-src *", "https://a.example 'unsafe-inline'", "https://*", "*", "https://a.example,https://b.example", "https://a.example\n", "http:", "'self'", "data:", "https://a.example\r\nX-Evil: 1",
        "https://a.example/;default-src", "https://a.example%3b", "https://*.*", "https://a.*.example", "https://.example", "https://a..example", "https://a.example:*", "https://ａ.example", "//a.example", "null",
    ]  # fmt: skip
    agatha.client.headers["Accept"] = "text/html"
    for each in hostile:
        fields = {"name": "Shop", "origins": each}
        came = agatha.form("/sites/new/", fields)
        if came.status_code == 302:
            key = came.headers["location"].strip("/").split("/")[1]
            with browser(site) as someone:
                policy = someone.get(f"/w/{key}/").headers["content-security-policy"]
            ancestors = policy_of(policy)["frame-ancestors"]
            assert all(
                re.fullmatch(r"https://(\*\.)?[a-z0-9.-]+(:\d+)?|'none'|'self'", each)
                for each in ancestors
            ), (each, policy)
            assert "unsafe" not in policy
            assert "script-src *" not in policy


def test_visitors_pages_may_not_be_read_by_other_websites(site: Server, hers: Ids) -> None:
    vera = Vera(site, hers["site"])
    for path in ("conversations", f"conversations/{hers['visitors_conversation']}", "sends/x"):
        for origin in (
            "https://attacker.invalid",
            "null",
            "https://a.shop.example.attacker.invalid",
        ):
            came = vera.client.get(f"/w/{hers['site']}/{path}", headers={"Origin": origin})
            assert came.headers.get("access-control-allow-origin") is None, path
            assert came.headers.get("access-control-allow-credentials") is None, path
