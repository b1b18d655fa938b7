"""Sign-in attempts, sign-ups and mails are rate-limited, and the page says when to try again."""

import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession
from chat.database import redis_or_table_cache
from chat.database.redis_or_table_cache import RedisOrTableCache
from chat.lib.metrics import registry
from project.config import process_limits

PASSWORD = "correct horse 9"
DATABASE = {"BACKEND": "chat.database.table_cache.TableCache", "LOCATION": "chat_cache"}


@pytest.fixture(params=["database", pytest.param("redis", marks=pytest.mark.long)])
def shared_cache(
    request: pytest.FixtureRequest, settings: Settings, transactional_db: None
) -> Iterator[None]:
    """Use allauth's own limits, counted in the cache that processes share."""
    settings.ACCOUNT_RATE_LIMITS = {}
    settings.TRUSTED_PROXY_COUNT = 1
    if request.param == "redis":
        location = request.getfixturevalue("redis_url")
        backend = "chat.database.redis_or_table_cache.RedisOrTableCache"
        options = {"table": "chat_cache"}
        settings.CACHES = {
            "default": {"BACKEND": backend, "LOCATION": location, "OPTIONS": options}
        }
    else:
        settings.CACHES = {"default": DATABASE}
    cache.clear()
    yield
    cache.clear()
    cache.close()


@pytest.fixture
def alice(shared_cache: None) -> User:
    return User.objects.create_user("alice@example.org", PASSWORD)


def sign_in(client: Client, password: str, address: str = "203.0.113.7") -> str:
    """Return the page after a sign-in attempt; empty for a redirect."""
    fields = {"login": "alice@example.org", "password": password}
    headers = {"X-Forwarded-For": address}
    return client.post("/accounts/login/", fields, headers=headers).content.decode()


def test_after_five_wrong_passwords_the_page_says_when_to_try_again(alice: User) -> None:
    client = Client()
    for _ in range(5):
        assert "The email address or password" in sign_in(client, "wrong")
    page = sign_in(client, PASSWORD)
    assert "Too many attempts" in page
    assert "Try again in 5 minutes." in page
    assert 'value="alice@example.org"' in page
    assert PASSWORD not in page


def test_guessing_does_not_lock_out_the_owner(alice: User) -> None:
    guesser, alice_client = Client(), Client()
    for _ in range(7):
        sign_in(guesser, "wrong", "198.51.100.1")
    assert sign_in(alice_client, PASSWORD) == ""
    assert alice_client.get("/chat/").status_code == 200


def test_a_forged_address_does_not_reset_the_count(alice: User) -> None:
    client = Client()
    for number in range(5):
        sign_in(client, "wrong", f"6.6.6.{number}, 198.51.100.1")
    assert "Too many attempts" in sign_in(client, "wrong", "6.6.6.9, 198.51.100.1")


def test_too_many_sign_ups_are_refused_and_the_input_is_kept(
    shared_cache: None, settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/m/ip"}
    before = registry.get_sample_value("runnel_requests_shed_total", {"reason": "sign_in"}) or 0
    fields = {"email": "new@example.org", "password1": "short", "password2": "short"}
    client = Client()
    for _ in range(2):
        assert client.post("/accounts/signup/", fields).status_code == 200
    response = client.post("/accounts/signup/", fields)
    page = response.content.decode()
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 60
    assert "Too many attempts" in page
    assert 'value="new@example.org"' in page
    assert "short" not in page.partition("<form")[2].partition("</form>")[0]
    after = registry.get_sample_value("runnel_requests_shed_total", {"reason": "sign_in"})
    assert after == before + 1
    assert not User.objects.filter(email="new@example.org").exists()


def test_requests_for_mails_are_limited(alice: User) -> None:
    fields = {"email": "alice@example.org"}
    client = Client()
    statuses = [client.post("/accounts/password/reset/", fields).status_code for _ in range(6)]
    assert statuses == [302] * 5 + [429]


def test_passkey_challenges_are_limited(
    client: Client, settings: Settings, shared_cache: None
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"passkey_sign_in": "3/m/ip"}
    ajax = {"X-Requested-With": "XMLHttpRequest", "Accept": "application/json"}
    codes = [
        Client().get("/accounts/2fa/webauthn/login/", headers=ajax).status_code for _ in range(5)
    ]
    assert codes == [200, 200, 200, 429, 429]
    assert UserSession.objects.count() == 3


def test_twenty_passkey_challenges_a_minute_are_allowed() -> None:
    assert process_limits.ACCOUNT_RATE_LIMITS["passkey_sign_in"] == "20/m/ip"


@pytest.mark.parametrize("how", ["gone", "silent"])
def test_while_redis_is_away_attempts_are_counted_in_the_database(
    how: str, settings: Settings, transactional_db: None
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    settings.TRUSTED_PROXY_COUNT = 1
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if how == "silent":
            listener.listen()
        settings.CACHES = {
            "default": {
                "BACKEND": "chat.database.redis_or_table_cache.RedisOrTableCache",
                "LOCATION": f"redis://127.0.0.1:{listener.getsockname()[1]}",
                "OPTIONS": {"table": "chat_cache", "socket_timeout": 0.05},
            }
        }
        before = registry.get_sample_value("runnel_redis_failures_total") or 0
        User.objects.create_user("alice@example.org", PASSWORD)
        client = Client()
        for _ in range(5):
            assert "The email address or password" in sign_in(client, "wrong")
        assert "Too many attempts" in sign_in(client, PASSWORD)
        assert sign_in(client, PASSWORD, address="203.0.113.8") == ""
        assert registry.get_sample_value("runnel_redis_failures_total") == before + 1
    cache.clear()


def test_redis_is_used_again_once_it_answers(redis_url: str, monkeypatch: Any) -> None:
    options = {"table": "chat_cache"}
    found = RedisOrTableCache(redis_url, {"OPTIONS": options})
    monkeypatch.setitem(redis_or_table_cache._away_until, redis_url, time.monotonic() - 1)
    assert found.add("once", 1)
    assert not found.add("once", 1)
    assert found.incr("once") == 2
