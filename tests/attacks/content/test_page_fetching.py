"""Making this server ask for addresses that only it can reach (SSRF, CWE-918).

A member names a page of their website, and the server fetches it. Traps listen on this machine, on
IPv4 and IPv6; whatever the address looks like, wherever a page redirects to and however often a name
changes its address, no trap may hear anything, and the answer comes soon and tells nothing of the
network.
"""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from chat.errors import BadRequest
from chat.lib.network_addresses import is_public
from chat.widget_sites.site_check.fetching import fetch
from tests.support.attacks.attacked_site import attacked_site
from tests.support.attacks.people import Person, person
from tests.support.browser.website import website
from tests.support.servers.server import Server

#: `{port}` is a trap's, on 127.0.0.1 and ::1.
ADDRESSES = [
    "http://127.0.0.1:{port}/", "http://127.1:{port}/", "http://127.0.1:{port}", "http://2130706433:{port}/", "http://0x7f000001:{port}/", "http://0x7f.0.0.1:{port}/", "http://0177.0.0.1:{port}/", "http://017700000001:{port}/", "http://0x7f.1:{port}/", "http://127.0.0.1.:{port}/", "http://0:{port}/", "http://0.0.0.0:{port}/", "http://00000:{port}",
    "http://[::1]:{port}/", "http://[::]:{port}/", "http://[0:0:0:0:0:0:0:1]:{port}/", "http://[::ffff:127.0.0.1]:{port}/", "http://[::ffff:7f00:1]:{port}/", "http://[::127.0.0.1]:{port}/", "http://[0000::1]:{port}", "http://[::1%25lo]:{port}/", "http://[::1%lo]:{port}/", "http://[64:ff9b::7f00:1]:{port}/", "http://[2002:7f00:1::]:{port}/", "http://[fe80::1%25lo]:{port}/", "http://[::ffff:0:127.0.0.1]:{port}/",
    "http://localhost:{port}/", "http://LOCALHOST:{port}/", "http://localhost.:{port}/", "http://localhost.localdomain:{port}/", "http://a.localhost:{port}/", "http://ip6-localhost:{port}/", "http://loopback:{port}", "http://ｌocalhost:{port}/", "http://loc\u00adalhost:{port}/", "http://①②⑦.⓪.⓪.①:{port}/", "http://127。0。0。1:{port}/", "http://127%2e0%2e0%2e1:{port}/", "http://%6c%6f%63alhost:{port}/", "http://ⓛocalhost:{port}/",
    "http://user@127.0.0.1:{port}/", "http://example.com@127.0.0.1:{port}/", "http://example.com:80@127.0.0.1:{port}/", "http://127.0.0.1:{port}@example.com:{port}/", "http://example.com#@127.0.0.1:{port}/", "http://example.com?@127.0.0.1:{port}/", "http://example.com\\@127.0.0.1:{port}/", "http://127.0.0.1:{port}\\@example.com/", "http://a:b@localhost:{port}/", "http://@127.0.0.1:{port}/", "http://:@127.0.0.1:{port}",
    "http:127.0.0.1:{port}/", "http:/127.0.0.1:{port}/", "http:///127.0.0.1:{port}/", "http://\t127.0.0.1:{port}/", "http://127.0.0.1\t:{port}/", "http://127.0.0.1:{port}\r\nX: y", "http://127.0.0.1:\u0660{port}/", "http://127.0.0.1:0{port}/", "http://127.0.0.1:{port}%2f", "//127.0.0.1:{port}/", "127.0.0.1:{port}", "localhost:{port}/x", "[::1]:{port}", "http://127.0.0.1 :{port}/", "http:\\\\127.0.0.1:{port}/",
    "https://127.0.0.1:{port}/", "https://localhost:{port}/", "ftp://127.0.0.1:{port}/", "gopher://127.0.0.1:{port}/_x", "file:///etc/passwd", "file://127.0.0.1/etc/passwd", "dict://127.0.0.1:{port}/", "ldap://127.0.0.1:{port}/", "jar:http://127.0.0.1:{port}!/", "tftp://127.0.0.1:{port}/x", "data:text/html,x", "javascript:alert(1)", "unix:/run/x.sock", "http+unix://%2frun%2fx/", "ws://127.0.0.1:{port}/", "about:blank", "view-source:http://127.0.0.1:{port}/",
    "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/latest/", "http://metadata.google.internal/", "http://169.254.170.2/", "http://100.100.100.200/", "http://192.0.0.192/", "http://168.63.129.16/", "http://2852039166/", "http://0xa9fea9fe/", "http://[::ffff:a9fe:a9fe]/", "http://[::ffff:169.254.169.254]/", "http://169.254.169.254.:80/", "http://[fe80::a9fe:a9fe]/",
    "http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.0.1/", "http://100.64.0.1/", "http://198.18.0.1/", "http://203.0.113.1/", "http://224.0.0.1/", "http://239.255.255.250:1900/", "http://240.0.0.1/", "http://255.255.255.255/", "http://[fc00::1]/", "http://[fd12:3456::1]/", "http://[ff02::1]/", "http://[2001:db8::1]/", "http://[2001::1]/", "http://[100::1]/", "http://[::]/", "http://[::ffff:10.0.0.1]/", "http://[2002:a00:1::]/", "http://[64:ff9b:1::a00:1]/", "http://[5f00::1]/", "http://[3fff::1]/",
    "http://127.0.0.1:22/", "http://127.0.0.1:5432/", "http://127.0.0.1:6379/", "http://127.0.0.1:0/", "http://127.0.0.1:65536/", "http://127.0.0.1:-1/", "http://127.0.0.1:99999999999/", "http://127.0.0.1:/", "http://", "http://.", "http://..", "http://-", "http://" + "a" * 300 + ".example/", "http://" + "a." * 130 + "example/", "http://xn--.example/", "http://%00/", "http://[", "http://[]/", "http://[::1/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://\ud800.example/", "x" * 5000,
]  # fmt: skip


class Trap:
    """Listens on both loopback addresses, and counts who comes."""

    def __init__(self) -> None:
        self.heard = 0
        self._sockets = [socket.socket(socket.AF_INET), socket.socket(socket.AF_INET6)]
        self._sockets[0].bind(("127.0.0.1", 0))
        self.port: int = self._sockets[0].getsockname()[1]
        with contextlib.suppress(OSError):  # a machine without IPv6
            self._sockets[1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            self._sockets[1].bind(("::1", self.port))
        self._is_open = True
        for each in self._sockets:
            with contextlib.suppress(OSError):
                each.listen()
                each.settimeout(0.2)
        self._threads = [
            threading.Thread(target=self._accept, args=[each]) for each in self._sockets
        ]
        for thread in self._threads:
            thread.start()

    def _accept(self, listener: socket.socket) -> None:
        while self._is_open:
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            self.heard += 1
            connection.close()

    def close(self) -> None:
        self._is_open = False
        for thread in self._threads:
            thread.join()
        for each in self._sockets:
            each.close()


@pytest.fixture
def trap() -> Iterator[Trap]:
    found = Trap()
    yield found
    found.close()


@pytest.fixture(scope="module")
def careful() -> Iterator[Server]:
    """A site that treats its own machine as a site on the internet does."""
    with attacked_site(CHECK_LOCAL_SITES="no", PRIVATE_PROVIDERS="no") as server:
        yield server


@pytest.fixture(scope="module")
def owner(careful: Server) -> Person:
    return person(careful, "alice@example.org")


@pytest.mark.timeout(600)
def test_no_address_makes_the_server_knock_at_its_own_door(
    careful: Server, owner: Person, trap: Trap
) -> None:
    key, wrong = owner.make_site(), []
    for number, form in enumerate(ADDRESSES):
        if number % 9 == 0:
            careful.run("from django.core.cache import cache; cache.clear()")
        address = form.replace("{port}", str(trap.port)).encode("utf-8", "replace").decode()
        came = owner.form(f"/sites/{key}/check/", {"address": address})
        if came.status_code != 422 or came.elapsed.total_seconds() > 15:
            wrong.append((form[:80], came.status_code, came.elapsed))
        assert "root:" not in came.text
    assert wrong == []
    assert trap.heard == 0
    assert "Traceback" not in careful.log.read_text()


def test_no_address_of_a_webhook_is_saved_that_is_never_delivered_to(
    careful: Server, owner: Person, trap: Trap
) -> None:
    key, saved = owner.make_site(), []
    for form in (
        "https://127.0.0.1/",
        "https://169.254.169.254/",
        "https://user:p@example.com/",
        "https://[::1]/",
        "https://localhost/",
        "https://10.0.0.1/",
        "https://2130706433/",
    ):
        came = owner.form(
            f"/sites/{key}/people/", {"webhook": form, "webhook_url": form, "notify": "on"}
        )
        stored = careful.run(
            f"from chat.widget_sites.models import WidgetSite; print(WidgetSite.objects.get(key={key!r}).webhook_url)"
        )
        if came.status_code == 302 and stored == form:
            saved.append(form)
    assert saved == []


@pytest.fixture
def _as_on_the_internet(settings: Settings) -> None:
    settings.CHECK_LOCAL_SITES = False


#: What a name may resolve to, one answer after the other.
REBINDING = [
    [["93.184.216.34"], ["127.0.0.1"]], [["93.184.216.34", "127.0.0.1"]], [["127.0.0.1", "93.184.216.34"]], [["::ffff:127.0.0.1"]], [["93.184.216.34"], ["169.254.169.254"]], [["2606:4700::1111", "::1"]], [["64:ff9b::7f00:1"]], [["fe80::1%lo"]], [["0.0.0.0"]], [["::"]], [["2002:7f00:1::1"]], [["2001:0:7f00:1::"]], [["192.88.99.1"]], [["100.64.1.1"]],
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.usefixtures("_as_on_the_internet")
@pytest.mark.parametrize("answers", REBINDING, ids=str)
async def test_a_name_that_changes_its_address_leads_nowhere(
    answers: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was checked is connected to; a second answer of the name server is never asked for."""
    asked, connected = [], []
    left = list(answers)

    async def resolve(self: object, host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        found = left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    async def connect(remote_host: str, **_: Any) -> Any:
        connected.append(remote_host)
        raise ConnectionRefusedError

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(type(loop), "getaddrinfo", resolve)
    monkeypatch.setattr("anyio.connect_tcp", connect)
    with pytest.raises(BadRequest):
        await asyncio.wait_for(fetch("http://rebinding.example/"), 20)
    assert asked == ["rebinding.example"]
    assert all(map(is_public, connected)), connected


#: Where a page that is allowed redirects to.
LOCATIONS = [
    "http://127.0.0.1:{trap}/", "//127.0.0.1:{trap}/", "http://[::1]:{trap}/", "http://169.254.169.254/latest/", "http://10.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1:{trap}/", "http://user@127.0.0.1:{trap}/", "http://2130706433:{trap}/", "http://127.0.0.1:{trap}\\@localhost:{port}/", "\thttp://127.0.0.1:{trap}/", "http://[::ffff:127.0.0.1]:{trap}/", "http://0.0.0.0:{trap}/", "javascript:1", "data:text/html,x", "http:///127.0.0.1:{trap}", "", " ", "/loop", "http://localhost:99999/", "http://[::1", "http://\xff", "x" * 60_000,
]  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("location", LOCATIONS, ids=lambda each: each[:30])
async def test_a_redirect_is_checked_like_the_first_address(
    location: str, settings: Settings, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the first page is let through here; where it points is treated as on the internet."""
    settings.CHECK_LOCAL_SITES = True
    monkeypatch.setattr("chat.fetching.addresses.LOCAL", frozenset({"localhost"}))
    async with website() as shop:
        to = location.format(trap=trap.port, port=shop.port)
        shop.answers["/"] = (
            f"HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()
        )
        shop.answers["/loop"] = (
            b"HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n"
        )
        with pytest.raises(BadRequest):
            await asyncio.wait_for(fetch(f"http://localhost:{shop.port}/"), 20)
    assert trap.heard == 0


#: Answers of a hostile website.
ANSWERS = {
    "no end of the head": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000, "a long line": b"HTTP/1.1 200 " + b"x" * 200_000, "many heads": b"HTTP/1.1 100 Continue\r\n\r\n" * 5000, "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx", "a huge chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx", "no HTTP": b"SSH-2.0-x\r\n", "nothing": b"",
    "NUL": b"\x00" * 1000, "a null status": b"HTTP/1.1 000 x\r\n\r\n", "a status of letters": b"HTTP/1.1 abc x\r\n\r\n", "another protocol": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "br": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br, gzip, gzip\r\nContent-Length: 1\r\n\r\nx",
    "a charset that does not exist": b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf; charset=zlib_codec\r\nContent-Length: 1\r\n\r\nx", "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", "early end": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 999\r\n\r\n<p>",
}  # fmt: skip


@pytest.mark.quick
@pytest.mark.parametrize("answer", ANSWERS)
async def test_a_hostile_website_gets_a_refusal_in_words(answer: str, settings: Settings) -> None:
    settings.CHECK_LOCAL_SITES = True
    async with website() as shop:
        shop.answers["/"] = ANSWERS[answer]
        with pytest.raises(BadRequest) as refused:
            await asyncio.wait_for(fetch(f"http://localhost:{shop.port}/"), 20)
    assert refused.value.public
