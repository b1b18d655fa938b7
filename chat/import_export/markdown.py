"""Export the branch used last as Markdown for reading, a few messages at a time.

Questions are quoted, so that none of their lines becomes a heading. Answers are Markdown already;
an unclosed code block is closed, so that it does not swallow what follows.
"""

import re
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from chat.conversations.models import Conversation
from chat.import_export.exported_turns import ExportedTurn, ShownNames, exported_turns, when
from chat.lib.text import one_line

SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
LINE_END = re.compile(r"\r\n|\r|\n")
#: A possible fence and the rest of its line; `_is_fence` checks what precedes it.
FENCE = re.compile(r"(`{3,}|~{3,})([^\r\n]*)")
#: The lookbehind makes sure that a long run of spaces is read only once.
SPACE_AT_END = re.compile(r"(?<![^\S\n])[^\S\n]+$", re.MULTILINE)


def conversation_markdown(
    conversation: Conversation, facts: Iterable[str] = (), names: ShownNames | None = None
) -> Iterator[bytes]:
    """Yield the branch used last as Markdown, in pieces, with facts below the title.

    Without `names`, models have their own, and persons none.
    """
    title = _literal(conversation.title or _("Untitled"))
    yield f"# {title}\n\n{when(conversation.created_at)}\n".encode()
    for fact in facts:
        yield f"\n{_literal(one_line(fact))}\n".encode()
    for batch in exported_turns(conversation, names=names):
        yield "".join(map(_turn, batch)).encode()


def _turn(turn: ExportedTurn) -> str:
    author = _literal(turn.author)
    text = quoted(turn.text) if turn.is_question else closed(turn.text)
    drawn = "".join(f"\\[image: {_literal(each)}\\]\n\n" for each in turn.drawn)
    listed = "".join(_sources(turn))
    return f"\n---\n\n**{author}**, {turn.moment}\n\n{drawn}{text}\n{listed}"


def _sources(turn: ExportedTurn) -> Iterator[str]:
    """Yield a line for each passage that an answer cites."""
    for number, title, page in turn.sources:
        name = _literal(title)
        where = _("{name}, page {page}").format(name=name, page=page)
        yield f"\n- \\[{number}\\] {where if page else name}\n"


def _literal(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return SIGNS.sub(r"\\\1", text)


def quoted(text: str) -> str:
    """Return `text` as a quotation, without trailing spaces."""
    lines = LINE_END.sub("\n> ", text) if "\r" in text else text.replace("\n", "\n> ")
    return SPACE_AT_END.sub("", f"> {lines}".replace("> \n", ">\n"))


def closed(text: str) -> str:
    """Return `text` with its last code block closed."""
    if "```" not in text and "~~~" not in text:  # the usual case
        return text
    fence = ""
    for match in FENCE.finditer(text):
        if not _is_fence(text, match.start()):
            continue
        if not fence:
            fence = match[1]
        elif match[1].startswith(fence) and not match[2].strip():
            fence = ""
    return f"{text}\n{fence}" if fence else text


def _is_fence(text: str, start: int) -> bool:
    """Return whether at most three spaces precede `start` in its line."""
    before = text[max(0, start - 4) : start].rpartition("\n")[2].rpartition("\r")[2]
    return len(before) < 4 and not before.strip(" ")
