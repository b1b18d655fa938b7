"""Bytes that a proxy and a server may read as different requests (smuggling, CWE-444).

Whoever makes them disagree puts a request of theirs in front of somebody else's, or reaches addresses
that only the operator may ask for. Each message asks for `/metrics` inside; if it is ever answered,
the inner request was taken for one of its own.
"""

import re

import pytest

from tests.attacks.requests.conftest import Proxied
from tests.support.attacks.people import browser
from tests.support.attacks.raw_http import Heard, say
from tests.support.servers.nginx import NAME
from tests.support.servers.server import Server

INNER = b"GET /metrics HTTP/1.1\r\nHost: chat.example.org\r\nX-Inner: 1\r\n\r\n"
CHUNK = b"%x\r\n%b\r\n0\r\n\r\n" % (len(INNER), INNER)
POST = b"POST /chat/stream HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
LENGTHS = [
    b"Content-Length: 5\r\nContent-Length: %d\r\n" % len(INNER),
    b"Content-Length: %d\r\nContent-Length: 5\r\n" % len(INNER),
    b"Content-Length: 0, %d\r\n" % len(INNER), b"Content-Length: 0\r\nContent-Length: 0\r\n",
    b"Content-Length: +0\r\n", b"Content-Length: -0\r\n", b"Content-Length: -1\r\n", b"Content-Length: 0x0\r\n", b"Content-Length: 0_0\r\n",
    b"Content-Length: 0 0\r\n", b"Content-Length: \r\n", b"Content-Length: 00000000000000000000000000000\r\n",
    b"Content-Length: 18446744073709551616\r\n", b"Content-Length: 9223372036854775807\r\n", b"Content-Length: 4294967296\r\n", b"Content-Length: 1e0\r\n",
    b"Content-Length: \xd9\xa0\r\n", b"Content-Length : 0\r\n", b"Content-Length\t: 0\r\n", b" Content-Length: 0\r\n", b"Content-Length:0\x0b\r\n",
    b"Content-Length: 0;x=y\r\n", b"Content_Length: 0\r\n", b"CONTENT-LENGTH: 0\r\ncontent-length: %d\r\n" % len(INNER),
]  # fmt: skip
CODINGS = [
    b"Transfer-Encoding: chunked\r\nContent-Length: %d\r\n" % len(CHUNK), b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked, identity\r\n", b"Transfer-Encoding: identity, chunked\r\n", b"Transfer-Encoding: gzip, chunked\r\n",
    b"Transfer-Encoding: xchunked\r\n", b"Transfer-Encoding: chunkedx\r\n", b"Transfer-Encoding: \x0bchunked\r\n", b"Transfer-Encoding: chunked\x0b\r\n",
    b"Transfer-Encoding:\tchunked\r\n", b"Transfer-Encoding : chunked\r\n", b" Transfer-Encoding: chunked\r\n", b"X: y\r\n Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding:\r\n chunked\r\n", b"Transfer-Encoding: \"chunked\"\r\n", b"Transfer-Encoding: CHUNKED\r\n", b"Transfer-Encoding: chunked;q=1\r\n",
    b"Transfer_Encoding: chunked\r\n", b"X: y\nTransfer-Encoding: chunked\r\n", b"X: y\rTransfer-Encoding: chunked\r\n", b"Transfer-Encoding: chunked\r\nTE: trailers\r\n",
    b"Transfer-Encoding: chunked\x00\r\n", b"Transfer-Encoding: chun\x00ked\r\n", b"\x00Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: \xc3\xa7hunked\r\n",
    b"Transfer-Encoding: chunked, chunked\r\n", b"Transfer-Encoding: ,chunked\r\n", b"Transfer-Encoding:\r\n",
]  # fmt: skip
BODIES = [
    b"0\r\n\r\n" + INNER, b"0\r\nX: y\r\n\r\n" + INNER, b"0;ext=\"\r\n\r\n" + INNER, b"00\r\n\r\n" + INNER, b"0x0\r\n\r\n" + INNER,
    b"-0\r\n\r\n" + INNER, b"+0\r\n\r\n" + INNER, b"0\n\n" + INNER, b"0\r\r" + INNER, b"2\r\n{}\r\n0\r\n\r\n" + INNER, b"2;\n{}\r\n0\r\n\r\n" + INNER,
    b"2\r\n{}xx0\r\n\r\n" + INNER, b"fffffffffffffffff\r\n{}", b"1_0\r\n" + INNER, b"10000000000000002\r\n{}\r\n0\r\n\r\n" + INNER, b"\r\n0\r\n\r\n" + INNER,
    b"2 \r\n{}\r\n0\r\n\r\n" + INNER, b" 2\r\n{}\r\n0\r\n\r\n" + INNER, b"2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n" + INNER, b"2;" + b"x" * 70_000 + b"\r\n{}\r\n0\r\n\r\n" + INNER,
    b"0\r\nTransfer-Encoding: x\r\nHost: evil\r\n\r\n" + INNER, b"\xd9\xa2\r\n{}\r\n0\r\n\r\n" + INNER, b"2\r\n{}\n0\r\n\r\n" + INNER, b"2;a=\x00\r\n{}\r\n0\r\n\r\n" + INNER,
]  # fmt: skip
#: Whole requests. `{inner}` is one in a place where no request belongs.
LINES = [
    b"GET /chat/stream HTTP/1.1\r\nHost: {host}\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n{inner}",
    b"GET /x HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 777\r\nSec-WebSocket-Key: x\r\n\r\n{inner}",
    b"GET /x HTTP/1.1\r\nHost: {host}\r\nContent-Length: {n}\r\n\r\n{inner}", b"HEAD /x HTTP/1.1\r\nHost: {host}\r\nContent-Length: {n}\r\n\r\n{inner}",
    b"GET /x HTTP/1.1\r\nHost: {host}\r\nExpect: 100-continue\r\nContent-Length: {n}\r\n\r\n{inner}", b"GET /x\r\n{inner}",
    b"GET /x HTTP/1.0\r\nConnection: keep-alive\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n{n16}\r\n{inner}\r\n0\r\n\r\n",
    b"GET /x HTTP/0.9\r\n\r\n{inner}", b"GET /x HTTP/2.0\r\nHost: {host}\r\nContent-Length: {n}\r\n\r\n{inner}", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /x HTTP/1.1\r\nHost: {host}\r\nX: a\r\n\tb: {inner}\r\n\r\n", b"GET /x%0d%0a%0d%0aGET%20/metrics HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET /x?\r%0aX:1 HTTP/1.1\r\nHost: {host}\r\n\r\n", b"GET http://{host}/metrics HTTP/1.1\r\nHost: other.example\r\n\r\n", b"CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: {host}\r\n\r\n{inner}",
    b"TRACE /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n", b"GET  /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n", b"GET\t/metrics\tHTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"\r\n\r\nGET /x HTTP/1.1\r\nHost: {host}\r\n\r\n", b"\x00GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n", b"GET /x HTTP/1.1\r\nHost: {host}\r\nHost: other.example\r\n\r\n",
    b"GET /x HTTP/1.1\r\n\r\n", b"GET /x HTTP/1.1\r\nHost: {host}/../metrics\r\n\r\n", b"GET /x HTTP/1.1\r\nHost: {host}@evil\r\n\r\n", b"G\xc3\x89T /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n",
]  # fmt: skip
#: Spellings of addresses that nginx hides.
HIDDEN = [
    "/metrics", "/readyz", "//metrics", "/./metrics", "/x/../metrics", "/%6detrics", "/metrics/", "/metrics%00", "/metrics%20", "/metrics%2f", "/metrics;x", "/metrics/.",
    "/static/../metrics", "/static/..%2fmetrics", "/static/%2e%2e/metrics", "/METRICS", "/metrics?x", "/metrics#x", "/metrics%23", "/metrics%3f", "/chat/..;/metrics", "/\\metrics",
    "/x/%2e%2e/%2e%2e/metrics", "/%2fmetrics", "/metrics%0a", "/metrics%0d%0a", "/%252e%252e/metrics", "/.metrics", "/v1/../metrics", "/w/x/../../readyz", "/settings/import/../../metrics", "/metrics%c0%80",
    "/m%65trics%ff", "/metrics\t", "/static/../../metrics", "/static//../metrics", "/..%5cmetrics", "/%5cmetrics", "/metrics,", "/metrics~", "/%e2%80%8bmetrics", "/ｍetrics", "/streamz", "/readyz/", "/readyz%09",
]  # fmt: skip
SIGNS = (b"runnel_", b"# HELP", b"python_info", b'"database"')


def is_leak(heard: Heard) -> bool:
    return any(sign in heard.data for sign in SIGNS)


def messages(host: str) -> list[bytes]:
    """Return the bytes of all attacks, each for one connection."""
    post = POST.replace(b"{host}", host.encode())
    made = [post + each + b"\r\n" + INNER for each in LENGTHS]
    made += [post + each + b"\r\n" + CHUNK for each in CODINGS]
    made += [post + each + b"\r\n0\r\n\r\n" + INNER for each in CODINGS]
    made += [post + b"Transfer-Encoding: chunked\r\n\r\n" + each for each in BODIES]
    filled = {
        b"{host}": host.encode(),
        b"{inner}": INNER,
        b"{n}": b"%d" % len(INNER),
        b"{n16}": b"%x" % len(INNER),
    }
    for line in LINES:
        for name, text in filled.items():
            line = line.replace(name, text)
        made.append(line)
    return made


@pytest.mark.timeout(600)
def test_nginx_and_the_worker_agree_where_a_request_ends(proxied: Proxied) -> None:
    """A request that nginx answers itself asks for metrics in vain: it may not reach the worker."""
    made = messages(NAME)
    assert len(made) >= 130
    for message in made:
        heard = say(proxied.url, message, quiet=0.15, name=NAME)
        assert not is_leak(heard), message
        assert b"Traceback" not in heard.data, message
    log = proxied.server.log.read_text()
    assert '"route": "metrics"' not in log
    assert "Traceback" not in log
    assert Heard(say(proxied.url, _usual(NAME), quiet=0.15).data, False).statuses == [200]


@pytest.mark.timeout(600)
def test_the_worker_refuses_what_is_no_single_request(site: Server) -> None:
    """Here an inner request may be a second one, as pipelining allows; its head has to be whole."""
    for message in messages(f"127.0.0.1:{site.port}"):
        heard = say(site.url, message, quiet=0.15)
        assert all(each < 500 or each == 501 for each in heard.statuses), (message, heard.data)
        assert len(heard.statuses) <= 2, message
    for coding in CODINGS[:2]:
        heard = say(
            site.url, POST.replace(b"{host}", b"127.0.0.1") + coding + b"\r\n" + CHUNK, quiet=0.15
        )
        assert len(heard.statuses) <= 1, (coding, heard.data)
    assert "Traceback" not in site.log.read_text()
    assert browser(site).get("/healthz").text == "ok\n"


def test_addresses_for_the_operator_are_hidden_by_nginx_however_they_are_written(
    proxied: Proxied,
) -> None:
    for path in HIDDEN:
        for version in ("1.1", "1.0"):
            line = f"GET {path} HTTP/{version}\r\nHost: {NAME}\r\nConnection: close\r\n\r\n"
            heard = say(proxied.url, line.encode(), quiet=0.15, name=NAME)
            assert not is_leak(heard), path
            assert not any(each == 200 for each in heard.statuses), (path, heard.data[:200])
    assert '"route": "metrics"' not in proxied.server.log.read_text()


def test_no_header_of_a_client_is_split_into_two_of_the_response(proxied: Proxied) -> None:
    """What is repeated in a response (a redirect, a file name, a cookie) has no line feeds."""
    breaks = [
        "%0d%0aX-Evil:1",
        "%0aX-Evil:1",
        "%0dX-Evil:1",
        "%E5%98%8A%E5%98%8DX-Evil:1",
        "%u000aX-Evil:1",
        "%00%0aX-Evil:1",
    ]
    for place in (
        "/{}",
        "/chat/?next={}",
        "/accounts/login/?next=/{}",
        "/chat/{}/",
        "/s/{}/",
        "/static/{}",
        "/review/?q={}",
    ):
        for each in breaks:
            line = f"GET {place.format(each)} HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n"
            heard = say(proxied.url, line.encode(), quiet=0.15, name=NAME)
            head = heard.data.partition(b"\r\n\r\n")[0]
            assert not re.search(rb"[\r\n]X-Evil", head), (place, each)


def _usual(host: str) -> bytes:
    return f"GET /accounts/login/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
