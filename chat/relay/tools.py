"""Putting tool calls together from their fragments.

Fragments name their call by `index`; ids repeat between turns and may come late, arguments may come
before the name, and a last fragment may be all null. Models also send whole calls without an index.
"""

import json
from typing import Any

from chat.relay.events import ToolCall


class ToolCalls:
    def __init__(self) -> None:
        self._by_index: dict[int, ToolCall] = {}

    def calls(self) -> list[ToolCall]:
        return [self._by_index[index] for index in sorted(self._by_index)]

    def add(self, fragments: Any) -> None:
        for fragment in fragments if isinstance(fragments, list) else []:
            if isinstance(fragment, dict):
                self._add(fragment)

    def _add(self, fragment: dict[str, Any]) -> None:
        function = fragment.get("function")
        part = function if isinstance(function, dict) else fragment
        name, call_id = part.get("name"), fragment.get("id")
        arguments = _arguments(part.get("arguments"))
        if not (name or call_id or arguments):
            return
        call = self._call(fragment.get("index"), starts_new=bool(name or call_id))
        call.id = call_id if isinstance(call_id, str) else call.id
        call.name = name if isinstance(name, str) else call.name
        call.arguments += arguments

    def _call(self, index: Any, starts_new: bool) -> ToolCall:
        try:
            number = int(index)
        except (TypeError, ValueError, OverflowError):
            number = max(self._by_index, default=-1) + (1 if starts_new else 0)
        number = max(0, number)
        return self._by_index.setdefault(number, ToolCall(index=number))


def _arguments(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return ""
