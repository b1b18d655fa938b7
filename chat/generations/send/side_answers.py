"""Write what a model reads of a question and its answer, and clean what it writes about them.

Models that are asked for a title or for questions, and for nothing else, add introductions, markup
and JSON. Pure functions.
"""

import re
from contextlib import suppress

import msgspec

from chat.conversations.attached_files import split_files
from chat.lib.text import one_line
from chat.upstream.think_tags import without_reasoning

#: How much of the question and of the attached files the model reads.
MAX_QUESTION_CHARS, MAX_FILE_CHARS = 2000, 1000
MAX_WRITTEN_CHARS = 4000
_QUOTES = "\"'`“”„‟‘’‚«»‹›「」『』《》*#_ "
#: "Title", in the languages of the site, and what models write before it.
_WORD = r"(?:title|titel|titre|título|titolo|العنوان)"
_LEAD = r"(?:here|sure|certainly|okay|ok|hier|voici|aquí|ecco|إليك)\b[^:：\n]{0,80}"
_LABEL = re.compile(rf"^(?:{_WORD}|{_LEAD})\s*[:：]\s*", re.IGNORECASE)
_BULLET = re.compile(r"^(?:[-•*]|\d{1,2}[.)])\s+")
_MARKS = re.compile(r"\*\*|__|`|~~")
_COLONS = (":", "：")


def excerpt(question: str, answer: str, max_answer_chars: int) -> str:
    """Return the beginnings of a question, its answer and the files, whose names are left out."""
    text, files = split_files(question)
    contents = "\n".join(each.text_block.partition("\n")[2] for each in files if not each.image)
    parts = text[:MAX_QUESTION_CHARS], answer[:max_answer_chars], contents[:MAX_FILE_CHARS]
    return "\n\n".join(each.strip() for each in parts if each.strip())


def lines_in(written: str, key: str) -> list[str]:
    """Return the lines without introduction, markup and quotes; of JSON, those under `key`."""
    text = without_reasoning(written[:MAX_WRITTEN_CHARS]).strip()
    lines = [line for line in map(_cleaned, _unwrapped(text, key).splitlines()) if line]
    return [line for line in lines if not line.endswith(_COLONS)]


def _unwrapped(text: str, key: str) -> str:
    """Return the lines in a JSON object or list, with or without a fence; else the text."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("```")]
    inner = "\n".join(lines).strip()
    if not inner.startswith(("{", "[")):
        return inner
    with suppress(msgspec.DecodeError, RecursionError):
        value = msgspec.json.decode(inner)
        found = value.get(key) if isinstance(value, dict) else value
        strings = found if isinstance(found, list) else [found]
        return "\n".join(each for each in strings if isinstance(each, str))
    return "" if inner.startswith("{") else inner


def _cleaned(line: str) -> str:
    line = _MARKS.sub("", _BULLET.sub("", one_line(line)))
    return _LABEL.sub("", line.strip(_QUOTES)).strip(_QUOTES)
