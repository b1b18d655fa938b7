"""Only UTF-8 is decoded, whatever charset a request names."""

import pytest

from project.asgi.guards.charset_guard import CharsetGuard
from tests.support.web.asgi_client import Client, reads_all, scope_of


@pytest.mark.parametrize(
    "value",
    [
        b"multipart/form-data; boundary=b; charset=punycode",
        b'multipart/form-data; boundary=b; CharSet="IDNA"',
        b"application/x-www-form-urlencoded;charset = rot13",
        b"application/json; charset=undefined",
        b"multipart/form-data; boundary*=punycode''b",
        b"multipart/form-data; charset*=utf-8''punycode; boundary=b",
        b"text/plain; charset=utf-8; charset=utf-7",
    ],
)
async def test_another_charset_is_refused(value: bytes) -> None:
    client = Client([b"abc"])
    answer = await client.ask(CharsetGuard(reads_all), scope_of((b"Content-Type", value)))
    assert answer.status == 415
    assert answer.error["code"] == "unsupported_charset"


@pytest.mark.parametrize(
    "value",
    [
        b"application/json",
        b"application/json; charset=utf-8",
        b'text/plain; charset="UTF-8"',
        b"application/x-www-form-urlencoded; charset=UTF8",
        b"multipart/form-data; boundary=----a*b",
    ],
)
async def test_utf_8_is_accepted(value: bytes) -> None:
    client = Client([b"abc"])
    answer = await client.ask(CharsetGuard(reads_all), scope_of((b"content-type", value)))
    assert (answer.status, answer.body) == (200, b"3")


async def test_the_site_checks_the_charset_before_parsing_forms() -> None:
    from project import asgi

    headers = [(b"host", b"localhost"), (b"content-type", b"text/plain; charset=punycode")]
    answer = await Client([b""]).ask(asgi.application, scope_of(*headers, path="/accounts/login/"))
    assert answer.status == 415
