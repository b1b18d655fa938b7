"""Guessed, altered, stolen and revoked API keys.

A key opens its owner's share of the API while it is valid, spelled exactly as it was shown, and
nothing else: no page, no other member's chats, no key beside it.
"""

import string
import threading
import time

import httpx
import pytest

from chat.api_keys.keys import new_key
from tests.support.attacks.attacked_site import attacked_site
from tests.support.attacks.people import MODEL, Person, Vera, person, program
from tests.support.attacks.rows import value
from tests.support.servers.served_site import wait_until
from tests.support.servers.server import Server
from tests.support.web.access_matrix import ALL

ASK = {"model": MODEL, "messages": [{"role": "user", "content": "Hello"}]}
REVOKE = "from chat.api_keys import keys; from chat.api_keys.models import ApiKey; found = ApiKey.objects.get(prefix={prefix!r}); keys.revoke(found.owner_id, found.pk)"


@pytest.fixture(scope="module")
def key(alice: Person) -> str:
    return alice.make_key()


def headers_with(key: str) -> list[dict[str, str | bytes]]:
    """Return headers that almost name the key."""
    swapped = key[:4] + key[5] + key[4] + key[6:]
    near = [
        key[:-1], key + "a", key.upper(), key.lower(), key.swapcase(), swapped, key[4:], "rnl-" + key[4:], key.replace("rnl_", "RNL_"), key[::-1], key + "%00", key[:10], key[:10] + "*", key[:10] + "%", key + " " + key, f"{key},{key}", f'"{key}"', f"'{key}'",
        f"<{key}>", key.replace("_", "＿"), key[:-1] + chr(ord(key[-1]) ^ 1), "rnl_" + "0" * 42, "rnl_", "sk-" + key, key.encode().hex(), key[:20] + "/" + key[20:], f"{key}#", f"{key}?", f"{key}/", f"{key};", f"{key}\u200b", "null", "undefined", "true", "' OR 1=1 --", "x" * 20_000,
    ]  # fmt: skip
    made: list[dict[str, str | bytes]] = [
        {"Authorization": f"Bearer {each}".encode()} for each in near
    ]
    made += [
        {"Authorization": key}, {"Authorization": f"Basic {key}"}, {"Authorization": f"Token {key}"}, {"Authorization": f"Bearer{key}"}, {"Authorization": "Bearer"}, {"Authorization": ""}, {"Authorization": f"Bearer: {key}"}, {"Authorization": f"Bearer={key}"},
        {"Authorization": f"Digest Bearer {key}"}, {"X-API-Key": key[:-1]}, {"Api-Key": key}, {"X-Auth-Key": key}, {"Cookie": f"api_key={key}; Authorization=Bearer {key}"}, {"Proxy-Authorization": f"Bearer {key}"}, {"HTTP_AUTHORIZATION": f"Bearer {key}"}, {"Authorization_": f"Bearer {key}"},
        {"X-Forwarded-Authorization": f"Bearer {key}"}, {"Sec-WebSocket-Protocol": f"openai-insecure-api-key.{key}"},
    ]  # fmt: skip
    return made


def test_only_the_exact_key_in_its_header_opens_the_api(key: str) -> None:
    """On a server of its own, as an address may send twenty wrong keys in a minute."""
    with attacked_site() as server:
        own = person(server, "alice@example.org").make_key()
        with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as client:
            for headers in headers_with(own):
                for path in (
                    "/v1/models",
                    f"/v1/models?key={own}&api_key={own}&access_token={own}",
                ):
                    came = client.get(path, headers=headers)
                    assert came.status_code in {400, 401, 429, 431}, (headers, came.status_code)
                    assert own not in came.text
            for right in ({"Authorization": f"Bearer {own}"}, {"X-API-Key": own}):
                came = client.get("/v1/models", headers=right)
                assert came.status_code == 200, "wrong keys do not lock out the right one"
            assert own not in server.log.read_text()


def test_guessed_keys_are_limited_and_open_nothing(site: Server) -> None:
    statuses = [program(site, new_key()).get("/v1/models").status_code for _ in range(60)]
    assert set(statuses) <= {401, 429}
    assert 429 in statuses


def test_a_key_opens_no_page_and_no_visitors_door(site: Server, key: str, alice: Person) -> None:
    client = program(site, key)
    said = alice.send("Alice's own words")
    chat = said.headers["X-Conversation-Id"]
    doors = [
        "/chat/",
        f"/chat/{chat}/",
        f"/chat/{chat}/export.json",
        "/settings/",
        "/settings/export.zip",
        "/settings/api/",
        "/review/",
        "/admin/",
        "/sites/",
        "/chat/search/?q=words",
        f"/generations/{said.headers['X-Generation-Id']}/stream",
        "/chat/notifications",
        "/metrics?x",
    ]
    for path in doors:
        came = client.get(path, headers={"Accept": "application/json"})
        assert came.status_code in {302, 401, 403, 404} or path.startswith("/metrics"), path
        assert "Alice's own words" not in came.text
    for route in ALL:
        if not route.startswith(("v1", "client", "accounts/", "admin/")):
            path = "/" + route.replace("{conversation}", chat).replace("{", "").replace("}", "")
            came = client.post(
                path,
                json={"text": "x", "key": "y" * 32, "prompt": "x"},
                headers={"Origin": site.url},
            )
            assert came.status_code >= 400 or came.headers.get("location", "").startswith(
                ("/accounts/", "/chat/", "/")
            ), path
            assert "Alice's own words" not in came.text
    key_of_site = alice.make_site()
    for path in ("conversations", "messages"):
        assert client.get(f"/w/{key_of_site}/{path}").status_code in {401, 405}
        assert client.post(f"/w/{key_of_site}/{path}", json={}).status_code in {401, 405}


def test_other_credentials_are_no_keys(site: Server, alice: Person, bob: Person) -> None:
    vera = Vera(site, alice.make_site())
    for text in (
        alice.session,
        bob.session,
        vera.bearer,
        vera.site_key,
        f"rnl_{vera.bearer[3:45]}",
    ):
        assert program(site, text).get("/v1/models").status_code in {401, 429}
    assert alice.get("/v1/models").status_code in {401, 429}


def test_a_revoked_key_stops_at_once_also_within_a_stream(alice: Person) -> None:
    """All four programs of the key lose their streams; a second key of hers goes on."""
    with attacked_site(STREAM_REAUTH_SECONDS="0.2", EMULATOR_TOKENS_PER_SECOND="15") as server:
        owner = person(server, "alice@example.org")
        stolen, kept = owner.make_key(), owner.make_key()
        ended: list[float] = []

        def read(key: str) -> None:
            asked = {**ASK, "messages": [{"role": "user", "content": "/slow"}], "stream": True}
            with program(server, key).stream("POST", "/v1/chat/completions", json=asked) as came:
                for _ in came.iter_raw():
                    started.release()
            ended.append(time.monotonic())

        started = threading.Semaphore(0)
        readers = [threading.Thread(target=read, args=[stolen]) for _ in range(4)]
        for reader in readers:
            reader.start()
        for _ in range(12):
            assert started.acquire(timeout=60)
        server.run(REVOKE.format(prefix=stolen[:10]))
        assert program(server, stolen).get("/v1/models").status_code == 401
        for reader in readers:
            reader.join(60)
        assert len(ended) == 4
        assert program(server, kept).post("/v1/chat/completions", json=ASK).status_code == 200
        running_ones = "SELECT count(*) FROM chat_generation WHERE state = 'running'"
        wait_until(lambda: value(server, running_ones) == 0)


def test_nothing_in_a_list_of_keys_is_a_key(alice: Person, key: str) -> None:
    page = alice.get("/settings/api/", Accept="text/html").text
    assert key not in page
    assert key[:10] in page
    letters = set(string.ascii_letters + string.digits)
    longest = max(len("".join(c for c in word if c in letters)) for word in page.split("rnl_")[1:])
    assert longest
