"""What chat/accounts/sign_in_limits.py uses of allauth's inside is as that module takes it to be.

How it behaves is in test_rate_limits.py. These fail first, and say why, when allauth changes.
"""

import inspect
from typing import Any

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import ratelimit as public
from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import RequestFactory
from pytest_django import Settings

from chat.accounts.adapter import AccountAdapter
from chat.accounts.sign_in_limits import APP, seconds_left


def test_allauth_counts_by_the_key_that_the_adapter_gives(
    monkeypatch: pytest.MonkeyPatch, rf: RequestFactory
) -> None:
    keys: list[str] = []

    def consume(*_args: Any, key: str, **_named: Any) -> None:
        keys.append(key)

    monkeypatch.setattr(ratelimit, "consume", consume)
    request = rf.post("/accounts/login/", REMOTE_ADDR="203.0.113.7")
    with pytest.raises(ValidationError):
        DefaultAccountAdapter.pre_authenticate(AccountAdapter(request), request, email="A@b.org")
    assert keys == ["a@b.org:203.0.113.7"]


def test_the_time_that_is_left_is_read_from_what_allauth_counts(
    rf: RequestFactory, settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login": "2/m/ip"}
    cache.clear()
    request = rf.post("/accounts/login/", REMOTE_ADDR="203.0.113.7")
    assert seconds_left(request, "login") == 1
    while public.consume(request, action="login"):
        pass
    assert seconds_left(request, "login") > 1


def test_the_functions_have_the_parameters_that_we_give() -> None:
    assert {"app", "action"} <= inspect.signature(ratelimit.get_rates).parameters.keys()
    names = {"app", "action", "rate", "key"}
    assert names <= inspect.signature(ratelimit.get_cache_key).parameters.keys()
    assert APP == "allauth.account"
