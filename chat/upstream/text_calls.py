"""Find tool calls that a model writes into its answer as text, because nobody parses its format.

Servers without a parser for a model's format relay what it writes: the marks of Hermes and Qwen,
Mistral, Llama, Granite and Functionary, or a bare JSON object (Llama 3.2). Only what begins a line
is a mark, only calls of offered tools count, and what turns out to be none is text. Nothing comes
after calls.
"""

import json
import re
from collections.abc import AsyncGenerator, Collection, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from chat.upstream.decoding.tool_calls import MAX_ARGUMENT_CHARS, MAX_CALLS
from chat.upstream.events import Event, Finished, Text, ToolCall, ToolCallPiece

MARKS = ("<tool_call>", "[TOOL_CALLS]", "<|python_tag|>", "<|tool_call|>", "<function=")
#: Blanks before a mark; after more, there is none.
MAX_BLANKS = 20
_BLANKS = rf"[ \t]{{0,{MAX_BLANKS}}}"
_MARK = re.compile(_BLANKS + "(?:" + "|".join(map(re.escape, MARKS)) + ")")
#: After so much of an object without a mark, the name of an offered tool has come, or it is text.
DECIDING_CHARS = 200
#: A JSON object that may be a call, if an answer begins with it, and how that begins.
_OBJECT = re.compile(r'\s{0,20}\{\s{0,20}"(?:name|type|function)"')
_OBJECT_BEGIN = re.compile(r'\s{0,20}(?:\{\s{0,20}(?:"[a-z]{0,8})?)?')
#: Before, between and after calls.
_BETWEEN = re.compile(
    r"(?:\s|;|</tool_call>|</function>|<\|eom_id\|>|<\|eot_id\|>|<\|im_end\|>|"
    + "|".join(map(re.escape, MARKS))
    + ")*"
)
#: A name before the arguments: Functionary's, and that of newer models of Mistral.
_NAMED = re.compile(r"([\w.-]{1,100})(?:>|\[CALL_ID\]\w{0,40})?(?:\[ARGS\])?\s*(?=\{)")


def _refuse(constant: str) -> None:
    """Refuse NaN and the like, which no JSON has."""
    raise ValueError(constant)


_decoder = json.JSONDecoder(strict=False, parse_constant=_refuse)


def with_text_calls(
    events: AsyncGenerator[Event], names: Collection[str], *, is_json: bool
) -> AsyncGenerator[Event]:
    """Return the events with calls of the tools `names` in place of their text.

    If the answer `is_json` as it was asked to be, an object without a mark is no call.
    """
    return _read(events, TextCalls(names, is_json=is_json)) if names else events


async def _read(events: AsyncGenerator[Event], reader: "TextCalls") -> AsyncGenerator[Event]:
    async with aclosing(events):
        try:
            async for event in events:
                if isinstance(event, Text):
                    if text := reader.feed(event.text):
                        yield Text(text)
                    continue
                if isinstance(event, Finished):
                    calls = [] if _has_failed(event) else reader.calls()
                    for each in calls:
                        yield ToolCallPiece(each.index, each.name, each.arguments)
                    if calls:
                        event = replace(event, tool_calls=calls, finish_reason="tool_calls")
                    elif rest := reader.rest():
                        yield Text(rest)
                yield event
        except Exception:
            if rest := reader.rest():
                yield Text(rest)
            raise


def _has_failed(finished: Finished) -> bool:
    """Return whether an answer can't end with calls in its text: it is cut, or has other ones."""
    is_cut = not finished.complete or finished.finish_reason not in {None, "stop"}
    return is_cut or bool(finished.tool_calls)


class TextCalls:
    """Hold back the text of an answer from where calls begin, or may begin."""

    def __init__(self, names: Collection[str], *, is_json: bool) -> None:
        self._names = frozenset(names)
        self._may_be_object = not is_json  # as long as the answer has no other text
        self._begins_line = True
        self._undecided = ""  # the beginning of a mark, perhaps
        self._held: list[str] = []
        self._held_chars = 0
        self._is_marked = False  # or has the name of a tool

    def feed(self, text: str) -> str:
        """Return what is text, whatever follows."""
        if self._held:
            return self._hold(text)
        text, self._undecided = self._undecided + text, ""
        if self._may_be_object:
            if _OBJECT.match(text):
                return self._hold(text)
            if _OBJECT_BEGIN.fullmatch(text):
                self._undecided = text
                return ""
        begin: int | None = None
        for begin in _line_begins(text, self._begins_line):
            if _MARK.match(text, begin):
                self._is_marked = True
                return self._relay(text[:begin]) + self._hold(text[begin:])
        if begin is not None and _may_begin_mark(text[begin:]):
            text, self._undecided = text[:begin], text[begin:]
            self._begins_line = True
        elif text:
            self._begins_line = text.endswith("\n")
        return self._relay(text)

    def _relay(self, text: str) -> str:
        self._may_be_object = self._may_be_object and not text.strip()
        return text

    def _hold(self, text: str) -> str:
        """Keep text that may be calls; return all of it once it can't be some."""
        self._held.append(text)
        self._held_chars += len(text)
        if not self._is_marked and self._held_chars > DECIDING_CHARS:
            begin = "".join(self._held)[: 2 * DECIDING_CHARS]
            self._is_marked = any(f'"{name}"' in begin for name in self._names)
            if not self._is_marked:
                return self.rest()
        return self.rest() if self._held_chars > MAX_ARGUMENT_CHARS else ""

    def rest(self) -> str:
        """Return what is held back, as text."""
        text = self._undecided + "".join(self._held)
        self._undecided, self._held_chars = "", 0
        self._held.clear()
        self._may_be_object = self._begins_line = False
        return text

    def calls(self) -> list[ToolCall]:
        """Return the calls that are held back; none if any of the text is something else."""
        try:
            calls = list(_calls_in("".join(self._held)))
        except (ValueError, RecursionError):
            return []
        are_known = len(calls) <= MAX_CALLS and all(each.name in self._names for each in calls)
        return calls if are_known else []


def _line_begins(text: str, is_begin: bool) -> Iterator[int]:
    """Yield where lines begin; the first one at the beginning of the text if it `is_begin`."""
    if is_begin:
        yield 0
    yield from (each.end() for each in re.finditer("\n", text))


def _may_begin_mark(line: str) -> bool:
    word = line.lstrip(" \t")
    if not line or len(line) - len(word) > MAX_BLANKS:
        return False
    return any(mark.startswith(word) for mark in MARKS)


def _calls_in(text: str) -> Iterator[ToolCall]:
    """Yield the calls that a text consists of. Raise `ValueError` if it has anything else."""
    place, index = _end_of(_BETWEEN, text, 0), 0
    while place < len(text):
        named = _NAMED.match(text, place)
        value, place = _decoder.raw_decode(text, named.end() if named else place)
        for each in value if isinstance(value, list) else [value]:
            yield _call(index, named[1], each) if named else _call(index, *_parts(each))
            index += 1
        place = _end_of(_BETWEEN, text, place)


def _end_of(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place


def _parts(value: Any) -> tuple[Any, Any]:
    """Return the name and the arguments of a call."""
    if isinstance(value, dict) and isinstance(value.get("function"), dict):
        value = value["function"]
    if not isinstance(value, dict):
        raise ValueError("no call")
    arguments = value.get("arguments", value.get("parameters", {}))
    return value.get("name") or value.get("function"), arguments


def _call(index: int, name: Any, arguments: Any) -> ToolCall:
    if isinstance(arguments, str):
        arguments = _decoder.decode(arguments)
    if not (isinstance(name, str) and isinstance(arguments, dict)):
        raise ValueError("no call")
    return ToolCall(index, None, name, _encoded(arguments))


def _encoded(arguments: dict[str, Any]) -> str:
    """Return JSON that anybody can send on. Raise `ValueError` for an endless number."""
    text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate, which stays as the model has written it
        return json.dumps(arguments)
    return text
