"""Small exports of Open WebUI."""

import io
import json
from typing import Any

THOUGHT = (
    '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n'
    "&gt; Bends &amp; banks\n&gt; matter.\n</details>\n"
)
TOOL = '<details type="tool_calls" done="true">\n<summary>Tool Executed</summary>\n</details>\n'
CODE = "Look:\n\n```html\n<details>\n<summary>x</summary>\n</details>\n```"


def said(
    key: str, parent: str | None, role: str, content: Any, at: int, **more: Any
) -> dict[str, Any]:
    facts = {"id": key, "parentId": parent, "childrenIds": [], "role": role, "content": content}
    return facts | {"timestamp": at} | more


def chat(*messages: dict[str, Any], current: str, **more: Any) -> dict[str, Any]:
    by_id = {each["id"]: each for each in messages}
    content = {
        "title": "Rivers",
        "models": ["deepseek-r1"],
        "history": {"currentId": current, "messages": by_id},
        "messages": [],
        "timestamp": 1_700_000_000_000,
    }
    return {
        "id": "c1", "user_id": "u1", "title": "Rivers", "chat": content,
        "created_at": 1_700_000_000, "updated_at": 1_700_000_100,
        "share_id": None, "archived": False, "pinned": False, "meta": {}, "folder_id": None,
    } | more  # fmt: skip


def file(*chats: Any) -> io.BytesIO:
    return io.BytesIO(json.dumps(chats).encode())
