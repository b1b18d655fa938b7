"""Build the output of a response in OpenAI's Responses API, item by item.

An answer is at most one item of reasoning and one message, followed by its tool calls. Each change
gives the events that announce it.
"""

from typing import Any
from uuid import UUID

Events = list[dict[str, Any]]


class ResponseItems:
    """The items of one response: `output` has the finished ones."""

    def __init__(self, generation_id: UUID) -> None:
        self.output: list[dict[str, Any]] = []
        self._hex = generation_id.hex
        self._kind = ""  # of the open item: "reasoning", "message" or none
        self._text: list[str] = []

    def reasoning(self, text: str) -> Events:
        """Add reasoning; return the events."""
        return self._piece("reasoning", "response.reasoning_text.delta", text)

    def text(self, text: str) -> Events:
        """Add text of the answer; return the events."""
        return self._piece("message", "response.output_text.delta", text)

    def finish(self, calls: list[dict[str, Any]]) -> Events:
        """Close the open item and add the tool calls; return the events."""
        events = self._close()
        if not self.output and not calls:
            events += [*self._open("message"), *self._close()]
        for call in calls:
            events += self._call(call)
        return events

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

    def _close(self) -> Events:
        if not self._kind:
            return []
        text, place = "".join(self._text), {**self._place(), "content_index": 0}
        is_message = self._kind == "message"
        kind = "response.output_text.done" if is_message else "response.reasoning_text.done"
        done = {"type": kind, **place, "text": text} | ({"logprobs": []} if is_message else {})
        part = self._part(text)
        item = self._item("completed", [part])
        finished = {
            "type": "response.output_item.done",
            "output_index": len(self.output),
            "item": item,
        }
        self.output.append(item)
        self._kind = ""
        return [done, {"type": "response.content_part.done", **place, "part": part}, finished]

    def _call(self, call: dict[str, Any]) -> Events:
        place = {"item_id": self._id("fc"), "output_index": len(self.output)}
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        item = {
            "id": place["item_id"],
            "type": "function_call",
            "status": "completed",
            "call_id": call["id"],
            "name": name,
            "arguments": arguments,
        }
        opened = {**item, "status": "in_progress", "arguments": ""}
        index = place["output_index"]
        self.output.append(item)
        prefix = "response.function_call_arguments"
        return [
            {"type": "response.output_item.added", "output_index": index, "item": opened},
            {"type": f"{prefix}.delta", **place, "delta": arguments},
            {"type": f"{prefix}.done", **place, "name": name, "arguments": arguments},
            {"type": "response.output_item.done", "output_index": index, "item": item},
        ]

    def _item(self, status: str, content: list[dict[str, Any]]) -> dict[str, Any]:
        item: dict[str, Any] = {"id": self._place()["item_id"], "type": self._kind}
        if self._kind == "reasoning":
            return {**item, "summary": [], "content": content}
        return {**item, "status": status, "role": "assistant", "content": content}

    def _part(self, text: str) -> dict[str, Any]:
        if self._kind == "reasoning":
            return {"type": "reasoning_text", "text": text}
        return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}

    def _place(self) -> dict[str, Any]:
        prefix = "rs" if self._kind == "reasoning" else "msg"
        return {"item_id": self._id(prefix), "output_index": len(self.output)}

    def _id(self, prefix: str) -> str:
        return f"{prefix}_{self._hex}{len(self.output)}"
