"""Blocks in the texts of Open WebUI's answers: reasoning, code that ran, and calls of tools.

A block is `<details type="…" name="…" arguments="…" result="…">`, with values that are JSON and
escaped for HTML. Later versions also have the parts of an answer in a list.
"""

import html
import re
from dataclasses import dataclass
from typing import Any

import msgspec

from chat.import_export import json_text
from chat.import_export.foreign.calls import (
    ForeignCall,
    Step,
    call_of,
    result_of,
    result_text,
)
from chat.import_export.foreign.cited import ForeignSource, named_source, source_of
from chat.import_export.foreign.parts import Parts
from chat.import_export.foreign.values import field_of, items_of, paragraphs, text_of

START, BLOCK, BLOCK_END, SUMMARY_END = "<details", '<details type="', "</details>", "</summary>"
REASONING, CODE = "reasoning", "code_interpreter"
ATTRIBUTE = re.compile(r"\s{0,9}([a-z_]{1,20})=(?:\"([^\"]*)\"|'([^']*)')")
CODE_ITEM = "open_webui:code_interpreter"
FENCE = "```"
UNNAMED = "N/A"
MAX_SOURCES = 200
MAX_DECODED_CHARS = 100_000


@dataclass(slots=True)
class Blocks:
    """An answer without its blocks, and what these hold."""

    text: str
    reasoning: str
    steps: list[Step]


def read_answer(text: str, output: Any) -> Blocks:
    """Return an answer, whose parts are in its text or in a list."""
    found = _in_text(text)
    if not found.steps and (items := items_of(output)):
        listed = _in_list(items)
        if not found.text.strip():
            return listed
        found.reasoning = found.reasoning or listed.reasoning
        found.steps = listed.steps
        for step in found.steps:
            step.offset = 0
    return found


def _in_text(text: str) -> Blocks:
    kept, thoughts, steps = list[str](), list[str](), list[Step]()
    place = length = 0
    while (start := text.find(BLOCK, place)) >= 0:
        values, after = _attributes(text, start + len(START))
        end = text.find(BLOCK_END, after)
        if end < 0:
            break
        kept.append(text[place:start])
        length += start - place
        body = text[after:end].partition(SUMMARY_END)[2]
        if values.get("type", "").startswith(REASONING):
            thoughts.append(_quoted(body))
        else:
            steps.append(_call(values, body, length))
        begins_line = start == place or text[start - 1] == "\n"
        place = end + len(BLOCK_END)
        place += begins_line and text.startswith("\n", place)  # the line break belongs to it
    kept.append(text[place:])
    whole = "".join(kept)
    begun = len(whole) - len(whole.lstrip("\n"))
    for step in steps:
        step.offset = max(0, step.offset - begun)
    return Blocks(whole.strip("\n"), paragraphs(thoughts), steps)


def _attributes(text: str, place: int) -> tuple[dict[str, str], int]:
    """Return the values in a tag, and where they end."""
    values = {}
    while match := ATTRIBUTE.match(text, place):
        values[match[1]] = html.unescape(match[2] or match[3] or "")
        place = match.end()
    return values, place


def _call(values: dict[str, str], body: str, offset: int) -> ForeignCall:
    if values.get("type") == CODE:
        call = call_of(CODE, {"code": _code(html.unescape(body))})
        output = _decoded(values.get("output", ""))
    else:
        call = call_of(values.get("name"), _decoded(values.get("arguments", "")))
        output = _decoded(values.get("result") or html.unescape(body).strip())
    if values.get("done") != "false":
        call.result = result_of(output)
    call.offset = offset
    return call


def _in_list(items: list[Any]) -> Blocks:
    """Read the parts of an answer in the form of OpenAI's Responses API."""
    parts, thoughts = Parts(), list[str]()
    for item in items:
        key = field_of(item, "call_id")
        match field_of(item, "type"):
            case "message":
                parts.end_paragraph()
                parts.add_text(result_text(items_of(field_of(item, "content"))))
            case "function_call":
                arguments = _decoded(field_of(item, "arguments"))
                parts.add_step(call_of(field_of(item, "name"), arguments, key))
            case "function_call_output":
                parts.add_step(result_of(field_of(item, "output"), key))
            case "reasoning":
                thoughts.append(result_text(items_of(field_of(item, "summary", "content"))))
            case kind if kind == CODE_ITEM:
                call = call_of(CODE, {"code": field_of(item, "code")})
                call.result = result_of(field_of(item, "output"))
                parts.add_step(call)
    return Blocks(parts.text, paragraphs(thoughts), parts.steps)


def _decoded(value: Any) -> Any:
    """Return a value that may be JSON, or JSON within a text in JSON.

    Nobody has counted the values in it, so a long one stays a text.
    """
    for _each in range(2):
        if not isinstance(value, str):
            break
        is_long = len(value) > MAX_DECODED_CHARS
        try:
            value = json_text.decode(value.encode("utf-8", "replace"), str if is_long else object)
        except (msgspec.MsgspecError, UnicodeError, ValueError, RecursionError):
            break
    return value


def _quoted(body: str) -> str:
    """Return a text that is quoted and escaped."""
    lines = html.unescape(body).strip().split("\n")
    return "\n".join(line.removeprefix("> ").removeprefix(">") for line in lines)


def _code(body: str) -> str:
    """Return the code in a fence."""
    lines = body.strip().split("\n")
    is_fenced = len(lines) > 1 and lines[0].startswith(FENCE) and lines[-1].startswith(FENCE)
    return "\n".join(lines[1:-1] if is_fenced else lines)


def webui_sources(listed: Any) -> list[ForeignSource]:
    """Return the sources of an answer, numbered as its text cites them: in order, each once."""
    numbers: dict[str, ForeignSource] = {}
    for each in items_of(listed):
        source = field_of(each, "source")
        for details in items_of(field_of(each, "metadata")) or [None]:
            identity = _first(field_of(details, "source"), field_of(source, "id", "name"), UNNAMED)
            if identity in numbers or len(numbers) == MAX_SOURCES:
                continue
            number = len(numbers) + 1
            title = field_of(details, "name", "title")
            page = source_of({"url": identity, "title": title}, number=number)
            name = _first(title, field_of(source, "name"), identity)
            numbers[identity] = page or named_source(name, number=number)
    return list(numbers.values())


def _first(*values: Any) -> str:
    return next(filter(None, map(text_of, values)), "")
