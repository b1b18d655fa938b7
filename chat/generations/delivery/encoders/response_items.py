"""Build the output of a response in OpenAI's Responses API, item by item.

An answer is at most one item of reasoning and one message, followed by its tool calls. Each change
gives the events that announce it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import msgspec

from chat.generations.delivery.encoders.called_tools import ToolForms, input_of
from chat.generations.delivery.encoders.file_citations import file_citations, is_web_page
from chat.generations.delivery.encoders.streamed_calls import CallDelta

Events = list[dict[str, Any]]
ARGUMENTS = "response.function_call_arguments"
INPUT = "response.custom_tool_call_input"


@dataclass(slots=True)
class _OpenCall:
    """A tool call that is being written. Its `item` is in the output already."""

    item: dict[str, Any]
    output_index: int
    arguments: list[str] = field(default_factory=list)

    @property
    def is_custom(self) -> bool:
        return bool(self.item["type"] == "custom_tool_call")

    @property
    def place(self) -> dict[str, Any]:
        return {"item_id": self.item["id"], "output_index": self.output_index}

    def close(self, status: str) -> Events:
        """Complete the item with its final `status`; return the events."""
        arguments = "".join(self.arguments)
        self.item["status"] = status
        done = {
            "type": "response.output_item.done",
            "output_index": self.output_index,
            "item": self.item,
        }
        if self.is_custom:
            return [*self._text(input_of(arguments)), done]
        self.item["arguments"] = arguments
        name = self.item["name"]
        written = {"type": f"{ARGUMENTS}.done", "name": name, "arguments": arguments}
        return [{**written, **self.place}, done]

    def _text(self, text: str) -> Events:
        """Return the events of a custom tool's input, which is known only at the end."""
        self.item["input"] = text
        delta = [{"type": f"{INPUT}.delta", **self.place, "delta": text}] if text else []
        return [*delta, {"type": f"{INPUT}.done", **self.place, "input": text}]


class ResponseItems:
    """The items of one response: `output` has the finished ones, and tool calls from the start."""

    def __init__(self, generation_id: UUID, tools: ToolForms) -> None:
        self._tools = tools
        self.output: list[dict[str, Any]] = []
        self._hex = generation_id.hex
        self._kind = ""  # of the open item: "reasoning", "message" or none
        self._text: list[str] = []
        self._calls: dict[int, _OpenCall] = {}
        self._sources: dict[int, dict[str, Any]] | None = None  # of documents, by number

    def searched(self, sources: Iterable[dict[str, Any]]) -> Events:
        """Add what was found in documents, or on web pages; return the events of the search."""
        found = {each["number"]: each for each in sources}
        is_first = self._sources is None
        self._sources = (self._sources or {}) | found
        is_web = bool(found) and all(map(is_web_page, found.values()))
        return self._search() if is_first and not is_web else []

    def used_tool(self, tool: dict[str, Any]) -> Events:
        """Add a search of the web that has ended; return its events."""
        if tool["tool"] != "web_search" or tool["state"] == "running":
            return []
        events = self._close()
        index = len(self.output)
        query = _query_in(tool["arguments"])
        item: dict[str, Any] = {"id": self._id("ws"), "type": "web_search_call"}
        item["action"] = {"type": "search", "query": query}
        status = "completed" if tool["state"] == "done" else "failed"
        self.output.append({**item, "status": status})
        place = {"output_index": index, "item_id": item["id"]}
        steps = ("in_progress", "searching", "completed")
        return [*events, *self._searching(index, item, "web_search_call", steps, place)]

    def reasoning(self, text: str) -> Events:
        """Add reasoning; return the events."""
        return self._piece("reasoning", "response.reasoning_text.delta", text)

    def text(self, text: str) -> Events:
        """Add text of the answer; return the events."""
        return self._piece("message", "response.output_text.delta", text)

    def call(self, call: CallDelta) -> Events:
        """Add a piece of a tool call; return the events."""
        events: Events = []
        if call.name:
            events += [*self._close(), *self._open_call(call)]
        if call.arguments:
            opened = self._calls[call.number]
            opened.arguments.append(call.arguments)
            if opened.is_custom:
                return events
            events.append({"type": f"{ARGUMENTS}.delta", **opened.place, "delta": call.arguments})
        return events

    def finish(self, rest: Iterable[CallDelta], status: str) -> Events:
        """Add the `rest` of the tool calls and close what is open; return the events.

        `status` is the response's. If it is incomplete, so is its last item.
        """
        events = self._close(status)
        for piece in rest:
            events += self.call(piece)
        if not self.output:
            events += [*self._open("message"), *self._close()]
        for opened in self._calls.values():
            is_last = opened.output_index == len(self.output) - 1
            events += opened.close(status if is_last else "completed")
        return events

    def _search(self) -> Events:
        """Return the events of a search that is over. Its results are the answer's citations."""
        index, item_id = len(self.output), self._id("fs")
        item: dict[str, Any] = {"id": item_id, "type": "file_search_call"}
        item["queries"] = []
        self.output.append({**item, "status": "completed"})
        place = {"output_index": index, "item_id": item_id}
        steps = ("in_progress", "searching", "completed")
        return self._searching(index, item, "file_search_call", steps, place)

    def _searching(
        self,
        index: int,
        item: dict[str, Any],
        kind: str,
        steps: Iterable[str],
        place: dict[str, Any],
    ) -> Events:
        return [
            {
                "type": "response.output_item.added",
                "output_index": index,
                "item": {**item, "status": "in_progress"},
            },
            *({"type": f"response.{kind}.{step}", **place} for step in steps),
            {
                "type": "response.output_item.done",
                "output_index": index,
                "item": self.output[index],
            },
        ]

    def _piece(self, kind: str, event_type: str, text: str) -> Events:
        events: Events = []
        if self._kind != kind:
            events += [*self._close(), *self._open(kind)]
        self._text.append(text)
        delta = {"type": event_type, **self._place(), "content_index": 0, "delta": text}
        return [*events, delta | ({"logprobs": []} if kind == "message" else {})]

    def _open(self, kind: str) -> Events:
        self._kind, self._text = kind, []
        added = {"type": "response.output_item.added", "output_index": len(self.output)}
        part = {"type": "response.content_part.added", **self._place(), "content_index": 0}
        return [
            {**added, "item": self._item("in_progress", [])},
            {**part, "part": self._part("")},
        ]

    def _close(self, status: str = "completed") -> Events:
        if not self._kind:
            return []
        text, place = "".join(self._text), {**self._place(), "content_index": 0}
        is_message = self._kind == "message"
        kind = "response.output_text.done" if is_message else "response.reasoning_text.done"
        done = {"type": kind, **place, "text": text} | ({"logprobs": []} if is_message else {})
        part = self._part(text)
        noted = [
            {
                "type": "response.output_text.annotation.added",
                **place,
                "annotation_index": number,
                "annotation": annotation,
            }
            for number, annotation in enumerate(part.get("annotations", ()))
        ]
        item = self._item(status, [part])
        finished = {
            "type": "response.output_item.done",
            "output_index": len(self.output),
            "item": item,
        }
        self.output.append(item)
        self._kind = ""
        last = {"type": "response.content_part.done", **place, "part": part}
        return [*noted, done, last, finished]

    def _open_call(self, call: CallDelta) -> Events:
        is_custom = call.name in self._tools.custom
        item = {
            "id": self._id("ctc" if is_custom else "fc"),
            "type": "custom_tool_call" if is_custom else "function_call",
            "status": "in_progress",
            "call_id": call.id,
            **self._tools.place_of(call.name),
            ("input" if is_custom else "arguments"): "",
            **call.extra,
        }
        opened = _OpenCall(item, len(self.output))
        self._calls[call.number] = opened
        self.output.append(item)
        index = opened.output_index
        return [{"type": "response.output_item.added", "output_index": index, "item": dict(item)}]

    def _item(self, status: str, content: list[dict[str, Any]]) -> dict[str, Any]:
        item: dict[str, Any] = {"id": self._place()["item_id"], "type": self._kind}
        if self._kind == "reasoning":
            return {**item, "summary": [], "content": content}
        return {**item, "status": status, "role": "assistant", "content": content}

    def _part(self, text: str) -> dict[str, Any]:
        if self._kind == "reasoning":
            return {"type": "reasoning_text", "text": text}
        annotations = file_citations(text, self._sources or {})
        return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}

    def _place(self) -> dict[str, Any]:
        prefix = "rs" if self._kind == "reasoning" else "msg"
        return {"item_id": self._id(prefix), "output_index": len(self.output)}

    def _id(self, prefix: str) -> str:
        return f"{prefix}_{self._hex}{len(self.output)}"


def _query_in(arguments: str) -> str:
    """Return what a search was for; empty if the arguments are cut or none."""
    try:
        values = msgspec.json.decode(arguments)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
    return str(values.get("query", "")) if isinstance(values, dict) else ""
