"""Emulate what AI Gateway adds to responses: a log id and the state of its cache.

Only the headers are imitated. Each answer is generated, even for a cache hit.
"""

import random
import string
import time
from collections.abc import Mapping
from hashlib import sha256

from chat.emulator.common.recent import Recent

MIN_TTL_SECONDS = 60
TTL_SECONDS_OF_A_CUSTOM_KEY = 300
LOG_ID_LENGTH = 26
_LOG_ID_ALPHABET = string.digits + string.ascii_uppercase


class Gateway:
    """Remember which requests would still be in the gateway's cache."""

    def __init__(self) -> None:
        self._fresh_until: Recent[str, float] = Recent()

    def headers(
        self, request_headers: Mapping[str, str], path: str, body: bytes, rng: random.Random
    ) -> list[tuple[str, str]]:
        """Return the gateway's response headers; none if the request does not use one."""
        gateway_id = request_headers.get("cf-aig-gateway-id")
        if not gateway_id:
            return []
        hit = self._is_hit(request_headers, gateway_id, path, body)
        return [
            ("cf-aig-log-id", "".join(rng.choices(_LOG_ID_ALPHABET, k=LOG_ID_LENGTH))),
            ("cf-aig-cache-status", "HIT" if hit else "MISS"),
        ]

    def _is_hit(self, headers: Mapping[str, str], gateway_id: str, path: str, body: bytes) -> bool:
        ttl_seconds = _ttl_seconds(headers)
        if ttl_seconds is None or headers.get("cf-aig-skip-cache") == "true":
            return False
        named = headers.get("cf-aig-cache-key")
        key = f"{gateway_id} {named or sha256(path.encode() + body).hexdigest()}"
        now = time.monotonic()
        if self._fresh_until.get(key, 0.0) > now:
            return True
        self._fresh_until[key] = now + ttl_seconds
        return False


def _ttl_seconds(headers: Mapping[str, str]) -> float | None:
    asked = headers.get("cf-aig-cache-ttl", "")[:9]
    if asked.isdecimal():
        return max(MIN_TTL_SECONDS, int(asked))
    return TTL_SECONDS_OF_A_CUSTOM_KEY if headers.get("cf-aig-cache-key") else None
