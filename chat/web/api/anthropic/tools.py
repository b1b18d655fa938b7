"""Read the tools of a request, and write them in OpenAI's form.

Tools whose type has a version are Anthropic's own. Those that the program itself runs and that any
model can use get the schemas that Anthropic documents; all others are left out.
"""

from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from chat.errors import BadRequest
from chat.upstream.chunks import NOTHING

_BASH: dict[str, Any] = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "description": "The command to run."},
        "restart": {"type": "boolean", "description": "Start the shell anew, without a command."},
    },
}
_EDITOR: dict[str, Any] = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "enum": ["view", "create", "str_replace", "insert"]},
        "path": {"type": "string", "description": "The file or directory."},
        "view_range": {
            "type": "array",
            "items": {"type": "integer"},
            "description": "For view: the first and the last line; -1 is the end.",
        },
        "file_text": {"type": "string", "description": "For create: the content of the file."},
        "old_str": {
            "type": "string",
            "description": "For str_replace: the text to replace, which must occur exactly once.",
        },
        "new_str": {"type": "string", "description": "For str_replace: the new text."},
        "insert_line": {
            "type": "integer",
            "description": "For insert: the line after which to insert; 0 is the beginning.",
        },
        "insert_text": {"type": "string", "description": "For insert: the text."},
    },
    "required": ["command", "path"],
}
#: By the beginning of the type, before its version: what the tool does, and its schema.
KNOWN_TOOLS = {
    "bash_20": ("Runs a command in a shell that stays open, and returns its output.", _BASH),
    "text_editor_20": ("Views, creates and edits files.", _EDITOR),
}


class Tool(Struct):
    name: str = ""
    type: str | None = None
    description: str | None = None
    input_schema: dict[str, Any] | None = None
    strict: bool | None = None


class ToolChoice(Struct):
    type: Literal["auto", "any", "tool", "none"]
    name: str = ""
    disable_parallel_tool_use: bool | None = None


class WrittenTools(Struct):
    """The parameters of chat completions."""

    tools: Raw = NOTHING
    tool_choice: Raw = NOTHING
    parallel_tool_calls: Raw = NOTHING


def written_tools(tools: list[Tool], choice: ToolChoice | None) -> WrittenTools:
    """Return the tools. Raise `BadRequest` for one without a name."""
    functions = [_function(each, f"tools[{place}]") for place, each in enumerate(tools)]
    offered = [each for each in functions if each]
    written = WrittenTools(tools=_raw(offered))
    if choice is None:
        return written
    written.tool_choice = _raw(_choice(choice, tools, offered))
    if choice.disable_parallel_tool_use:
        written.parallel_tool_calls = _raw(False)
    return written


def _function(tool: Tool, where: str) -> dict[str, Any] | None:
    """Return the tool; None for one that nobody here runs."""
    description, schema = tool.description, tool.input_schema
    if tool.type not in (None, "custom"):
        known = next(
            (KNOWN_TOOLS[each] for each in KNOWN_TOOLS if tool.type.startswith(each)), None
        )
        if known is None:
            return None
        description, schema = known
    if not tool.name:
        raise BadRequest(f"{where}.name: name the tool.").at(f"{where}.name")
    function = {
        "name": tool.name,
        "description": description,
        "parameters": schema,
        "strict": tool.strict,
    }
    return {"type": "function", "function": function}


def _choice(choice: ToolChoice, tools: list[Tool], offered: list[dict[str, Any]]) -> Any:
    if choice.type != "tool":
        return {"any": "required"}.get(choice.type, choice.type)
    is_left_out = choice.name in {each.name for each in tools} - {
        each["function"]["name"] for each in offered
    }
    if is_left_out:
        return "auto"
    return {"type": "function", "function": {"name": choice.name}}


def _raw(value: Any) -> Raw:
    return Raw(msgspec.json.encode(value))
