"""A small file of our own format."""

from typing import Any

OWN: dict[str, Any] = {
    "format": "runnel",
    "version": 1,
    "kind": "conversation",
    "title": "Rivers",
    "place": "listed",
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-01T00:00:00Z",
    "messages": [
        {
            "id": 1,
            "parent": None,
            "role": "user",
            "created_at": "2026-01-01T00:00:00Z",
            "text": "Why do rivers bend?",
        }
    ],
}
