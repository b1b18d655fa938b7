"""Proof of work at sign-up, which is off by default."""

import base64
import json
from html import unescape
from typing import Any

import pytest
from altcha import solve_challenge
from altcha.v2 import Challenge
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.accounts.sign_up import sign_up_work
from tests.support.servers.settings_process import read
from tests.support.web.sign_up_work import solved

pytestmark = pytest.mark.django_db
PAGE = "/accounts/signup/"
VERA = {
    "email": "vera@example.org",
    "password1": "correct horse 9",
    "password2": "correct horse 9",
}


@pytest.fixture
def _braked(settings: Settings) -> None:
    settings.SIGN_UP_PROOF_OF_WORK = 8


braked = pytest.mark.usefixtures("_braked")


def challenge_of(browser: Client) -> dict[str, Any]:
    found: dict[str, Any] = browser.get(PAGE).context["form"].challenge()
    return found


def changed(payload: str, **parameters: Any) -> str:
    data = json.loads(base64.b64decode(payload))
    data["challenge"]["parameters"] |= parameters
    return base64.b64encode(json.dumps(data).encode()).decode()


def signs_up(work: str | None, browser: Client | None = None, **fields: str) -> bool:
    sent = VERA | fields | ({} if work is None else {"work": work})
    (browser or Client()).post(PAGE, sent)
    return bool(User.objects.filter(email=sent["email"]).delete()[0])


def test_by_default_no_work_is_required() -> None:
    page = Client().get(PAGE).content.decode()
    assert "sign_up_work" not in page
    assert "data-work" not in page
    assert signs_up(None)


@braked
def test_a_browser_that_did_the_work_can_sign_up() -> None:
    assert signs_up(solved(challenge_of(Client())))


@braked
@pytest.mark.parametrize("work", [None, "", "x", "e30=", "bnVsbA==", "W10=", "A" * 100_000])
def test_without_the_work_no_account_is_created(work: str | None) -> None:
    assert not signs_up(work)


@braked
def test_the_page_says_that_the_work_is_missing() -> None:
    page = Client().post(PAGE, VERA).content.decode()
    assert "The browser check hasn't finished." in unescape(page)
    assert "<noscript><p>Creating an account requires JavaScript" in page
    assert "vera@example.org" in page


@braked
def test_a_solution_is_accepted_once() -> None:
    work = solved(challenge_of(Client()))
    assert signs_up(work)
    assert not signs_up(work)
    written_otherwise = base64.b64encode(base64.b64decode(work) + b" ").decode()
    assert not signs_up(written_otherwise)


@braked
def test_an_easier_challenge_is_refused(settings: Settings) -> None:
    work = solved(challenge_of(Client()))
    assert not signs_up(changed(work, keyPrefix=""))
    assert not signs_up(changed(work, expiresAt=9_999_999_999))
    unsolved = json.loads(base64.b64decode(work)) | {"solution": {"counter": 0, "derivedKey": "00"}}
    assert not signs_up(base64.b64encode(json.dumps(unsolved).encode()).decode())
    settings.SECRET_KEY = "n" * 50
    assert not signs_up(work)


@braked
def test_a_challenge_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_up_work, "LIFETIME_SECONDS", -1)
    late = solved(challenge_of(Client()))
    assert not signs_up(late)


@braked
def test_an_error_in_another_field_does_not_use_up_the_solution() -> None:
    work = solved(challenge_of(Client()))
    assert not signs_up(work, password2="other")
    assert signs_up(work)


@braked
def test_a_solution_takes_at_least_half_of_the_tries(settings: Settings) -> None:
    settings.SIGN_UP_PROOF_OF_WORK = 40
    for _ in range(5):
        solution = solve_challenge(Challenge.from_dict(sign_up_work.make_challenge()))
        assert solution
        assert 20 <= solution.counter < 40


def test_the_setting_requires_https(tmp_path: Any) -> None:
    name = "SIGN_UP_PROOF_OF_WORK"
    refused = read(tmp_path, name, **{name: "1000"}, SITE_URL="http://chat.example.org")
    assert refused.returncode == 1
    assert "https://" in refused.stderr
    taken = read(tmp_path, name, **{name: "1000"}, SITE_URL="https://chat.example.org")
    assert taken.stdout == "1000\n", taken.stderr
