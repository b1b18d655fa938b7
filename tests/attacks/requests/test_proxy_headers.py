"""Headers with which a client pretends to be a proxy, another client or another host.

Behind nginx only the address that nginx saw counts: whoever could choose theirs would escape every
limit by address, or spend somebody else's. The site's own name comes from `SITE_URL`.
"""

import re

import pytest

from tests.attacks.requests.conftest import ORIGIN, Proxied
from tests.support.attacks.people import CSRF
from tests.support.attacks.raw_http import say
from tests.support.servers.nginx import NAME, client_of
from tests.support.servers.server import Server

FORGED = [
    ("X-Forwarded-For", "{n}.1.1.1"), ("X-Forwarded-For", "127.0.0.1, {n}.1.1.1"), ("X-Forwarded-For", "[2001:db8:{n}::1]:443"), ("X-Forwarded-For", "unknown, {n}.9.9.9,"),
    ("x-forwarded-for", "{n}.2.2.2"), ("X_Forwarded_For", "{n}.3.3.3"), ("X-Forwarded_For", "{n}.4.4.4"), ("Forwarded", "for={n}.5.5.5;proto=http;host=attacker.invalid"), ("X-Real-IP", "{n}.6.6.6"),
    ("X-Client-IP", "{n}.7.7.7"), ("True-Client-IP", "{n}.8.8.8"), ("CF-Connecting-IP", "{n}.9.9.9"), ("X-Cluster-Client-IP", "{n}.10.1.1"), ("Fastly-Client-IP", "{n}.11.1.1"), ("X-Forwarded", "{n}.12.1.1"),
    ("Forwarded-For", "{n}.13.1.1"), ("Via", "1.1 {n}.attacker.invalid"), ("Client-IP", "{n}.14.1.1"), ("REMOTE_ADDR", "{n}.15.1.1"), ("Remote-Addr", "{n}.16.1.1"), ("X-Originating-IP", "{n}.17.1.1"), ("X-Remote-IP", "{n}.18.1.1"),
]  # fmt: skip
HOSTS = [
    "attacker.invalid", "chat.example.org.attacker.invalid", "attacker.invalid:443", "chat.example.org:443@attacker.invalid", "chat.example.org, attacker.invalid", "chat.example.org#attacker.invalid", "chat.example.org/x", "CHAT.EXAMPLE.ORG",
    "chat.example.org.", "chat.example.org:65536", "chat.example.org:-1", "chat.example.org:x", "[::1]", "127.0.0.1", "localhost", "chat.example.org%00.attacker.invalid", "chat.example.org\\.attacker.invalid", "-", "*", "chat.example.org:443",
]  # fmt: skip
OTHER_HOST_HEADERS = [
    "X-Forwarded-Host", "X-Forwarded-Server", "X-Host", "X-Original-Host", "X-HTTP-Host-Override", "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Prefix", "X-Script-Name", "Script-Name", "SCRIPT_NAME", "Daphne-Root-Path", "X-Forwarded-Port",
    "X-Forwarded-Scheme", "X-URL-Scheme", "Front-End-Https", "X-Accel-Redirect", "X-Sendfile", "X-Forwarded-Path", "X-HTTP-Method-Override", "X-Method-Override", "Base-Url", "Proxy-Host", "Proxy", "Destination", "Request-Uri", "X-Wap-Profile", "Profile",
]  # fmt: skip


def wrong_sign_in(proxied: Proxied, email: str, name: str, text: str) -> str:
    with client_of(proxied.url) as client:
        client.cookies.set("csrftoken", CSRF)
        headers = {"Origin": ORIGIN, "X-CSRFToken": CSRF, "Referer": f"{ORIGIN}/", name: text}
        fields = {"login": email, "password": "wrong"}
        return client.post("/accounts/login/", data=fields, headers=headers).text


@pytest.mark.parametrize("forged", FORGED, ids=lambda each: f"{each[0]} {each[1]}")
def test_a_forged_address_does_not_give_more_tries(
    proxied: Proxied, forged: tuple[str, str]
) -> None:
    """All tries come from one address, so the sixth is refused whatever it claims."""
    name, form = forged
    email = f"{FORGED.index(forged)}@example.org"
    pages = [wrong_sign_in(proxied, email, name, form.format(n=n)) for n in range(1, 8)]
    assert "Too many attempts" in pages[-1]


def test_a_forged_host_is_refused_and_never_repeated(proxied: Proxied) -> None:
    for host in HOSTS:
        line = f"GET /accounts/login/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        heard = say(proxied.url, line.encode(), quiet=0.3, name=NAME)
        assert heard.statuses, host
        assert heard.statuses[0] in {200, 301, 400, 421}, (host, heard.data[:200])
        assert b"attacker.invalid" not in heard.data, host


def test_no_other_header_names_the_host_or_the_path(proxied: Proxied) -> None:
    with client_of(proxied.url) as client:
        for name in OTHER_HOST_HEADERS:
            for text in (
                "attacker.invalid",
                "https://attacker.invalid/",
                "/metrics",
                "DELETE",
                "http",
            ):
                for path in (
                    "/",
                    "/accounts/login/",
                    "/chat/",
                    "/.well-known/security.txt",
                    "/w.js",
                ):
                    came = client.get(path, headers={name: text})
                    assert came.status_code in {200, 302, 404}, (name, text, came.status_code)
                    assert "attacker.invalid" not in came.text + str(came.headers), (name, path)
                    assert "runnel_" not in came.text


def test_without_a_trusted_proxy_no_header_counts(fresh_site: Server) -> None:
    """A worker that people reach directly believes no header at all."""
    found = set()
    for number, (name, form) in enumerate(FORGED * 2):
        line = (
            f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{fresh_site.port}\r\n{name}: {form.format(n=number)}\r\n"
            "Authorization: Bearer rk_wrong\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
        )
        heard = say(fresh_site.url, line.encode(), quiet=0.3)
        found |= set(heard.statuses)
    assert found == {401, 429}, "after twenty wrong keys in a minute, more are refused"


def test_the_scheme_is_the_proxys(proxied: Proxied) -> None:
    """Cookies stay secure, and nothing redirects in circles, whatever a client says of its scheme."""
    with client_of(proxied.url) as client:
        for text in ("http", "https", "https, http", "HTTPS", "on", ""):
            came = client.get("/accounts/login/", headers={"X-Forwarded-Proto": text})
            assert came.status_code == 200
            assert all("Secure" in each for each in came.headers.get_list("set-cookie"))
            assert len(re.findall("max-age", came.headers["strict-transport-security"])) == 1
