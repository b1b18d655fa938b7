"""Link to the words of a passage on a public web page. Pure functions.

A browser scrolls to the words that `#:~:text=first,last` names, and marks them. Both parts are
foreign text, so each is percent-encoded, with the hyphens and commas that have a meaning there.
A browser that doesn't find them shows the heading above them, whose anchor is before the words, or
else the page from its beginning.

https://wicg.github.io/scroll-to-text-fragment/
"""

import re
from collections.abc import Sequence
from urllib.parse import quote

from chat.documents.reader.anchors import MAX_ANCHOR_CHARS
from chat.lib.text import one_line

DIRECTIVE = ":~:text="
#: Of each of the two parts. They have to be within one paragraph, and are compared as a whole.
MOST_WORDS = 6
MOST_CHARACTERS = 80
#: A shorter line, such as a number in a list, is on the page several times.
LEAST_CHARACTERS = 8
#: The first and the last lines of a passage that are tried.
MOST_LINES = 20
#: How lines of documents begin that are headings, quotations or items of lists.
_MARK = re.compile(r"(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+")
#: Marks that a page shows in another way: links, emphasis, cells of tables, code.
_MARKED_UP = re.compile(r"[\[\]|*_`<>\\]")


def quoted_words(text: str) -> tuple[str, ...]:
    """Return the first words of a passage, and the last if these are others."""
    lines = text.split("\n")
    first = next(filter(None, map(_plain, lines[:MOST_LINES])), "")
    last = next(filter(None, map(_plain, reversed(lines[-MOST_LINES:]))), "")
    if not first:
        return ()
    begun, ended = _cut(first.split(" ")), _cut(last.split(" ")[::-1])[::-1]
    words = (" ".join(begun), " ".join(ended))
    is_one = first == last and len(begun) + len(ended) > len(first.split(" "))
    return words[:1] if is_one or not words[1] else words


def linked(address: str, words: Sequence[str], anchor: str = "") -> str:
    """Return the address of these words on a page; empty if it is no public web page.

    Without the words, it is that of the heading above them.
    """
    if not address.startswith(("https://", "http://")):
        return ""
    if 0 < len(anchor) <= MAX_ANCHOR_CHARS and "#" not in address:
        address += f"#{quote(anchor, safe='', errors='replace')}"
    parts = [_encoded(each) for each in words[:2] if each]
    if not parts:
        return address
    return f"{address}{'' if '#' in address else '#'}{DIRECTIVE}{','.join(parts)}"


def _plain(line: str) -> str:
    """Return what a page shows of a line; empty if it is unclear or too short."""
    shown = one_line(_MARK.sub("", line.strip(), count=1))
    return "" if _MARKED_UP.search(shown) or len(shown) < LEAST_CHARACTERS else shown


def _cut(words: list[str]) -> list[str]:
    """Return as many of the words as a part may have, none of them cut."""
    taken: list[str] = []
    for word in words[:MOST_WORDS]:
        if len(" ".join([*taken, word])) > MOST_CHARACTERS:
            break
        taken.append(word)
    return taken


def _encoded(words: str) -> str:
    return quote(one_line(words)[:MOST_CHARACTERS], safe="").replace("-", "%2D")
