"""Put odd values into exports at random, and check that nothing else is lost."""

import copy
import io
import json
from contextlib import suppress
from random import Random
from typing import Any

from chat.errors import BadRequest
from chat.import_export import import_reader, prompt_files
from tests.import_export import claude_files as claude
from tests.import_export import librechat_files as libre
from tests.import_export import open_webui_files as webui
from tests.import_export.chatgpt_files import chat, node
from tests.import_export.own_file import OWN
from tests.import_export.sample_chats import FOLLOWING, SAMPLES, TEXTS, Path, paths

GOOD = chat(node("q", None, "user", "The other chat.", seconds=1), title="Good")
ODD: list[Any] = [
    None, True, False, 0, -1, 7, 1.5, 1e308, -1e308, 10**40, "", "x", " ", "\0", "\ud83d", "\ude00\ud83d", "q1", "a2",
    "nobody", libre.ROOT, "2026-03-01T10:00:00Z", "2026-13-45", "9999-12-31T23:59:59Z", "1e5", "NaN", [], {},
    [None], [[]], [{}], {"text": 7}, {"type": "text"}, {"type": "text", "text": {}}, {"name": []}, "x" * 300,
]  # fmt: skip


def of_librechat(*, is_nested: bool) -> dict[str, Any]:
    """Return a chat with parts, whose answers are inside their questions if it is nested."""
    messages = []
    for key, parent, at in FOLLOWING:
        parts = [{"type": "text", "text": {"value": TEXTS[at]}}, {"type": "think", "think": "Hm."}]
        more = {"content": parts, "files": [{"filename": "a.pdf"}], "children": []}
        messages.append(libre.said(key, parent or libre.ROOT, "", at, **more))
    found: dict[str, Any] = json.load(libre.file(*messages, messagesTree=None))
    if is_nested:
        first, *rest = found["messages"]
        inner = first
        for each in rest:
            inner["children"].append(each)
            inner = each
        found |= {"messages": [], "messagesTree": [first]}
    return found


def of_claude() -> dict[str, Any]:
    file = {"file_name": "a.txt", "extracted_content": "Content"}
    return claude.chat(
        *(
            claude.said(key, "human" if key[0] == "q" else "assistant", TEXTS[at], at,
                        attachments=[file], files=[{"file_name": "b.png"}],
                        content=[{"type": "thinking", "thinking": "Hm."},
                                 {"type": "text", "text": TEXTS[at]}])
            for key, _parent, at in FOLLOWING
        )
    )  # fmt: skip


def of_open_webui() -> dict[str, Any]:
    messages = [
        webui.said(key, parent, "user" if key[0] == "q" else "assistant",
                   [{"type": "text", "text": TEXTS[at]}], at, files=[{"name": "a.png"}])
        for key, parent, at in FOLLOWING
    ]  # fmt: skip
    return webui.chat(*messages, current="a2")


CHATS: dict[str, tuple[dict[str, Any], Path]] = {
    **SAMPLES,
    "librechat with parts": (of_librechat(is_nested=False), ("messages",)),
    "librechat's tree": (of_librechat(is_nested=True), ("messagesTree",)),
    "claude with files": (of_claude(), ("chat_messages",)),
    "open_webui with parts": (of_open_webui(), ("chat", "history", "messages")),
}
#: By program, each place in a chat.
PLACES = {program: list(paths(chat)) for program, (chat, _messages) in CHATS.items()}
WHOLE: dict[str, Any] = {
    "own": OWN,
    "prompts": {"kind": "prompts", "prompts": [{"name": "A", "text": "B"}]},
    "prompts of Open WebUI": [{"command": "/a", "title": "A", "content": "B"}],
}


def odd_value(random: Random, depth: int = 2) -> Any:
    kind = random.random()
    if not depth or kind < 0.7:
        return copy.deepcopy(random.choice(ODD))
    if kind < 0.85:
        return [odd_value(random, depth - 1) for _ in range(random.randint(0, 3))]
    names = random.choices(["id", "role", "text", "content", "type", "parts", "x"], k=2)
    return {name: odd_value(random, depth - 1) for name in names}


def owner(path: Path, messages: Path) -> Path:
    """Return the path to the message that has this place; empty outside of them."""
    if path[: len(messages)] != messages or len(path) == len(messages):
        return ()
    end = len(messages) + 1
    while path[end : end + 1] == ("children",) and isinstance(path[end + 1 : end + 2], tuple):
        if len(path) < end + 2 or not isinstance(path[end + 1], int):
            break
        end += 2
    return path[:end]


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def without_children(message: Any) -> Any:
    if not isinstance(message, dict):
        return message
    return {name: value for name, value in message.items() if name != "children"}


def check_odd_chat(random: Random) -> None:
    """Import a chat with odd values: what has none is there, and so is the chat beside it."""
    program = random.choice(list(CHATS))
    original, messages = CHATS[program]
    changed, changes, hurt = copy.deepcopy(original), list[tuple[Path, Any]](), ""
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        path = random.choice(PLACES[program])
        with suppress(LookupError, TypeError):
            at(changed, path)
            container: Any = at(changed, path[:-1])
            odd = odd_value(random)
            if path[-1] == "isCreatedByUser" and isinstance(odd, bool):
                continue  # it isn't odd
            container[path[-1]] = odd
            changes.append((path, odd))
            whole = original if path == messages[: len(path)] else at(original, path)
            hurt += json.dumps(whole)
            if own := owner(path, messages):
                hurt += json.dumps(without_children(at(original, own)))
    data = io.BytesIO(
        json.dumps([GOOD, changed], ensure_ascii=random.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    )
    import_reader.check(data)
    chats = list(import_reader.conversations_in(data))
    assert chats[0].messages[0].text == "The other chat."
    found = "\n".join(message.text for chat in chats for message in chat.messages)
    found.encode()
    for text in TEXTS:
        assert text in found or text in hurt, (program, changes)


def check_whole(random: Random) -> None:
    """Read a file of our own, or prompts, with odd values: it is read or refused."""
    name = random.choice(list(WHOLE))
    changed = copy.deepcopy(WHOLE[name])
    for _ in range(random.choice([1, 1, 2])):
        path = random.choice(list(paths(changed)) or [()])
        if path:
            at(changed, path[:-1])[path[-1]] = odd_value(random)
    data = json.dumps(changed).encode()
    with suppress(BadRequest):
        if name == "own":
            import_reader.check(io.BytesIO(data))
        else:
            prompt_files._read(data)


def check_import(random: Random) -> None:
    check_odd_chat(random) if random.random() < 0.8 else check_whole(random)
