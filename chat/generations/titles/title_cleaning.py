"""Find the title in what a model writes when it is asked for nothing else. Pure functions."""

import re
from contextlib import suppress

import msgspec

from chat.lib.text import one_line
from chat.upstream.think_tags import without_reasoning

MAX_WRITTEN_CHARS = 4000
_QUOTES = "\"'`“”„‟‘’‚«»‹›「」『』《》*#_ "
#: "Title", in the languages of the site, and what models write before it.
_WORD = r"(?:title|titel|titre|título|titolo|العنوان)"
_LEAD = r"(?:here|sure|certainly|okay|ok|hier|voici|aquí|ecco|إليك)\b[^:：\n]{0,80}"
_LABEL = re.compile(rf"^(?:{_WORD}|{_LEAD})\s*[:：]\s*", re.IGNORECASE)
_BULLET = re.compile(r"^(?:[-•*]|\d{1,2}[.)])\s+")
_MARKS = re.compile(r"\*\*|__|`|~~")
_COLONS = (":", "：")


def title_in(written: str) -> str:
    """Return the title without introduction, markup and quotation marks; empty if there is none."""
    text = without_reasoning(written[:MAX_WRITTEN_CHARS]).strip()
    lines = [line for line in map(_cleaned, _unwrapped(text).splitlines()) if line]
    found = next((line for line in lines if not line.endswith(_COLONS)), "")
    return found.removesuffix(".").removesuffix("。").rstrip()


def _unwrapped(text: str) -> str:
    """Return the title in a JSON object, with or without a fence; `text` if it is no such one."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("```")]
    inner = "\n".join(lines).strip()
    if not inner.startswith("{"):
        return inner
    with suppress(msgspec.DecodeError, RecursionError):
        value = msgspec.json.decode(inner)
        title = value.get("title", "")
        return title if isinstance(title, str) else ""
    return ""


def _cleaned(line: str) -> str:
    line = _MARKS.sub("", _BULLET.sub("", one_line(line)))
    return _LABEL.sub("", line.strip(_QUOTES)).strip(_QUOTES)
