"""Find out which message each one follows, even if the file says it wrongly.

Sizes come from hostile files, so the time is linear.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class Linked(Protocol):
    """What a message says about its neighbours; `parent` is None at the beginning of a chat."""

    @property
    def key(self) -> str: ...
    @property
    def parent(self) -> str | None: ...
    @property
    def role(self) -> str: ...
    @property
    def children(self) -> Iterable[Any]: ...


def parents_of(messages: Mapping[str, Linked]) -> dict[str, str | None]:
    """Return the key of the message before each one, or None; there are no cycles."""
    listed = {
        child: message.key
        for message in messages.values()
        for child in message.children
        if isinstance(child, str)
    }
    parents: dict[str, str | None] = {}
    last = None
    for key, message in messages.items():
        known = (each for each in (message.parent, listed.get(key)) if each in messages)
        # An answer can't begin a chat, and an unknown parent means that there is one.
        must_follow = message.parent is not None or message.role == "assistant"
        parents[key] = next((each for each in known if each != key), last if must_follow else None)
        last = key
    _cut_cycles(parents, messages)
    return parents


def _cut_cycles(parents: dict[str, str | None], messages: Mapping[str, Linked]) -> None:
    """Let each cycle begin with a question, if it has one."""
    seen: set[str | None] = {None}
    for start in messages:
        path: dict[str, None] = {}
        key: str | None = start
        while key is not None and key not in seen:
            seen.add(key)
            path[key] = None
            key = parents[key]
        if key in path:
            walked = list(path)
            cycle = walked[walked.index(key) :]
            questions = (each for each in cycle if messages[each].role == "user")
            parents[next(questions, cycle[0])] = None
