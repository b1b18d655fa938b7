"""Requests with too long headers are answered before any other work."""

import pytest

from project.asgi.guards.header_limit import HeaderLimit
from tests.support.web.asgi_client import Client, reads_all, scope_of

LIMITED = HeaderLimit(reads_all, 1000)
LONG = b"x" * 1000


async def test_short_headers_are_accepted() -> None:
    answer = await Client([b"abc"]).ask(LIMITED, scope_of((b"host", b"site")))
    assert (answer.status, answer.body) == (200, b"3")


@pytest.mark.parametrize(
    "scope",
    [
        scope_of((b"cookie", LONG)),
        scope_of(*[(b"x-%d" % n, b"y" * 20) for n in range(40)]),
        scope_of(path="/" + "a" * 1000),
        scope_of(query=LONG),
        scope_of((b"Content-Type", b'a/b;"' + b";" * 300)),
    ],
    ids=["one header", "many headers", "path", "query", "parameters"],
)
async def test_long_headers_are_refused_with_a_message(scope: dict[str, object]) -> None:
    answer = await Client().ask(LIMITED, scope)
    assert answer.status == 431
    assert "cookies" in answer.error["message"]
    assert answer.headers["connection"] == "close"


async def test_a_browser_gets_a_page_instead_of_json() -> None:
    scope = scope_of((b"cookie", LONG), (b"accept", b"text/html,*/*"))
    answer = await Client().ask(LIMITED, scope)
    assert answer.headers["content-type"].startswith("text/plain")
    assert b"Delete its cookies" in answer.body


@pytest.mark.parametrize("wanted", [b"de-AT,de;q=0.9", b"xx", b"," * 3000, b"\xff\xfe"])
async def test_any_accept_language_gets_a_response(wanted: bytes) -> None:
    answer = await Client().ask(LIMITED, scope_of((b"cookie", LONG), (b"accept-language", wanted)))
    assert answer.status == 431
