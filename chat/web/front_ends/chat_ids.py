"""Ids that clients choose for their chats (the AI SDK's), by which they resume an answer.

Whoever knows the id of a passer-by's chat reads its answer, if they come from the same network
address, as all people of an office do. So an id that somebody could guess stands for nothing there.
A visitor with a token has names of their own.
"""

import re
import string

from chat.web.front_ends.callers import Caller

MIN_DISTINCT_CHARS = 8
MIN_KINDS = 2
_LONG = re.compile(r"[A-Za-z0-9_-]{16,}")
_KINDS = (string.ascii_lowercase, string.ascii_uppercase, string.digits)


def key_of(caller: Caller, chat_id: str | None) -> str | None:
    """The name of the answer that is written in this chat; None if it cannot be resumed by one."""
    if not chat_id or not (caller.is_visitor or is_unguessable(chat_id)):
        return None
    return f"{caller.principal.key}:{chat_id}"


def is_unguessable(chat_id: str) -> bool:
    """Whether `chat_id` looks random: neither counted nor made of words."""
    kinds = sum(any(char in kind for char in chat_id) for kind in _KINDS)
    is_varied = len(set(chat_id)) >= MIN_DISTINCT_CHARS and kinds >= MIN_KINDS
    return is_varied and bool(_LONG.fullmatch(chat_id))
