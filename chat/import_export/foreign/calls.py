"""The calls of tools in another program's answers: they are shown as they ended, and never run.

Names, arguments and results are foreign text, within the limits of the calls that are made here.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from chat.conversations.tool_calls.models import TOOL_NAME_LENGTH
from chat.generations.send.tool_rounds import MAX_ARGUMENTS_CHARS
from chat.import_export.file_format import MAX_TOOLS, ExportedTool
from chat.import_export.foreign.values import field_of, paragraphs, text_of, without_nul
from chat.knowledge.given import foreign_block
from chat.lib.text import clean, one_line
from chat.tools.mcp.results import LEFT_OUT, MAX_BYTES

#: All arguments and results of an answer; later calls are left out.
MAX_ANSWER_BYTES = 250_000
#: What has no name is called this.
UNNAMED = "tool"
#: Arguments that are no object, or too long for one, become this value of an object.
INPUT = "input"
#: Where the parts of results have their text.
TEXTS = ("text", "snippet", "content", "logs")
UNENCODABLE = (RecursionError, ValueError, TypeError, OverflowError, msgspec.MsgspecError)


@dataclass(slots=True)
class ForeignResult:
    """What a call returned. `keys` name it or its tool, in the order in which they are tried."""

    keys: tuple[str, ...]
    text: str
    is_failure: bool = False
    count: int | None = None
    offset: int = 0  # in the text of its message

    @property
    def size(self) -> int:
        return len(self.text)


@dataclass(slots=True)
class ForeignCall:
    """A call. Its `keys` are those that its results may have, if it doesn't have its own."""

    tool: str
    arguments: str
    keys: tuple[str, ...] = ()
    result: ForeignResult | None = None
    offset: int = 0

    @property
    def size(self) -> int:
        return len(self.arguments) + (self.result.size if self.result else 0)


Step = ForeignCall | ForeignResult


@dataclass(slots=True)
class _Pair:
    call: ForeignCall
    place: int  # in the whole answer
    round: int
    results: list[ForeignResult]


def call_of(tool: Any, arguments: Any, *keys: Any) -> ForeignCall:
    """Return a call with arguments of any type."""
    name = one_line(text_of(tool))[:TOOL_NAME_LENGTH] or UNNAMED
    return ForeignCall(name, _encoded(arguments), tuple(filter(None, map(text_of, keys))))


def result_of(value: Any, *keys: Any, is_failure: bool = False) -> ForeignResult:
    """Return a result of any type: a text, a list of parts, or another value as JSON."""
    known = tuple(filter(None, map(text_of, keys)))
    count = None
    if isinstance(value, list):
        count = sum(bool(text_of(field_of(each, "url"))) for each in value) or None
    text = _storable(result_text(value)[: MAX_BYTES + 1])  # one more, so that it is cut later
    return ForeignResult(known, text, is_failure, count)


def result_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return paragraphs(map(_part, value))
    if value is None:
        return ""
    return _part(value)


def exported_calls(steps: Iterable[tuple[int, Step]]) -> tuple[list[ExportedTool], int]:
    """Return the calls of an answer with their results, and how many are left out.

    With each step comes the length of the answer's text before it.
    """
    tools: list[ExportedTool] = []
    room, left_out = MAX_ANSWER_BYTES, 0
    for pair in _pairs(steps):
        tool = _exported(pair)
        room -= len(tool.arguments.encode()) + len(tool.result.encode())
        if room < 0 or len(tools) == MAX_TOOLS:
            left_out += 1
        else:
            tools.append(tool)
    return tools, left_out


def _pairs(steps: Iterable[tuple[int, Step]]) -> list[_Pair]:
    """Give results to their calls: by an identifier, or to the first of a tool that waits."""
    pairs: list[_Pair] = []
    waiting: dict[str, deque[_Pair]] = {}
    latest: dict[str, _Pair] = {}
    before: Step | None = None
    begin = rounds = 0
    for place, step in steps:
        if isinstance(step, ForeignCall):
            # Calls that follow each other were made at once.
            is_next = isinstance(before, ForeignCall) and not before.result and begin == place
            rounds += before is not None and not is_next
            pair = _Pair(step, place, rounds, [step.result] if step.result else [])
            for key in step.keys:
                waiting.setdefault(key, deque()).append(pair)
                latest[key] = pair
            pairs.append(pair)
        else:
            found = _waiting(step, waiting) or next(filter(None, map(latest.get, step.keys)), None)
            if not found:
                name = step.keys[-1] if step.keys else UNNAMED
                found = _Pair(call_of(name, {}), place, rounds, [])
                latest.update(dict.fromkeys(step.keys, found))
                pairs.append(found)
            found.results.append(step)
        before, begin = step, place
    return pairs


def _waiting(result: ForeignResult, waiting: dict[str, deque[_Pair]]) -> _Pair | None:
    for key in result.keys:
        pairs = waiting.get(key, deque())
        while pairs and pairs[0].results:
            pairs.popleft()
        if pairs:
            return pairs[0]
    return None


def _exported(pair: _Pair) -> ExportedTool:
    results = pair.results
    has_failed = not results or any(each.is_failure for each in results)
    text = _cut(paragraphs(each.text for each in results))
    counts = [each.count for each in results if each.count is not None]
    return ExportedTool(
        tool=pair.call.tool,
        state="failed" if has_failed else "done",
        arguments=pair.call.arguments,
        result=foreign_block(text) if text else "",
        count=sum(counts) if counts else None,
        problem="" if results else "interrupted",
        round=min(pair.round, 1000),
        text_length=pair.place,
    )


def _encoded(arguments: Any) -> str:
    """Return arguments as the JSON text of an object. A text may be that already."""
    text = arguments if isinstance(arguments, str) else _json(arguments)
    text = _storable(text)
    if len(text) <= MAX_ARGUMENTS_CHARS and _is_object(text):
        return text
    if not text.strip() or text == "null":
        return "{}"
    value = text[:MAX_ARGUMENTS_CHARS]
    while len(encoded := _json({INPUT: value})) > MAX_ARGUMENTS_CHARS:
        value = value[: len(value) // 2]
    return encoded


def _is_object(text: str) -> bool:
    try:
        return isinstance(msgspec.json.decode(text), dict)
    except UNENCODABLE:
        return False


def _json(value: Any) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except UNENCODABLE:
        return ""


def _part(part: Any) -> str:
    """Return a part of a result: its title, address and text, or else what it is."""
    if isinstance(part, str):
        return part
    known = [text_of(field_of(part, *names)) for names in (("title",), ("url", "link"), TEXTS)]
    if any(known):
        return "\n".join(filter(None, known))
    kind = one_line(text_of(field_of(part, "type")))
    return f"[{kind}]" if kind in {"image", "audio", "file"} else _json(part)


def _cut(text: str) -> str:
    kept = text.encode()[:MAX_BYTES].decode(errors="ignore")
    return kept if kept == text else kept + LEFT_OUT


def _storable(text: str) -> str:
    return clean(without_nul(text))
