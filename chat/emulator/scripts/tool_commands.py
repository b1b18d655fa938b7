"""Call tools, and answer from what they returned."""

import json
from dataclasses import replace
from typing import Any

from chat.emulator.requests.tools import Tool
from chat.emulator.scripts import answers, calling, passages, tool_choice
from chat.emulator.scripts.command import Ask
from chat.emulator.scripts.plain_answer import plain
from chat.emulator.scripts.script import Script


def answer_or_call(ask: Ask) -> Script:
    """Call the tool that must be called, or that the message asks for; else answer."""
    tools = ask.request.tools
    if tools.forced:
        return _calling(tools.forced, ask)
    if choice := tool_choice.chosen(tools, ask.argument):
        return Script(tool_call=calling.call_with(*choice, ask.rng))
    return plain(ask)


def after_tool(result: str, ask: Ask) -> Script:
    """Answer from the passages that tools have found, or else say what the last one returned."""
    if quotes := passages.quotes_for(ask.request, ask.argument):
        return Script(text=[answers.from_passages(quotes, ask.rng)])
    return Script(text=[answers.after_tool(result, ask.rng)])


def call_tool(ask: Ask) -> Script:
    tools = ask.request.tools
    if tools.are_forbidden:
        return plain(ask)
    if tool := tool_choice.named(tools, ask.word):
        return _calling(tool, replace(ask, argument=ask.argument[len(ask.word) :].strip()))
    return _calling(tools.forced or next(iter(tools.offered), Tool("look_up")), ask)


def cut_call(ask: Ask) -> Script:
    script = call_tool(ask)
    if script.tool_call is None:
        return script
    text = script.tool_call.text
    return replace(script, tool_call=replace(script.tool_call, length=len(text) // 2))


def call_in_text(ask: Ask) -> Script:
    """Write a call into the answer, as servers relay it that don't parse a model's format."""
    script = call_tool(ask)
    call = script.tool_call
    if call is None:
        return script
    return Script(
        text=[f'<tool_call>\n{{"name": "{call.name}", "arguments": {call.text}}}\n</tool_call>']
    )


def call_again(ask: Ask) -> Script:
    """Call the first tool again and again, without a text with another one each time."""
    rounds = sum(message.role == "tool" for message in ask.request.last_turn)
    if ask.request.tools.are_forbidden or not ask.request.tools.offered:
        return plain(ask)
    if ask.word.isdecimal() and rounds >= ask.number(0):
        return plain(ask.after_number())
    again = ask.after_number()
    return call_tool(replace(again, argument=again.argument.strip() or f"water {rounds + 1}"))


def _calling(tool: Tool, ask: Ask) -> Script:
    if (arguments := _object_in(ask.argument)) is not None:
        return Script(tool_call=calling.call_with(tool, arguments, ask.rng))
    return Script(tool_call=calling.call(tool, ask.argument, ask.rng))


def _object_in(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a text is; None for any other text."""
    if not text.startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
