"""A chat with two questions in the format of each program, and the places in it."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from tests.import_export import chatgpt_files as chatgpt
from tests.import_export import claude_files as claude
from tests.import_export import librechat_files as libre
from tests.import_export import open_webui_files as webui

TEXTS = ["Why do rivers bend?", "They erode.", "And lakes?", "They fill up."]
FOLLOWING = [("q1", None, 0), ("a1", "q1", 1), ("q2", "a1", 2), ("a2", "q2", 3)]
Path = tuple[Any, ...]


def of_chatgpt() -> dict[str, Any]:
    thoughts = {"content_type": "thoughts", "thoughts": [{"content": "Hm."}]}
    found = {"content_type": "tether_quote", "text": "found"}
    question, answer, second, last = TEXTS
    return chatgpt.chat(
        chatgpt.node("system", "root", "system", "Be short."),
        chatgpt.node("q1", "system", "user", question, seconds=1),
        chatgpt.node("thoughts", "q1", "assistant", thoughts, seconds=2),
        chatgpt.node("tool", "thoughts", "tool", found, seconds=3),
        chatgpt.node("a1", "tool", "assistant", answer, seconds=4),
        chatgpt.node("q2", "a1", "user", second, seconds=5),
        chatgpt.node("a2", "q2", "assistant", last, seconds=6),
    )


def of_claude(*, has_parents: bool) -> dict[str, Any]:
    messages = [
        claude.said(key, "human" if key[0] == "q" else "assistant", TEXTS[at], at)
        | ({"parent_message_uuid": parent or claude.ROOT} if has_parents else {})
        for key, parent, at in FOLLOWING
    ]
    return claude.chat(*messages)


def of_open_webui(*, is_list: bool) -> dict[str, Any]:
    messages = [
        webui.said(key, parent, "user" if key[0] == "q" else "assistant", TEXTS[at], at)
        for key, parent, at in FOLLOWING
    ]
    for message, child in zip(messages, FOLLOWING[1:], strict=False):
        message["childrenIds"] = [child[0]]
    chat = webui.chat(*messages, current="a2")
    if is_list:
        chat["chat"] |= {"history": None, "messages": messages}
    return chat


def of_librechat() -> dict[str, Any]:
    messages = [
        libre.said(key, parent or libre.ROOT, TEXTS[at], at) for key, parent, at in FOLLOWING
    ]
    chat: dict[str, Any] = json.load(libre.file(*messages))
    return chat


#: A chat of each program, and where its messages are.
SAMPLES: dict[str, tuple[dict[str, Any], Path]] = {
    "chatgpt": (of_chatgpt(), ("mapping",)),
    "claude": (of_claude(has_parents=True), ("chat_messages",)),
    "claude without branches": (of_claude(has_parents=False), ("chat_messages",)),
    "open_webui": (of_open_webui(is_list=False), ("chat", "history", "messages")),
    "open_webui's first": (of_open_webui(is_list=True), ("chat", "messages")),
    "librechat": (of_librechat(), ("messages",)),
}


def paths(value: Any, before: Path = ()) -> Iterator[Path]:
    """Yield the path to each value inside `value`."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*before, key)
            yield from paths(inner, (*before, key))


def changed(chat: dict[str, Any], path: Path, odd: Any) -> dict[str, Any]:
    chat = copy.deepcopy(chat)
    container: Any = chat
    for key in path[:-1]:
        container = container[key]
    container[path[-1]] = odd
    return chat
