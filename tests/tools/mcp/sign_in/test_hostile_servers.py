"""Signing in to a server that stalls, floods, redirects or names other places."""

import asyncio
import resource
from typing import Any

import pytest
from pytest_django import Settings

from chat.tools.mcp.errors import McpError
from chat.tools.mcp.sign_in import flow, requests
from chat.tools.mcp.sign_in.grants import Grant, Pending
from chat.tools.mcp.sign_in.requests import Requests
from tests.support.upstream.raw_sign_in import (
    METADATA,
    MISSING,
    RESOURCE,
    Reply,
    header_of,
    metadata,
    path_of,
    sign_in_handler,
)
from tests.support.upstream.raw_upstream import plain, raw_upstream

RETURN = "https://chat.example/review/site/tools/signed-in/"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n"


async def stall(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3600)


async def flood(writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD)
    for _ in range(50):
        writer.write(b"x" * 1024 * 1024)
        await writer.drain()


async def begin(url: str) -> tuple[Pending, str]:
    return await flow.begin(url, None, site_name="Runnel", return_address=RETURN, reason="x")


async def refusal(replies: dict[str, Reply]) -> tuple[str, list[str]]:
    """Return why a sign-in to such a server fails, and the paths that it was asked for."""
    async with raw_upstream(sign_in_handler(replies)) as raw:
        with pytest.raises(McpError) as error:
            pending, _ = await begin(raw.url)
            answer = {"state": pending.state, "code": "c1"}
            await flow.finish(raw.url, pending, answer, RETURN)
    return error.value.reason, list(map(path_of, raw.requests))


async def signed_in(replies: dict[str, Reply]) -> tuple[Grant, list[bytes]]:
    async with raw_upstream(sign_in_handler(replies)) as raw:
        pending, _ = await begin(raw.url)
        grant = await flow.finish(raw.url, pending, {"state": pending.state, "code": "c1"}, RETURN)
    return grant, raw.requests


async def test_a_server_that_works_is_signed_in_to() -> None:
    grant, asked = await signed_in({})
    assert (grant.access_token, grant.refresh_token, grant.ends_at) == ("a1", "r1", None)
    assert b"code_verifier=" in asked[-1]
    assert b"resource=http%3A%2F%2F127.0.0.1" in asked[-1]
    assert b"client_id=me" in asked[-1]


PATHS = ["/client/v4", RESOURCE, METADATA, "/register", "/token"]


@pytest.mark.parametrize("path", PATHS)
async def test_no_step_can_stall(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "REQUEST_SECONDS", 0.3)
    async with asyncio.timeout(5):
        assert (await refusal({path: stall}))[0] == "timeout"


async def test_many_slow_steps_end_together(monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.3)
        writer.write(MISSING)

    monkeypatch.setattr(flow, "BEGIN_SECONDS", 0.5)
    replies = dict.fromkeys([*PATHS, "/.well-known/openid-configuration"], slow)
    assert (await refusal(dict(replies)))[0] == "timeout"


@pytest.mark.parametrize("path", PATHS)
async def test_no_step_can_flood(path: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with asyncio.timeout(10):
        assert (await refusal({path: flood}))[0] == "too_long"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("status", [302, 307, 308])
async def test_no_redirect_is_followed(path: str, status: int) -> None:
    async with raw_upstream(sign_in_handler()) as private:
        moved = plain(status, b"", extra=f"Location: {private.url}\r\n")
        if path in {"/client/v4", RESOURCE}:  # then what is known of it is enough
            assert (await signed_in({path: moved}))[0].access_token == "a1"
        else:
            await refusal({path: moved})
        assert private.requests == []


@pytest.mark.parametrize("body", [b"[" * 50_000, b"[]", b"5", b"\xff", b"", b'{"issuer": 5}'])
@pytest.mark.parametrize("path", PATHS[1:])
async def test_nonsense_is_told_in_words(path: str, body: bytes) -> None:
    assert (await refusal({path: plain(200, body)}))[0] == "garbage"


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ({METADATA: MISSING}, "no_sign_in"),
        ({METADATA: metadata(issuer="https://other.example")}, "no_sign_in"),
        ({RESOURCE: {"resource": "https://other.example/mcp"}}, "no_sign_in"),
        ({RESOURCE: {"resource": "ORIGIN/client/v4/more"}}, "no_sign_in"),
        ({METADATA: metadata(code_challenge_methods_supported=None)}, "no_pkce"),
        ({METADATA: metadata(code_challenge_methods_supported=["plain"])}, "no_pkce"),
        ({METADATA: metadata(registration_endpoint=None)}, "no_client"),
        ({"/register": plain(403, b'{"error": "no"}')}, "no_client"),
        ({"/register": {"client_id": ""}}, "no_client"),
        ({"/register": {"client_id": "x" * 1001}}, "no_client"),
        (
            {"/register": {"client_id": "x", "token_endpoint_auth_method": "private_key_jwt"}},
            "no_client",
        ),
        (
            {"/register": {"client_id": "x", "token_endpoint_auth_method": "client_secret_post"}},
            "no_client",
        ),
        ({METADATA: metadata(authorization_endpoint="javascript:alert(1)")}, "refused_address"),
        ({METADATA: metadata(authorization_endpoint="https://u@x.example/a")}, "refused_address"),
        ({METADATA: metadata(token_endpoint="file:///etc/passwd")}, "refused_address"),
        ({METADATA: metadata(registration_endpoint="ftp://127.0.0.1/")}, "refused_address"),
        ({"/token": plain(400, b'{"error": "invalid_grant"}')}, "sign_in"),
        ({"/token": plain(500, b"")}, "status"),
        ({"/token": {"access_token": "a", "token_type": "mac"}}, "garbage"),
        ({"/token": {"access_token": "a\r\nX: y", "token_type": "bearer"}}, "garbage"),
        ({"/token": {"access_token": "x" * 8001, "token_type": "bearer"}}, "garbage"),
        ({"/token": {"access_token": "", "token_type": "bearer"}}, "garbage"),
    ],
)
async def test_what_is_not_as_it_should_be_is_refused(replies: dict[str, Any], reason: str) -> None:
    assert (await refusal(replies))[0] == reason


async def test_the_challenge_says_where_to_look_and_which_scope() -> None:
    said = 'Bearer error="x", resource_metadata="ORIGIN/where", scope="read write"'
    replies: dict[str, Reply] = {
        "/client/v4": plain(401, b"{}", extra=f"WWW-Authenticate: {said}\r\n")
    }
    async with raw_upstream(sign_in_handler(replies)) as raw:
        _, address = await begin(raw.url)
    assert "scope=read+write" in address
    # An address that leads nowhere isn't the last word.
    assert RESOURCE in list(map(path_of, raw.requests))


async def test_an_older_server_signs_people_in_by_itself() -> None:
    missing: dict[str, Reply] = {RESOURCE: MISSING}
    grant, _ = await signed_in(missing)
    assert grant.access_token == "a1"


async def test_openid_connect_is_understood() -> None:
    there = metadata()
    grant, _ = await signed_in({METADATA: MISSING, "/.well-known/openid-configuration": there})
    assert grant.access_token == "a1"


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
async def test_the_site_says_who_it_is_as_the_server_wants(method: str) -> None:
    registered = {"client_id": "me", "client_secret": "s:3", "token_endpoint_auth_method": method}
    grant, asked = await signed_in({"/register": registered})
    assert grant.client.method == method
    is_basic = header_of(asked[-1], b"authorization").startswith("basic ")
    assert is_basic == (method == "client_secret_basic")
    assert (b"client_secret=s%3A3" in asked[-1]) != is_basic


PUBLIC = Requests(allows_private=False)


@pytest.mark.parametrize(
    "url",
    [
        "http://public.example/x",
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://10.0.0.5/x",
        "https://169.254.169.254/x",
        "https://[::1]/x",
        "https://[fd00::1]/x",
    ],
)
async def test_a_public_server_can_name_no_private_address(url: str, settings: Settings) -> None:
    settings.PRIVATE_PROVIDERS = settings.CHECK_LOCAL_SITES = True
    with pytest.raises(McpError) as error:
        await PUBLIC.get(url)
    assert error.value.reason == "refused_address"


async def test_a_private_server_may_name_private_addresses_if_the_site_allows_them(
    settings: Settings,
) -> None:
    async with raw_upstream(sign_in_handler()) as raw:
        settings.PRIVATE_PROVIDERS = True
        assert (await Requests.of(raw.url)).allows_private
        assert not (await Requests.of("https://93.184.215.14/mcp")).allows_private
        settings.PRIVATE_PROVIDERS = False
        with pytest.raises(McpError) as error:
            await begin(raw.url)
        assert error.value.reason == "refused_address"
    assert raw.requests == []


async def test_a_client_that_was_entered_is_for_one_authorization_server() -> None:
    async with raw_upstream(sign_in_handler()) as raw:
        grant = (await begin(raw.url))[0].grant
        entered = type(grant.client)("me", "secret", is_entered=True)
        pending, _ = await flow.begin(
            raw.url, entered, site_name="Runnel", return_address=RETURN, reason="x"
        )
    assert pending.grant.client.issuer == raw.url.removesuffix("/client/v4")
    async with raw_upstream(sign_in_handler()) as other:
        with pytest.raises(McpError) as error:
            await flow.begin(
                other.url,
                pending.grant.client,
                site_name="Runnel",
                return_address=RETURN,
                reason="x",
            )
    assert error.value.reason == "no_client"


def test_no_representation_has_a_token() -> None:
    grant = Grant(flow.OAuthClient("me", "secret-1"), "x", "y", "secret-2", "secret-3")
    pending = Pending("secret-4", "secret-5", "x", False, "x", grant)
    assert "secret" not in repr(grant) + repr(pending)
