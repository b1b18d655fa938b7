"""Build the texts of the emulator's answers."""

import random
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from chat.emulator.common.faults import FAULTS
from chat.emulator.scripts.passages import Quote

DOCUMENTS_SAY = "I’m the built-in emulator, so I only quote. The documents say:"
DOCUMENTS_SAY_NOTHING = (
    "I’m the built-in emulator, so I only quote, and the documents have no sentence about that."
)
_TEXTS = Path(__file__).parent / "texts"
_PAGES = {
    path.name: path.read_text(encoding="utf-8")
    for path in _TEXTS.iterdir()
    if path.suffix in {".md", ".txt"}
}
_ANSWERS: dict[str, list[str]] = tomllib.loads(
    (_TEXTS / "answers.toml").read_text(encoding="utf-8")
)
_MAX_QUOTE_CHARS = 90
_MARKUP = re.compile(r"[\\`*_\[\]<>|~&$@#]|(?<=www)\.|:(?=//)")
_JOINERS = "\u200c\u200d"  # they join emoji and characters of some scripts
# In the files, characters that would deceive readers are written as ⟦U+202E⟧.
_WRITTEN_CHARACTER = re.compile(r"⟦U\+([0-9A-F]{4,6})⟧")


def plain(question: str, message_count: int, rng: random.Random, images: Sequence[str] = ()) -> str:
    """Return a short, friendly answer that says that an emulator wrote it.

    It says what the `images` of the last message are, which it doesn't look at.
    """
    counts = "counts_of_one" if message_count == 1 else "counts_of_many"
    parts = [
        _pick("openings", rng),
        _quoted(question, rng),
        _received(images),
        _pick(counts, rng).format(count=message_count),
        _pick("subjects", rng),
        _pick("closings", rng),
    ]
    return "\n\n".join(part for part in parts if part)


def from_passages(quotes: Sequence[Quote], rng: random.Random) -> str:
    """Return sentences of documents with their citations, as a model would write them."""
    if not quotes:
        return DOCUMENTS_SAY_NOTHING
    lines = [
        f"- {quote(each.document)}: “{quote(each.sentence)}” [{each.number}]" for each in quotes
    ]
    return "\n\n".join((DOCUMENTS_SAY, "\n".join(lines), _pick("closings", rng)))


def as_object(question: str) -> dict[str, Any]:
    """Return an answer in JSON mode, with a number whose spelling must be preserved."""
    return {"question": question, "answer": "A river bends “because” it can.", "levels": [1.5, 0]}


def refusal() -> str:
    return "I’m sorry, but I can’t help with that."


def after_tool(result: str, rng: random.Random) -> str:
    """Return the answer to a tool's result."""
    shown = quote(result) or "nothing"
    return f"The tool answered: “{shown}”.\n\n{_pick('openings', rng)}\n\n{_pick('closings', rng)}"


def markdown() -> str:
    """Return a page with every kind of formatting."""
    return _read("markdown.md")


def hostile() -> str:
    """Return an answer full of attacks on the page that shows it."""
    return _read("hostile.md")


def cards(address: str) -> str:
    """Return an answer with buttons and cards, of which the first links to `address`."""
    return _read("cards.md").replace("{address}", address)


def many_scripts() -> str:
    """Return a short text in which few characters are one byte long."""
    return _read("scripts.md")


def quirks() -> tuple[tuple[str, ...], ...]:
    """Return the irregular stream: the data of each event, grouped by token."""
    paragraphs = _read("quirks.txt").split("\n\n")
    groups = (
        tuple(line for line in paragraph.splitlines() if not line.startswith("#"))
        for paragraph in paragraphs
    )
    return tuple(filter(None, groups))


def command_table(rows: Iterable[tuple[str, str]]) -> str:
    """Return the list of commands as a Markdown table."""
    lines = [f"| `{usage}` | {description} |" for usage, description in rows]
    return (
        "The built-in emulator answers instead of a model. A message that starts with one of "
        "these commands triggers what the table says. Any other message gets a short, plain "
        "answer.\n\n"
        "| Message | What happens |\n|:--|:--|\n" + "\n".join(lines)
    )


def error_codes(unknown: str) -> str:
    """Return the list of errors that can be requested."""
    remark = f"There is no error “{quote(unknown)}”. " if unknown else ""
    rows = [
        f"| `/error {name}` | {fault.status} | {fault.code} |" for name, fault in FAULTS.items()
    ]
    return (
        f"{remark}The emulator can return these errors:\n\n"
        "| Message | HTTP status | Code |\n|:--|--:|--:|\n" + "\n".join(rows)
    )


def quote(text: str) -> str:
    """Return the beginning of the text on one line, with Markdown syntax escaped."""
    line = " ".join("".join(map(_visible, text[:1000])).split())
    if len(line) > _MAX_QUOTE_CHARS:
        line = line[:_MAX_QUOTE_CHARS].rsplit(" ", 1)[0] + " …"
    return _MARKUP.sub(lambda mark: "\\" + mark[0], line)


def _visible(mark: str) -> str:
    """Return the character; a space or nothing for control and direction characters."""
    category = unicodedata.category(mark)
    if category == "Cf":
        return mark if mark in _JOINERS else ""
    return " " if category in {"Cc", "Cs", "Zl", "Zp"} else mark


def _quoted(question: str, rng: random.Random) -> str:
    shown = quote(question)
    return f"{_pick('quote_introductions', rng)}\n\n> “{shown}”" if shown else ""


def _received(images: Sequence[str]) -> str:
    if not images:
        return ""
    what = "1 image" if len(images) == 1 else f"{len(images)} images"
    return f"Your message came with {what}: {'; '.join(images)}."


def _pick(kind: str, rng: random.Random) -> str:
    return rng.choice(_ANSWERS[kind]).strip()


def _read(name: str) -> str:
    text = _PAGES[name]
    return _WRITTEN_CHARACTER.sub(lambda code: chr(int(code[1], 16)), text).rstrip()
