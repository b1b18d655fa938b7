"""From decoded server-sent events to pieces of an answer: pure, one normaliser per answer.

Every chunk is looked at by itself, because one stream mixes dialects: native `{"response": …}`,
OpenAI's `{"choices": [{"delta": …}]}`, both at once with the same text, Responses events. What
makes it delicate: text arrives as bare numbers and booleans whose spelling must survive (`007`,
`1.50`), surrogate pairs are cut in two, usage comes as increments, as running totals or as one tail
object. Nothing is trimmed and nothing falsy is dropped: `0` and `" "` are text.
"""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from chat.lib.sse import Event as SseEvent
from chat.relay.events import Finished, Piece, Reasoning, Text, ToolCall
from chat.relay.refusals import ENDED_IN_ERROR, Refusal, refusal_in
from chat.relay.tools import ToolCalls
from chat.relay.usage import UsageCount

DONE = "[DONE]"


class Lexeme(str):
    """A JSON number, kept as it was spelled."""

    __slots__ = ()


class Normaliser:
    """Feed it events; read `done` and `refusal` after each, `finished()` at the end."""

    def __init__(self) -> None:
        self.done = False
        self.refusal: Refusal | None = None
        self.finish_reason: str | None = None
        self.malformed = 0
        self.unknown = 0
        self._usage = UsageCount()
        self._tools = ToolCalls()
        self._high_surrogate = ""

    def feed(self, event: SseEvent) -> list[Piece]:
        """The pieces in `event`; none after the end or after an error."""
        data = event.data.strip()
        if not data or self.done or self.refusal:
            return []
        if data == DONE:
            self.done = True
            return []
        pieces: list[Piece] = []
        for value in self._values(data):
            if not isinstance(value, dict):
                self.unknown += 1
                continue
            self.refusal = refusal_in(value, event.event)
            if self.refusal:
                self.finish_reason = "error" if self.refusal == ENDED_IN_ERROR else None
                break
            pieces += self._chunk(value)
        return pieces

    def feed_unterminated(self, event: SseEvent | None) -> list[Piece]:
        """What the end of the stream left without its blank line: used only if it is whole."""
        if event is None or not (event.data.strip() == DONE or _parse(event.data) is not None):
            return []
        return self.feed(event)

    def finished(self) -> tuple[list[Piece], Finished]:
        """The last piece, if one was held back, and how the answer ended."""
        held: list[Piece] = [Text("\ufffd")] if self._high_surrogate else []
        self._high_surrogate = ""
        return held, Finished(
            complete=self.done or self.finish_reason is not None,
            finish_reason=self.finish_reason,
            usage=self._usage.total(),
            tool_calls=self.tool_calls,
        )

    @property
    def tool_calls(self) -> list[ToolCall]:
        return self._tools.calls()

    def document(self, value: dict[str, Any]) -> list[Piece]:
        """A whole answer that came as one JSON document, with or without its envelope."""
        self.refusal = refusal_in(value, "message")
        if self.refusal:
            return []
        result = value.get("result", value)
        if not isinstance(result, dict) or not result:
            return []
        self.done = True
        for choice in _dicts(result.get("choices")):
            choice.setdefault("delta", choice.get("message"))
        if isinstance(result.get("response"), (dict, list)):  # JSON mode
            result["response"] = json.dumps(result["response"], ensure_ascii=False)
        return self._chunk(result)

    def _values(self, data: str) -> Iterator[Any]:
        """The JSON in one event: one value, or one per line where blank lines were left out."""
        value = _parse(data)
        if value is not None:
            yield from value.get("streamed_data", [value]) if isinstance(value, dict) else [value]
            return
        lines = [line for line in data.split("\n") if line.strip() and line.strip() != DONE]
        values = [_parse(line) for line in lines]
        if (len(lines) < 2 and DONE not in data.split("\n")) or None in values:
            self.malformed += 1
            return
        yield from values
        self.done = DONE in data.split("\n")

    def _chunk(self, chunk: dict[str, Any]) -> list[Piece]:
        kind = chunk.get("type")
        if isinstance(kind, str) and kind.startswith("response."):
            return self._responses_event(kind, chunk)
        choices = _dicts(chunk.get("choices"))
        choice = choices[0] if choices else {}
        delta = choice.get("delta")
        delta = delta if isinstance(delta, dict) else {}
        known = chunk.keys() & {"response", "choices", "tool_calls", "usage", "finish_reason"}
        self.unknown += not known
        self._usage.add(chunk.get("usage"), is_tail="choices" not in chunk)
        self._tools.add(delta.get("tool_calls") or chunk.get("tool_calls"))
        reason = choice.get("finish_reason") or chunk.get("finish_reason")
        if isinstance(reason, str):
            self.finish_reason = reason
        thought = _spelled(delta.get("reasoning_content")) or _spelled(delta.get("reasoning"))
        said = _spelled(delta.get("content")) or _spelled(chunk.get("response"))
        return self._pieces(thought, said)

    def _responses_event(self, kind: str, chunk: dict[str, Any]) -> list[Piece]:
        if kind == "response.output_text.delta":
            return self._pieces("", _spelled(chunk.get("delta")))
        if kind == "response.reasoning_text.delta":
            return self._pieces(_spelled(chunk.get("delta")), "")
        if kind in {"response.completed", "response.incomplete"}:
            response = chunk.get("response")
            self._usage.add(response.get("usage") if isinstance(response, dict) else None, True)
            self.finish_reason = "stop" if kind == "response.completed" else "length"
            self.done = True
        return []

    def _pieces(self, thought: str, said: str) -> list[Piece]:
        pieces: list[Piece] = []
        if thought := _repaired(thought):
            pieces.append(Reasoning(thought))
        if said := self._joined(said):
            pieces.append(Text(said))
        return pieces

    def _joined(self, text: str) -> str:
        """`text` with half a character held back at its end, and given back at its start."""
        if not text:
            return ""
        text, self._high_surrogate = self._high_surrogate + text, ""
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._high_surrogate = text[:-1], text[-1]
        return _repaired(text)


def parse_document(body: bytes) -> Any:
    """The JSON value of a whole answer, read as the chunks of a stream are; None if it is none."""
    return _parse(body.decode("utf-8", "replace"))


def _parse(data: str) -> Any:
    """The JSON value, with numbers as `Lexeme` where a text field holds one; None if it is none."""
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return _parse_keeping_lexemes(data)
    return value if _has_plain_text(value) else _parse_keeping_lexemes(data)


def _parse_keeping_lexemes(data: str) -> Any:
    try:
        return json.loads(data, parse_int=Lexeme, parse_float=Lexeme, parse_constant=Lexeme)
    except (ValueError, RecursionError):
        return None


def _has_plain_text(value: Any) -> bool:
    """False where a number stands for text, so that its spelling has to be read again."""
    if not isinstance(value, dict):
        return not isinstance(value, list)
    if isinstance(value.get("response"), (int, float)) or "streamed_data" in value:
        return False
    for choice in _dicts(value.get("choices")):
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            texts = (delta.get("content"), delta.get("reasoning_content"), delta.get("reasoning"))
            if any(isinstance(text, (int, float, list)) for text in texts):
                return False
    return not isinstance(value.get("delta"), (int, float))


def _spelled(value: Any) -> str:
    """A text value as text: `true` and `0.50` are tokens too; null and objects are nothing."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "".join(_spelled(part.get("text")) for part in _dicts(value))
    return ""


def _repaired(text: str) -> str:
    """`text` without NUL (PostgreSQL refuses it) and without halves of surrogate pairs."""
    if "\0" in text:
        text = text.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
