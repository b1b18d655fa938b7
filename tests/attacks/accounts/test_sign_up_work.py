"""Accounts without the work that signing up costs: forged, repeated and raced solutions.

Each challenge of this site, solved, gives one account. Whatever else is sent gives none.
"""

import base64
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from altcha import create_challenge

from tests.support.attacks.attacked_site import attacked_site
from tests.support.attacks.people import CSRF, browser
from tests.support.attacks.rows import value
from tests.support.servers.server import Server
from tests.support.web.sign_up_work import solved

COUNT = "SELECT count(*) FROM chat_user"
PASSWORD = "a quiet reading room"


@pytest.fixture(scope="module")
def guarded() -> Iterator[Server]:
    with attacked_site(SIGN_UP_PROOF_OF_WORK="8") as server:
        yield server


@pytest.fixture(autouse=True)
def _fresh(guarded: Server) -> None:
    guarded.run("from django.core.cache import cache; cache.clear()")  # limits by address


def challenge_of(server: Server) -> dict[str, Any]:
    page = browser(server).get("/accounts/signup/").text
    found: dict[str, Any] = json.loads(
        page.partition('type="application/json">')[2].partition("<")[0]
    )
    return found


def sign_up(server: Server, email: str, work: str | None) -> int:
    fields = {"email": email, "password1": PASSWORD, "password2": PASSWORD}
    if work is not None:
        fields["work"] = work
    client = browser(server)
    return client.post("/accounts/signup/", data=fields, headers={"X-CSRFToken": CSRF}).status_code


def encoded(data: object) -> str:
    return base64.b64encode(json.dumps(data).encode()).decode()


def forgeries(work: str) -> Iterator[str]:
    """Yield what resembles a solution, made from one that was never used."""
    data = json.loads(base64.b64decode(work))
    for name, parameter in {
        "keyPrefix": ["", "0", None, [], 5, "00"], "expiresAt": [0, 9_999_999_999, None, "never", 1e400, -1], "cost": [0, 1, -1, None, 10**12, "1"], "algorithm": ["", "NONE", "none", "SHA-1", "PBKDF2/SHA-1", None, [], "../x"],
        "nonce": ["", "00", None, "zz"], "salt": ["", "00", None], "keyLength": [0, 1, -1, 10**9, None], "data": [{}, {"a": 1}, "x"],
    }.items():  # fmt: skip
        for each in parameter:
            changed = json.loads(json.dumps(data))
            changed["challenge"]["parameters"][name] = each
            yield encoded(changed)
    for name in ("signature", "parameters"):
        for each in (
            "",
            None,
            "0" * 64,
            [],
            {},
            1,
            True,
            data["challenge"][name] if name == "parameters" else "A" * 64,
        ):
            changed = json.loads(json.dumps(data))
            changed["challenge"][name] = each
            if changed != data:
                yield encoded(changed)
    for each in (
        {},
        None,
        {"counter": 0, "derivedKey": ""},
        {"counter": -1, "derivedKey": "00"},
        {"counter": 2**70, "derivedKey": "x"},
        {"counter": "1"},
        {"counter": None, "derivedKey": None},
        [],
    ):
        yield encoded({**data, "solution": each})
    yield from (
        "",
        " ",
        "x",
        "e30=",
        "bnVsbA==",
        "W10=",
        "MA==",
        "true",
        "A" * 100_000,
        "=" * 100,
        "\x00",
        "ü",
        encoded([data]),
        encoded({"challenge": {}}),
        encoded(data["challenge"]),
        encoded({**data, "challenge": None}),
        work[:-9],
        work[9:],
        encoded("[" * 500),
    )
    ours = create_challenge(
        "PBKDF2/SHA-256",
        5_000,
        counter=3,
        expires_at=int(time.time()) + 900,
        hmac_secret="guess",
        hmac_key_secret="guess",
    )
    yield solved(dict(ours.to_dict()))


def test_no_forgery_gives_an_account(guarded: Server) -> None:
    work, taken, count = solved(challenge_of(guarded)), [], 0
    for number, forgery in enumerate(forgeries(work)):
        count += 1
        if number % 8 == 0:
            guarded.run("from django.core.cache import cache; cache.clear()")
        status = sign_up(guarded, f"eve{number}@example.org", forgery)
        if status not in {200, 400, 413}:
            taken.append((status, forgery[:80]))
    assert taken == []
    assert count > 60
    assert value(guarded, COUNT) == 0
    assert sign_up(guarded, "alice@example.org", None) == 200
    guarded.run("from django.core.cache import cache; cache.clear()")
    assert sign_up(guarded, "alice@example.org", work) == 302, "and the solution still counts"


def spellings(work: str) -> list[str]:
    """Return one solution in several encodings."""
    raw = base64.b64decode(work)
    data = json.loads(raw)
    texts = [
        raw,
        raw + b" ",
        b" " + raw,
        json.dumps(data, indent=1).encode(),
        json.dumps({**data, "x": 1}).encode(),
        json.dumps(data, sort_keys=True).encode(),
        raw.replace(b"{", b"{ ", 1),
        json.dumps({**data, "took": 5}).encode(),
    ]
    return [base64.b64encode(each).decode() for each in texts]


def test_one_solution_gives_one_account_however_often_and_in_whatever_form(guarded: Server) -> None:
    before = value(guarded, COUNT)
    work = solved(challenge_of(guarded))
    statuses: list[int] = []

    def take(number: int, each: str) -> None:
        statuses.append(sign_up(guarded, f"raced{number}@example.org", each))

    racers = [threading.Thread(target=take, args=[*each]) for each in enumerate(spellings(work))]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert value(guarded, COUNT) == int(str(before)) + 1, statuses


def test_two_solutions_do_not_create_one_address_twice(guarded: Server) -> None:
    works = [solved(challenge_of(guarded)) for _ in range(4)]
    racers = [
        threading.Thread(
            target=sign_up, args=[guarded, f"{'Twin' if n % 2 else 'twin'}@example.org", work]
        )
        for n, work in enumerate(works)
    ]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert value(guarded, f"{COUNT} WHERE lower(email) = 'twin@example.org'") == 1
    assert "Traceback" not in guarded.log.read_text()
