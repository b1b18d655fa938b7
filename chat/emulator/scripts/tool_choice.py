"""Choose a tool for a plain message, by its words, as a model would."""

import re
from collections.abc import Mapping
from typing import Any

from chat.emulator.requests.tools import Tool, Tools

MAX_CHARS = 300
_ARITHMETIC = re.compile(r"[\d(][\d\s.()+*/×÷^%−-]{0,200}[-+*/×÷^−][\d\s.()+*/×÷^%−-]{0,200}")
_ADDRESS = re.compile(r"https?://[^\s<>\"]{1,500}")
#: The words that ask for a tool, and what its argument is in them.
_WORDS = {
    "web_search": re.compile(
        r"(?:search (?:the )?(?:web|internet)|look up)(?: for)? (?P<query>\S.{0,299})"
    ),
    "search_my_chats": re.compile(
        r"(?:my|earlier|other) chats?(?: for| about)? (?P<words>\S.{0,199})"
    ),
    "search_documents": re.compile(r"search (?:my |the )?documents(?: for)? (?P<query>\S.{0,299})"),
    "generate_image": re.compile(r"(?:draw|paint|make a picture of) (?P<prompt>\S.{0,299})"),
    "current_time": re.compile(r"what (?:time|day|date)\b|today's date"),
    "remember": re.compile(r"remember(?: that)? (?P<text>\S.{0,299})"),
}


def chosen(tools: Tools, message: str) -> tuple[Tool, Mapping[str, Any]] | None:
    """Return the tool to call and its arguments; None if the message asks for none."""
    offered = {tool.name: tool for tool in tools.offered}
    text = message[:MAX_CHARS]
    for name, words in _WORDS.items():
        if name in offered and (match := words.search(text.lower())):
            return offered[name], {
                key: text[match.start(key) : match.end(key)].rstrip(" ?.!")
                for key in match.groupdict()
            }
    if "fetch_page" in offered and (match := _ADDRESS.search(text)):
        query = text.replace(match[0], "").strip()
        return offered["fetch_page"], {"address": match[0].rstrip(".,;:!?)"), "query": query}
    if "calculator" in offered and (match := _ARITHMETIC.search(text)):
        return offered["calculator"], {"expression": match[0].strip()}
    return None


def named(tools: Tools, word: str) -> Tool | None:
    """Return the offered tool with this name."""
    return next((tool for tool in tools.offered if tool.name == word), None)
