"""Pages are fetched from the public internet only, with limits on time and size."""

import gzip
import ipaddress
import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.x509.oid import NameOID
from pytest_django import Settings

from chat.errors import BadRequest
from chat.fetching import public_requests
from chat.lib.network_addresses import is_public
from chat.widget_sites.site_check import fetching
from chat.widget_sites.site_check.fetching import MAX_BYTES, fetch, fetch_own
from tests.support.browser.website import HTML, Website, website


@pytest.fixture(autouse=True)
def _local(settings: Settings) -> None:
    settings.CHECK_LOCAL_SITES = True


@pytest.fixture
async def shop() -> AsyncIterator[Website]:
    async with website() as found:
        yield found


async def refusal(url: str) -> str:
    with pytest.raises(BadRequest) as refused:
        await fetch(url)
    return refused.value.public


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "1.1.1.1", "2606:4700::1111", "::ffff:93.184.216.34"]
)
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.9.10", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1",
        "169.254.169.254", "192.0.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1",
        "255.255.255.255", "::1", "::", "::127.0.0.1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
        "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "64:ff9b::10.0.0.1", "2002:7f00:1::1",
        "2001:0:7f00:1::1", "2001:db8::1", "fec0::1", "168.63.129.16", "192.0.0.9",
        "192.0.0.192", "192.88.99.1", "::ffff:168.63.129.16",
    ],
)  # fmt: skip
def test_other_addresses_are_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "host",
    [
        "10.0.0.1", "169.254.169.254", "127.0.0.2", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]",
        "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[fe80::1]", "10.0.0.1.",
    ],
)  # fmt: skip
async def test_private_networks_are_refused_however_they_are_written(
    shop: Website, host: str
) -> None:
    words = await refusal(f"http://{host}:{shop.port}/")
    assert words in {
        "This website isn't on the public internet, so it can't be checked from here.",
        "No website was found at this address.",
        "This isn't a web address.",
    }
    assert shop.requests == []


async def test_this_machine_is_allowed_only_by_the_setting(
    shop: Website, settings: Settings
) -> None:
    shop.show("/", "here")
    for host in ("localhost", "127.0.0.1"):
        assert (await fetch(f"http://{host}:{shop.port}/")).text == "here"
    settings.CHECK_LOCAL_SITES = False
    for host in ("localhost", "127.0.0.1"):
        assert "isn't on the public internet" in await refusal(f"http://{host}:{shop.port}/")
    assert len(shop.requests) == 2


@pytest.mark.parametrize(
    "to", ["http://169.254.169.254/latest/", "http://[::1]:{port}/", "http://127.0.0.2:{port}/"]
)
async def test_a_redirect_into_a_private_network_is_refused(shop: Website, to: str) -> None:
    location = f"Location: {to.format(port=shop.port)}"
    shop.show("/", "", location, status="302 Found")
    assert "isn't on the public internet" in await refusal(f"http://localhost:{shop.port}/")
    assert len(shop.requests) == 1


@pytest.mark.parametrize("port", [22, 25, 1023])
async def test_ports_of_other_services_are_refused(port: int) -> None:
    assert "isn't on the public internet" in await refusal(f"http://1.1.1.1:{port}/")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://localhost/", "http://a:b@localhost/"])
async def test_other_url_schemes_are_refused(url: str) -> None:
    assert await refusal(url) == "This isn't a web address."


async def test_an_unknown_host_name_is_reported(shop: Website) -> None:
    assert await refusal("https://nowhere.invalid/") == "No website was found at this address."


async def test_redirects_are_followed_up_to_a_limit(shop: Website) -> None:
    shop.show("/", "", "Location: /shop#part", status="301 Moved")
    shop.show("/shop", "the shop")
    page = await fetch(f"http://localhost:{shop.port}/")
    assert (page.url, page.text) == (f"http://localhost:{shop.port}/shop", "the shop")
    shop.show("/round", "", "Location: /round", status="302 Found")
    assert "Too many redirects" in await refusal(f"http://localhost:{shop.port}/round")


async def test_the_request_has_no_credentials(shop: Website) -> None:
    shop.show("/a?b=c", "x")
    await fetch(f"http://localhost:{shop.port}/a?b=c#d")
    request = shop.requests[0]
    assert request.startswith("GET /a?b=c HTTP/1.1\r\n")
    assert f"\r\nHost: localhost:{shop.port}\r\n" in request
    for name in ("cookie", "referer", "authorization"):
        assert f"\r\n{name}:" not in request.lower()


async def test_repeated_headers_are_kept(shop: Website) -> None:
    policies = ("Content-Security-Policy: a", "content-security-policy: b")
    shop.show("/", "x", *HTML, *policies)
    page = await fetch(f"http://localhost:{shop.port}/")
    assert page.values("content-security-policy") == ["a", "b"]


async def test_error_statuses_and_other_content_types_are_reported(shop: Website) -> None:
    url = f"http://localhost:{shop.port}"
    shop.show("/gone", "x", status="404 Not Found")
    shop.show("/picture", "x", "Content-Type: image/png")
    shop.show("/odd", "x", *HTML, "Content-Encoding: br")
    shop.show("/broken", "nonsense", *HTML, "Content-Encoding: gzip")
    assert await refusal(f"{url}/gone") == f"{url}/gone returned error 404."
    assert await refusal(f"{url}/picture") == f"{url}/picture isn't an HTML page."
    assert "compression" in await refusal(f"{url}/odd")
    assert await refusal(f"{url}/broken") == "The server at this address isn't a web server."
    assert await refusal(f"{url}/nonsense") == "The server at this address isn't a web server."


async def test_a_closed_port_is_reported() -> None:
    async with website() as gone:
        pass
    assert await refusal(f"http://127.0.0.1:{gone.port}/") == "No server responds at this address."


async def test_an_endless_page_is_read_up_to_a_limit(shop: Website) -> None:
    shop.answers["/"] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    shop.endless = b"x" * 65536
    assert len((await fetch(f"http://localhost:{shop.port}/")).text) == MAX_BYTES


async def test_a_decompression_bomb_is_cut(shop: Website) -> None:
    bomb = gzip.compress(b"x" * (64 * MAX_BYTES))
    head = f"Content-Length: {len(bomb)}\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
    shop.answers["/"] = f"HTTP/1.1 200 OK\r\n{head}\r\n".encode() + bomb
    assert len((await fetch(f"http://localhost:{shop.port}/")).text) == MAX_BYTES


async def test_a_silent_server_times_out(shop: Website, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "TOTAL_SECONDS", 0.2)
    shop.is_silent = True
    words = await refusal(f"http://localhost:{shop.port}/")
    assert words.startswith("No response within")


def certified(folder: Path, *names: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return a server's TLS context, and a client's that trusts it."""
    key = generate_private_key(SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "shop")])
    now = datetime.now(UTC)
    alternatives: list[x509.GeneralName] = [x509.DNSName(each) for each in names]
    alternatives.append(x509.IPAddress(ipaddress.ip_address("192.0.2.1")))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    private = key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())
    file.write_bytes(private + certificate.public_bytes(forms.Encoding.PEM))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    return server, ssl.create_default_context(cafile=str(file))


async def test_the_certificate_is_verified_for_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, trust = certified(tmp_path, "localhost")
    async with website(server) as shop:
        shop.show("/", "safe")
        url = f"https://localhost:{shop.port}/"
        assert "The certificate isn't valid" in await refusal(url)
        monkeypatch.setattr(public_requests, "trust_store", lambda: trust)
        assert (await fetch(url)).text == "safe"
        assert "certificate" in await refusal(f"https://127.0.0.1:{shop.port}/")


async def test_our_own_frame_is_fetched_if_possible(shop: Website) -> None:
    shop.show("/w/key/", "x", *HTML, "X-Frame-Options: DENY")
    page = await fetch_own(f"http://127.0.0.1:{shop.port}/w/key/")
    assert page
    assert page.values("x-frame-options") == ["DENY"]
    shop.show("/w/gone/", "x", status="404 Not Found")
    assert await fetch_own(f"http://127.0.0.1:{shop.port}/w/gone/") is None
    assert await fetch_own("http://nowhere.invalid/w/key/") is None
