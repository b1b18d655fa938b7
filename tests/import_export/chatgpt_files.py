"""Small exports of ChatGPT, in the shape of `conversations.json`."""

import json
from typing import Any

BEGAN = 1_756_000_000.25
CODE = "Use `helm`:\n\n```bash\nhelm rollback staging\n```"


def node(
    key: str, parent: str | None, role: str, content: Any, *, seconds: float = 0, **more: Any
) -> dict[str, Any]:
    """Return a node with a message. A string is its text."""
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    said = {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": BEGAN + seconds if seconds else None,
        "update_time": None,
        "content": content,
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
        "channel": None,
    }
    return {"id": key, "message": said | more, "parent": parent, "children": []}


def chat(*nodes: dict[str, Any], title: str | None = "Roll back", **more: Any) -> dict[str, Any]:
    """Return a chat whose last node is the current one."""
    root = {"id": "root", "message": None, "parent": None, "children": []}
    mapping = {each["id"]: each for each in (root, *nodes)}
    for each in nodes:
        if each["parent"] in mapping:
            mapping[each["parent"]]["children"].append(each["id"])
    facts = {
        "title": title,
        "create_time": BEGAN,
        "update_time": BEGAN + 400,
        "mapping": mapping,
        "moderation_results": [],
        "current_node": nodes[-1]["id"] if nodes else "root",
        "conversation_id": "6b0f0d9c-0000-4000-8000-000000000001",
        "default_model_slug": "gpt-5",
        "is_archived": False,
        "is_starred": None,
    }
    return facts | more


def rollback() -> dict[str, Any]:
    """Return a chat with hidden nodes, reasoning, a tool, an image and two answers."""
    hidden = {"is_visually_hidden_from_conversation": True}
    context = {"content_type": "user_editable_context", "user_profile": "An engineer."}
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "S", "content": "Hm."}]}
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    question = {"content_type": "multimodal_text", "parts": [picture, "How do I roll back?"]}
    search = {"content_type": "code", "language": "unknown", "text": '{"q": "helm"}'}
    found = {"content_type": "tether_quote", "text": "helm docs"}
    slug = {"metadata": {"model_slug": "o4-mini"}}
    return chat(
        node("system", "root", "system", ""),
        node("context", "system", "user", context, metadata=hidden),
        node("q1", "context", "user", question, seconds=1),
        node("first", "q1", "assistant", "Wait.", seconds=2),
        node("thoughts", "q1", "assistant", thoughts, seconds=3),
        node("search", "thoughts", "assistant", search, seconds=4, recipient="web"),
        node("found", "search", "tool", found, seconds=5),
        node(
            "second", "found", "assistant", f"{CODE}\ue200cite\ue202turn0\ue201", seconds=6, **slug
        ),
        node("q2", "second", "user", "And if that fails?", seconds=7),
        node("a2", "q2", "assistant", "Restore the last chart.", seconds=8),
    )


def encoded(*chats: Any) -> bytes:
    return json.dumps(chats).encode()
