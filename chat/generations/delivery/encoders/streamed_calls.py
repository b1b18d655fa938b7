"""Tell clients of tool calls while they are written: each in the order of its first piece."""

from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

from chat.generations.delivery.encoders.collected_answer import arguments_of


def extra_of(call: dict[str, Any]) -> dict[str, Any]:
    """Return what a provider needs back with a call: Google's extension of OpenAI's format."""
    return {"extra_content": call["extra_content"]} if "extra_content" in call else {}


class CallDelta(NamedTuple):
    """What is new of a call: its name, only if the call is new, and more of its arguments.

    `extra` has the key `extra_content`, or none.
    """

    number: int
    id: str
    name: str
    arguments: str
    extra: dict[str, Any]

    @property
    def opened(self) -> dict[str, Any]:
        """Return the call as OpenAI's clients get it first, without arguments."""
        function = {"name": self.name, "arguments": ""}
        return {"id": self.id, "type": "function", "function": function, **self.extra}


class StreamedCalls:
    """The tool calls of one answer. Ids are made here, because models repeat theirs."""

    def __init__(self, generation_id: UUID) -> None:
        self._hex = generation_id.hex
        self._numbers: dict[int, int] = {}  # by the provider's index
        self._has_arguments: set[int] = set()

    def piece(self, call: dict[str, Any]) -> CallDelta:
        """Return what a payload's `tool_call` adds."""
        index, arguments = call["index"], call["arguments"]
        is_new = index not in self._numbers
        number = self._numbers.setdefault(index, len(self._numbers))
        if arguments:
            self._has_arguments.add(index)
        name = call["name"] if is_new else ""
        return CallDelta(number, self.id_of(number), name, arguments, extra_of(call))

    def rest(self, last: dict[str, Any]) -> Iterator[CallDelta]:
        """Yield what the terminal payload adds: calls without pieces, and empty arguments."""
        for call in last.get("tool_calls", ()):
            if call["index"] not in self._has_arguments:
                yield self.piece({**call, "arguments": arguments_of(call, last)})

    def id_of(self, number: int) -> str:
        return f"call_{self._hex[:24]}_{number}"
