"""Slow down mass sign-ups by a proof of work in the browser.

One person does not notice it; creating thousands of accounts becomes expensive. It is ALTCHA's
proof of work without any service: the browser searches for a key among many that are slow to
derive. The user has nothing to solve or to see.
"""

import secrets
import time
from typing import Any

from altcha import create_challenge, verify_solution
from altcha.v2 import Payload
from django.conf import settings
from django.core.cache import cache
from django.utils.crypto import salted_hmac

ALGORITHM = "PBKDF2/SHA-256"
#: Rounds per try: about two milliseconds, once here and for each try in the browser.
ROUNDS = 5_000
#: How long the user may take to fill in the form.
LIFETIME_SECONDS = 3600
#: Upper bound for a solved challenge.
MAX_CHARS = 2_000


def is_required() -> bool:
    """Return whether the site requires a proof of work."""
    return bool(settings.SIGN_UP_PROOF_OF_WORK)


def make_challenge() -> dict[str, Any]:
    """Return a new challenge as JSON.

    Solving it takes between half and all of the tries in `SIGN_UP_PROOF_OF_WORK`.
    """
    most = settings.SIGN_UP_PROOF_OF_WORK
    made = create_challenge(
        ALGORITHM,
        ROUNDS,
        counter=most // 2 + secrets.randbelow(most - most // 2),
        expires_at=int(time.time()) + LIFETIME_SECONDS,
        hmac_secret=_key("challenge"),
        hmac_key_secret=_key("solution"),
    )
    return dict(made.to_dict())


def is_solved(payload: str) -> bool:
    """Return whether `payload` is a challenge of this site, solved in time and not used before."""
    if len(payload) > MAX_CHARS:
        return False
    try:
        result = verify_solution(payload, _key("challenge"), hmac_key_secret=_key("solution"))
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
        return False  # malformed, so it is none of ours
    if not result.verified:
        return False
    return bool(cache.add(_place(payload), 1, timeout=LIFETIME_SECONDS))


def _place(payload: str) -> str:
    """Return the cache key, made from the signature: one solution can be encoded in many ways."""
    signature = Payload.from_base64(payload).challenge.signature
    return f"sign-up-work:{signature}"


def _key(purpose: str) -> str:
    return salted_hmac(f"chat.accounts.sign_up_work.{purpose}", "", algorithm="sha256").hexdigest()
