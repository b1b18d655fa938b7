"""Links to this site that lead away from it (open redirects).

A link that begins with a trusted address is followed without a thought. Wherever an address says where
to go next, the browser has to stay here.
"""

from urllib.parse import quote, urljoin, urlsplit

import pytest

from tests.support.attacks.people import CSRF, PASSWORD, Person, browser, person
from tests.support.servers.server import Server

AWAY = [
    "https://attacker.invalid/", "http://attacker.invalid", "//attacker.invalid/", "///attacker.invalid/", "////attacker.invalid", "/\\attacker.invalid/", "\\\\attacker.invalid/",
    "\\/attacker.invalid", "/\\/attacker.invalid", "https:attacker.invalid", "https:/attacker.invalid", "https:\\\\attacker.invalid", "http:///attacker.invalid", "javascript:alert(1)",
    "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:https://attacker.invalid/1", "\tjavascript:alert(1)", "\x01https://attacker.invalid", " https://attacker.invalid",
    "\nhttps://attacker.invalid", "\r\nLocation: https://attacker.invalid", "/\t/attacker.invalid", "/\n/attacker.invalid", "/\r/attacker.invalid", "\t//attacker.invalid", "ht\ntps://attacker.invalid",
    "https://{host}@attacker.invalid/", "https://{host}:x@attacker.invalid", "https://attacker.invalid#{host}", "https://attacker.invalid?{host}/", "https://attacker.invalid\\@{host}/", "https://attacker.invalid/{host}",
    "//{host}@attacker.invalid", "//{host}.attacker.invalid", "//{host}\\@attacker.invalid", "http://{host}.attacker.invalid", "http://{host}%00.attacker.invalid", "http://{host}%2eattacker.invalid",
    "//attacker%E3%80%82invalid", "//attacker。invalid", "https://ａttacker.invalid", "//[::1]/", "//[attacker.invalid]/", "http://[::ffff:1.2.3.4]/", "//3627734734/", "//0xd83ad6ce/", "//1.1.1.1", "http://1.1",
    "/%09/attacker.invalid", "/%5cattacker.invalid", "/%2f/attacker.invalid", "%2f%2fattacker.invalid", "/..//attacker.invalid", "/.//attacker.invalid", "//attacker.invalid/%2e%2e", "/;@attacker.invalid", "/;//attacker.invalid",
    "?next=//attacker.invalid", "#//attacker.invalid", ".attacker.invalid", "@attacker.invalid", ":80@attacker.invalid", "/chat/../..//attacker.invalid", "//attacker.invalid:80\\@{host}", "https://attacker.invalid/\u2028", "\u2028//attacker.invalid",
    "/\u00a0/attacker.invalid", "/\u3000/attacker.invalid", "/\u00ad/attacker.invalid", "ws://attacker.invalid", "mailto:eve@attacker.invalid", "tel:1", "intent://attacker.invalid#Intent;end", "view-source:https://attacker.invalid", "x" * 9000 + "//attacker.invalid",
    "http:attacker.invalid", "http:/\\attacker.invalid", "http://{host}/\\/attacker.invalid/..", "/\ufeff/attacker.invalid", "\ufeff//attacker.invalid", "//\ufeffattacker.invalid", "\x00//attacker.invalid", "/\x00/attacker.invalid", "/\x0b/attacker.invalid", "https://attacker.invalid\x00{host}",
    "//attacker.invalid;{host}", "//attacker.invalid,{host}", "http://attacker.invalid&{host}", "//foo:bar@attacker.invalid", "///{host}@attacker.invalid", "/\\\\attacker.invalid", "/\\\t/attacker.invalid", "https://attacker.invalid%2f%2f{host}", "https:///attacker.invalid/..",
]  # fmt: skip


@pytest.fixture(scope="module")
def eve(site: Server) -> Person:
    """Return an administrator, who may open every page with `next`."""
    return person(site, "eve@example.org", is_staff=True, is_superuser=True)


def is_here(location: str, host: str) -> bool:
    """Follow a redirect as browsers do: they drop control characters and turn backslashes."""
    read = "".join(each for each in location.strip() if each not in "\t\n\r").replace("\\", "/")
    found = urlsplit(urljoin(f"http://{host}/accounts/login/", read.lstrip("\x00\x01 \ufeff")))
    return found.netloc == host and found.scheme == "http"


def test_the_check_itself_knows_what_leads_away() -> None:
    host = "127.0.0.1:8000"
    away = [each for each in AWAY[:12] if not is_here(each, host)]
    assert len(away) >= 9
    assert is_here("/chat/", host)
    assert is_here("?q=//attacker.invalid", host)


@pytest.mark.timeout(600)
def test_no_next_address_leads_away(site: Server, eve: Person) -> None:
    host = urlsplit(site.url).netloc
    places = {
        "/accounts/login/": {"login": "eve@example.org", "password": PASSWORD},
        "/accounts/logout/": None,
        "/accounts/signup/": None,
        "/accounts/reauthenticate/": {"password": PASSWORD},
        "/accounts/password/change/": None,
        "/accounts/email/": {"action_send": "", "email": "eve@example.org"},
        "/review/reason/": {"reason": "Because of the redirect"},
        "/settings/": {"theme": "dark"},
        "/chat/announcement/": {},
        "/admin/login/": {},
    }
    away = []
    for each in AWAY:
        each = each.format(host=host)
        for path, fields in places.items():
            asked = f"{path}?next={quote(each[:1500])}&redirect_to={quote(each[:500])}"
            came = eve.get(asked, Accept="text/html", Referer=f"{site.url}/x")
            assert came.status_code < 500, (path, each)
            if not is_here(came.headers.get("location", ""), host):
                away.append((path, each))
            if fields is None or path == "/accounts/login/":
                continue
            sent = eve.form(path, {**fields, "next": each})
            assert sent.status_code < 500, (path, each)
            if not is_here(sent.headers.get("location", ""), host):
                away.append((path, each))
            assert "hx-redirect" not in sent.headers, (path, each)
    assert away == []


def test_after_signing_in_nobody_is_led_away(site: Server, eve: Person) -> None:
    host = urlsplit(site.url).netloc
    for each in AWAY[::8]:
        with browser(site) as someone:
            fields = {
                "login": "eve@example.org",
                "password": PASSWORD,
                "next": each.format(host=host),
            }
            came = someone.post("/accounts/login/", data=fields, headers={"X-CSRFToken": CSRF})
            assert came.status_code in {302, 429}, each
            assert is_here(came.headers.get("location", ""), host), each


def test_no_path_is_redirected_to_another_host(site: Server, eve: Person) -> None:
    """A redirect that adds a slash or a scheme may not turn `//host` into another site."""
    host = urlsplit(site.url).netloc
    for each in AWAY:
        path = "/" + quote(each.format(host=host)[:2000], safe="/\\:@.;,%")
        for more in ("", "/..", "/%2e%2e", "/chat"):
            came = eve.client.get(site.url + path + more)
            assert came.status_code < 500, path
            assert is_here(came.headers.get("location", ""), host), path
