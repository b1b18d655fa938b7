"""Encode tool calls in chat completions: of functions, of custom tools, and in the old form."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from chat.generations.delivery.encoders.called_tools import FUNCTIONS, ToolForms, input_of
from chat.generations.delivery.encoders.collected_answer import arguments_of
from chat.generations.delivery.encoders.streamed_calls import CallDelta, extra_of


class ChatCallDeltas:
    """The deltas of a stream that tell of the calls of one answer."""

    def __init__(self, tools: ToolForms) -> None:
        self._tools = tools
        self._inputs: dict[int, list[str]] = {}  # of custom tools, by number of the call

    def piece(self, call: CallDelta) -> Iterator[dict[str, Any]]:
        """Yield the deltas for more of a call: first its name, in a delta of its own."""
        if self._tools.is_old:
            yield from _old_piece(call)
        elif call.name in self._tools.custom or call.number in self._inputs:
            yield from self._custom_piece(call)
        else:
            if call.name:
                yield {"tool_calls": [{**call.opened, "index": call.number}]}
            extra = {} if call.name else call.extra
            if call.arguments or extra:
                yield _more(call.number, {"function": {"arguments": call.arguments}, **extra})

    def end(self) -> Iterator[dict[str, Any]]:
        """Yield the input of custom tools, which is known only at the end."""
        for number, pieces in self._inputs.items():
            yield _more(number, {"custom": {"input": input_of("".join(pieces))}})

    def _custom_piece(self, call: CallDelta) -> Iterator[dict[str, Any]]:
        self._inputs.setdefault(call.number, []).append(call.arguments)
        if call.name:
            custom = {"name": call.name, "input": ""}
            opened = {"id": call.id, "type": "custom", "custom": custom}
            yield _more(call.number, {**opened, **call.extra})


def tool_calls(
    last: dict[str, Any], generation_id: UUID, tools: ToolForms = FUNCTIONS
) -> list[dict[str, Any]]:
    """Return the tool calls of the terminal payload `last`.

    Their ids are made here, because models repeat theirs in each answer.
    """
    return [
        {
            "id": f"call_{generation_id.hex[:24]}_{number}",
            **_called(call["name"], arguments_of(call, last), tools),
            **extra_of(call),
        }
        for number, call in enumerate(last.get("tool_calls", ()))
    ]


def calls_of_message(calls: list[dict[str, Any]], tools: ToolForms) -> dict[str, Any]:
    """Return the fields of a whole message that has these calls."""
    if tools.is_old:
        return {"function_call": calls[0]["function"]}
    return {"tool_calls": calls}


def reason_in_form(reason: str | None, tools: ToolForms) -> str | None:
    """Return the finish reason as the program knows it."""
    return "function_call" if tools.is_old and reason == "tool_calls" else reason


def _called(name: str, arguments: str, tools: ToolForms) -> dict[str, Any]:
    if name in tools.custom:
        return {"type": "custom", "custom": {"name": name, "input": input_of(arguments)}}
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


def _old_piece(call: CallDelta) -> Iterator[dict[str, Any]]:
    if call.number:
        return  # the old form has one call
    if call.name:
        yield {"function_call": {"name": call.name, "arguments": ""}}
    if call.arguments:
        yield {"function_call": {"arguments": call.arguments}}


def _more(number: int, fields: dict[str, Any]) -> dict[str, Any]:
    return {"tool_calls": [{"index": number, **fields}]}
