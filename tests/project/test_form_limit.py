"""Forms that would take Python long to parse are refused before parsing."""

import pytest

from project.asgi.entry_point import guarded
from project.asgi.guards.form_counter import MAX_FIELDS, MAX_URLENCODED_BYTES
from tests.support.web.asgi_client import Answer, Client, reads_all, scope_of
from tests.support.web.guarded_bodies import body_guard

URLENCODED = b"application/x-www-form-urlencoded; charset=utf-8"
MULTIPART = b'multipart/form-data; boundary="abc"'
PART = b'--abc\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'


async def posted(kind: bytes, body: bytes, piece: int = 1000) -> Answer:
    pieces = [body[i : i + piece] for i in range(0, len(body), piece)] or [b""]
    return await Client(pieces).ask(body_guard(reads_all), scope_of((b"content-type", kind)))


@pytest.mark.parametrize("piece", [1, 7, 10_000])
async def test_too_many_fields_are_refused(piece: int) -> None:
    assert (await posted(URLENCODED, b"a=b&" * MAX_FIELDS, piece)).status == 200
    refused = await posted(URLENCODED, b"&" * (MAX_FIELDS + 1), piece)
    assert refused.status == 400
    assert "more fields than the site takes" in refused.error["message"]


@pytest.mark.parametrize("piece", [3, 10_000])
async def test_too_many_parts_are_refused(piece: int) -> None:
    assert (await posted(MULTIPART, PART * MAX_FIELDS, piece)).status == 200
    assert (await posted(MULTIPART, b"--abc\r\n" * (MAX_FIELDS + 1), piece)).status == 400


async def test_a_long_urlencoded_form_is_refused() -> None:
    assert (await posted(URLENCODED, b"a=" + b"b" * (MAX_URLENCODED_BYTES - 2))).status == 200
    refused = await posted(URLENCODED, b"%41" * MAX_URLENCODED_BYTES)
    assert refused.status == 413
    assert "Your draft is saved" in refused.error["message"]


@pytest.mark.parametrize("kind", [b"application/json", b"text/plain", b"multipart/form-data"])
async def test_other_bodies_are_not_counted_as_forms(kind: bytes) -> None:
    body = b"&" * (MAX_FIELDS + 1)
    assert (await posted(kind, body)).status == 200


async def test_the_site_checks_forms_before_parsing_them() -> None:
    scope = scope_of((b"content-type", URLENCODED), path="/accounts/login/")
    assert (await Client([b"&" * 2000]).ask(guarded(reads_all), scope)).status == 400
