"""Small exports of Claude."""

import io
import json
from typing import Any

ROOT = "00000000-0000-4000-8000-000000000000"
CODE = "Here:\n\n```python\nprint(1)\n```"


def said(key: str, sender: str, text: str, minute: int, **more: Any) -> dict[str, Any]:
    block = {"start_timestamp": None, "type": "text", "text": text, "citations": []}
    return {
        "uuid": key,
        "text": text,
        "content": [block],
        "sender": sender,
        "created_at": f"2026-03-01T10:{minute:02}:00.500000Z",
        "updated_at": f"2026-03-01T10:{minute:02}:00.500000Z",
        "attachments": [],
        "files": [],
    } | more


def chat(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "uuid": "1a6f7a2e-0000-4000-8000-000000000001",
        "name": "Rivers",
        "summary": "",
        "created_at": "2026-03-01T10:00:00.000000Z",
        "updated_at": "2026-03-01T10:30:00.000000Z",
        "account": {"uuid": "1a6f7a2e-0000-4000-8000-000000000002"},
        "chat_messages": list(messages),
    } | more


def file(*chats: Any) -> io.BytesIO:
    return io.BytesIO(json.dumps(chats).encode())
