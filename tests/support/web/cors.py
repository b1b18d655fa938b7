"""Helpers for the tests of cross-origin requests."""

from typing import Any

EVIL = "https://evil.example"


def readable_by(response: Any) -> str | None:
    found: str | None = response.headers.get("Access-Control-Allow-Origin")
    return found
