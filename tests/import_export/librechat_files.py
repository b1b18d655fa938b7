"""Small exports of LibreChat."""

import io
import json
from typing import Any

ROOT = "00000000-0000-0000-0000-000000000000"
CODE = "Try:\n\n```bash\npython3 -m venv venv\n```"


def said(key: str, parent: str, text: str, minute: int, **more: Any) -> dict[str, Any]:
    is_question = key.startswith("q")
    return {
        "messageId": key,
        "conversationId": "4a86c40e-0000-4000-8000-000000000001",
        "parentMessageId": parent,
        "createdAt": f"2024-05-01T16:{minute:02}:11.530Z",
        "isCreatedByUser": is_question,
        "sender": "User" if is_question else "Software Engineer",
        "model": None if is_question else "gpt-4-turbo",
        "text": text,
        "error": False,
        "unfinished": False,
    } | more


def file(*messages: dict[str, Any], **more: Any) -> io.BytesIO:
    chat = {
        "conversationId": "4a86c40e-0000-4000-8000-000000000001",
        "endpoint": "openAI",
        "title": "Virtual environments",
        "exportAt": "13:18:04 GMT-0400 (Eastern Daylight Time)",
        "branches": True,
        "recursive": False,
        "options": {"model": "gpt-4o", "temperature": 0.8},
        "messages": list(messages),
    }
    return io.BytesIO(json.dumps(chat | more).encode())
