"""Keep codes of authenticator apps valid while a test runs."""

import pytest
from allauth.mfa.totp.internal import auth


@pytest.fixture(autouse=True)
def _no_code_expires_in_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this, a test fails when 30 seconds end between making a code and sending it."""
    counters = list(auth.yield_hotp_counters_from_time())
    monkeypatch.setattr(auth, "yield_hotp_counters_from_time", lambda: iter(counters))
