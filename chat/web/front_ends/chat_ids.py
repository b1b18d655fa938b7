"""Resolve chat IDs chosen by clients (the AI SDK's), which are used to resume an answer.

Anyone who knows the ID of an anonymous caller's chat can read its answer from the same network
address, which a whole office may share. A guessable ID is therefore ignored for anonymous callers.
Visitors with a token have a namespace of their own.
"""

import re
import string

from chat.web.front_ends.callers import Caller

MIN_DISTINCT_CHARS = 8
MIN_KINDS = 2
_LONG = re.compile(r"[A-Za-z0-9_-]{16,}")
_KINDS = (string.ascii_lowercase, string.ascii_uppercase, string.digits)


def registry_key(caller: Caller, chat_id: str | None) -> str | None:
    """Return the registry key of the chat's answer, or None if it cannot be resumed by chat ID."""
    if not chat_id or not (caller.is_visitor or is_unguessable(chat_id)):
        return None
    return f"{caller.principal.key}:{chat_id}"


def is_unguessable(chat_id: str) -> bool:
    """Return True if `chat_id` looks random: neither a counter nor made of words."""
    kinds = sum(any(char in kind for char in chat_id) for kind in _KINDS)
    is_varied = len(set(chat_id)) >= MIN_DISTINCT_CHARS and kinds >= MIN_KINDS
    return is_varied and bool(_LONG.fullmatch(chat_id))
