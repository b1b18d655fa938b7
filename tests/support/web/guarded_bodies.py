"""Put an application behind the guard of bodies, with limits that a test sets."""

from typing import Any

from project.asgi.guards.body_guard import BodyGuard, BodyLimits

WIDE: dict[str, Any] = {
    "max_bytes": 32 * 1024 * 1024,
    "total_bytes": 0,
    "idle_seconds": 600,
    "seconds": 600,
    "uploads": {},
    "pages": (),
}


def body_guard(app: Any, **limits: Any) -> BodyGuard:
    """Return `app` behind the guard, with `limits` in place of those that nothing exceeds."""
    return BodyGuard(app, BodyLimits(**WIDE | limits))
