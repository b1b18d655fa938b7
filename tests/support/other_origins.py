"""What tests of other origins share with others."""

from typing import Any

EVIL = "https://evil.example"


def readable_by(response: Any) -> str | None:
    found: str | None = response.headers.get("Access-Control-Allow-Origin")
    return found
