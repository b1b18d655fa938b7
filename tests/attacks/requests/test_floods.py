"""Somebody sends as much as they can, and another member reads an answer meanwhile.

Whatever one client does (requests, sign-ups, sign-ins, messages, visitors, connections, WebSockets), its
excess is refused with a reason and a time to wait, and bob's answer goes on arriving.
"""

import asyncio
import socket
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

import aiohttp
import httpx
import pytest

from tests.support.attacks.attacked_site import attacked_site
from tests.support.attacks.people import CSRF, PASSWORD, Person, browser, person
from tests.support.attacks.races import LongAnswer, tab
from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.server import Server
from tests.support.variants import examples

pytestmark = [pytest.mark.quick, pytest.mark.timeout(600)]

#: Limits that other attacks run without, lower than the site's own, so that a slow machine reaches them.
#: Ten seconds' worth may come at once.
LIMITS = {
    "MAX_MEMBER_REQUESTS_PER_SECOND": "1",
    "MAX_ADDRESS_REQUESTS_PER_SECOND": "1",
    "MAX_RUNNING_ANSWERS": "7",
}
FIVE_AT_ONCE = """
from chat.quotas.models import Limit
Limit.objects.create(scope="member", measure="running", amount=5)
"""
ELSEWHERE = {"X-Forwarded-For": "198.51.100.7"}
FLOODER = {"X-Forwarded-For": "203.0.113.5"}
FORM = {"X-CSRFToken": CSRF}


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    settings = {
        "EMULATOR_TOKENS_PER_SECOND": "10",
        "TRUSTED_PROXY_COUNT": "1",
    }
    with attacked_site(**LIMITS | settings) as server:
        yield server


@pytest.fixture
def bob(site: Server) -> Person:
    """Return a new member, who has made no requests that count."""
    return at(person(site, f"bob-{uuid.uuid4().hex[:8]}@example.org"), ELSEWHERE)


@pytest.fixture
def flooder(site: Server) -> Person:
    return at(person(site, f"eve-{uuid.uuid4().hex[:8]}@example.org"), FLOODER)


def at(who: Person, address: dict[str, str]) -> Person:
    who.client.headers.update(address)
    return who


@pytest.fixture(autouse=True)
def _answers_go_on(bob: Person) -> Iterator[None]:
    """Expect bob's answer to arrive while the flood lasts, and pages to open for him afterwards."""
    reading = LongAnswer(at(tab(bob), ELSEWHERE))
    before = len(reading.text)
    yield
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(reading.text) < before + 20 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(reading.text) >= before + 20
    assert '"error"' not in reading.text
    bob.client.post(f"/generations/{reading.generation}/cancellation", headers=FORM)
    assert bob.get("/chat/allowance/").status_code == 200
    bob.form(f"/chat/{reading.chat}/deletion/")


def flood(act: Callable[[int], httpx.Response], count: int) -> tuple[Counter[int], httpx.Response]:
    """Act `count` times; return how often each status came, and the last refusal."""
    statuses: Counter[int] = Counter()
    refused = None
    for number in range(count):
        came = act(number)
        statuses[came.status_code] += 1
        refused = came if came.status_code in {429, 503} else refused
    assert refused is not None, statuses
    assert set(statuses) <= {200, 201, 302, 400, 401, 429, 503}, statuses
    return statuses, refused


def require_words(came: httpx.Response, *words: str) -> None:
    """Expect a reason for people, and for programs a code and when to come again."""
    if came.headers["content-type"].startswith("application/json"):
        told = came.json()["error"]
        assert told["code"] in {"rate_limit_exceeded", "quota_exceeded", "overloaded"}
        assert len(told["message"]) > 15
    else:
        assert any(each in came.text for each in words or ("Too many attempts",)), came.text
    if came.status_code == 429 and "quota_exceeded" not in came.text:
        assert int(came.headers["Retry-After"]) >= 1


def test_requests_of_one_member(flooder: Person) -> None:
    """Guards the token bucket of a member: ten seconds of requests at once, not more."""
    statuses, refused = flood(
        lambda _n: flooder.get("/chat/allowance/", Accept="application/json"), 200
    )
    require_words(refused)
    assert statuses[429]


def test_requests_without_a_session(site: Server) -> None:
    """Guards the bucket of an address, and that another address has its own."""
    client = browser(site)
    statuses, refused = flood(lambda _n: client.get("/accounts/login/", headers=FLOODER), 200)
    require_words(refused)
    assert statuses[429]
    assert client.get("/accounts/login/", headers=ELSEWHERE).status_code == 200


@pytest.mark.long
def test_sign_ups(site: Server) -> None:
    """Guards the limit of sign-ups by address; each costs a hash of a tenth of a second."""
    address = {"X-Forwarded-For": "203.0.113.20"}

    def sign_up(number: int, where: dict[str, str] = address) -> httpx.Response:
        fields = {"email": f"bot{number}@example.org", "password1": PASSWORD, "password2": PASSWORD}
        return browser(site).post("/accounts/signup/", data=fields, headers=FORM | where)

    statuses, refused = flood(sign_up, 26)
    require_words(refused)
    assert statuses[302] <= 20
    assert sign_up(1000, ELSEWHERE).status_code == 302


def test_sign_ins(site: Server, flooder: Person) -> None:
    """Guards the limits of failed sign-ins: guessing ends, and the owner still signs in from elsewhere."""
    email = site.run(
        f"from chat.accounts.models import User; print(User.objects.get(pk={flooder.user_id}).email)"
    )

    def sign_in(password: str, where: dict[str, str]) -> httpx.Response:
        fields = {"login": email, "password": password}
        return browser(site).post("/accounts/login/", data=fields, headers=FORM | where)

    address = {"X-Forwarded-For": "203.0.113.21"}
    _statuses, refused = flood(lambda number: sign_in(f"guess {number}", address), 36)
    require_words(refused)
    assert sign_in(PASSWORD, ELSEWHERE).status_code == 302


def test_messages_of_several_members(site: Server, flooder: Person) -> None:
    """Guards the limit of one member's answers (429), and of all running answers (503)."""
    site.run(FIVE_AT_ONCE)
    with ExitStack() as held:
        statuses: Counter[int] = Counter()
        other = at(person(site, f"mallory-{uuid.uuid4().hex[:8]}@example.org"), FLOODER)
        for who in (flooder, other):
            for _each in range(7):
                body = {"key": uuid.uuid4().hex, "text": "/slow"}
                headers = FORM | {"Accept": "text/event-stream"}
                came = held.enter_context(
                    who.client.stream("POST", "/chat/messages", json=body, headers=headers)
                )
                statuses[came.status_code] += 1
                if came.status_code != 200:
                    came.read()
                    require_words(came)
    assert statuses[429] >= 1
    assert statuses[503] >= 1
    assert statuses[200] <= 7


@pytest.mark.long
def test_visitors_of_a_website(site: Server, flooder: Person) -> None:
    """Guards the limit of new visitors by address: each is a row."""
    key = flooder.make_site()
    client, address = browser(site), {"X-Forwarded-For": "203.0.113.22"}
    statuses, refused = flood(
        lambda _n: client.post(f"/w/{key}/session", headers=SAME_ORIGIN | address), 66
    )
    require_words(refused)
    assert statuses[200] <= 60
    assert client.post(f"/w/{key}/session", headers=SAME_ORIGIN | ELSEWHERE).status_code == 200


@contextmanager
def connections(site: Server, count: int, said: bytes) -> Iterator[list[socket.socket]]:
    with ExitStack() as held:
        made = []
        for _each in range(count):
            made.append(
                held.enter_context(closing(socket.create_connection(("127.0.0.1", site.port))))
            )
            made[-1].sendall(said)
        yield made


@pytest.mark.parametrize(
    "said",
    [
        b"", b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ", b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\nx",
        b"GET /chat/notifications HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
    ],
    ids=["silent", "a letter", "half a head", "half a body", "half a handshake"],
)  # fmt: skip
def test_connections_that_say_little(site: Server, bob: Person, said: bytes) -> None:
    """Guards that an unfinished request holds nothing that others need."""
    with connections(site, examples(500), said):
        began = time.monotonic()
        for _each in range(3):
            assert at(tab(bob), ELSEWHERE).get("/chat/allowance/").status_code == 200
        assert time.monotonic() - began < 30


async def test_websockets(site: Server, flooder: Person) -> None:
    """Guards sockets: no session or another origin opens none, and who says much is cut off."""
    url = f"{site.url}/chat/notifications"
    own = {"Origin": site.url, "Cookie": f"sessionid={flooder.session}"}
    async with aiohttp.ClientSession() as session, asyncio.timeout(120):
        for headers in ({"Origin": site.url}, own | {"Origin": "https://evil.example"}, {}):
            for _each in range(10):
                with suppress(aiohttp.WSServerHandshakeError):
                    refused = await session.ws_connect(url, headers=headers)
                    assert (await refused.receive()).type == aiohttp.WSMsgType.CLOSE
        opened = []
        for _each in range(examples(200)):
            with suppress(aiohttp.WSServerHandshakeError):  # beyond the rate of an address
                opened.append(await session.ws_connect(url, headers=own))
        for each in opened:
            for _word in range(60):
                try:
                    await each.send_str("x" * 100)
                except (ConnectionError, aiohttp.ClientError):
                    break
            assert (await each.receive()).type in {
                aiohttp.WSMsgType.CLOSE,
                aiohttp.WSMsgType.CLOSED,
                aiohttp.WSMsgType.ERROR,
            }
