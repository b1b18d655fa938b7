"""A brake at sign-up: the browser does some work first.

One person does not notice it; whoever makes thousands of accounts does.

ALTCHA's proof of work, without any service: a key has to be found among so many that are slow to
derive. Nobody has to solve or to see anything.
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
#: Rounds of each try: about two milliseconds, here once and in a browser each time.
ROUNDS = 5_000
#: So long may somebody take to fill in the form.
LASTS_SECONDS = 3600
#: A solved challenge is shorter.
MAX_CHARS = 2_000


def is_asked() -> bool:
    return bool(settings.SIGN_UP_PROOF_OF_WORK)


def challenge() -> dict[str, Any]:
    """Return a new one, as JSON. It takes between half of the tries of the setting and all."""
    most = settings.SIGN_UP_PROOF_OF_WORK
    made = create_challenge(
        ALGORITHM,
        ROUNDS,
        counter=most // 2 + secrets.randbelow(most - most // 2),
        expires_at=int(time.time()) + LASTS_SECONDS,
        hmac_secret=_key("challenge"),
        hmac_key_secret=_key("solution"),
    )
    return dict(made.to_dict())


def accept(payload: str) -> bool:
    """Return whether `payload` is a challenge of ours, solved in time and not used before."""
    if len(payload) > MAX_CHARS:
        return False
    try:
        result = verify_solution(payload, _key("challenge"), hmac_key_secret=_key("solution"))
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
        return False  # whatever it is, it is none of ours
    if not result.verified:
        return False
    return bool(cache.add(_place(payload), 1, timeout=LASTS_SECONDS))


def _place(payload: str) -> str:
    """By what is signed: the same solution can be written in many ways."""
    signature = Payload.from_base64(payload).challenge.signature
    return f"sign-up-work:{signature}"


def _key(purpose: str) -> str:
    return salted_hmac(f"chat.accounts.sign_up_work.{purpose}", "", algorithm="sha256").hexdigest()
