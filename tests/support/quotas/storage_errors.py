"""Helpers for the tests of storage limits."""

from typing import Any

FULL = (413, "storage_full")


def told(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]
