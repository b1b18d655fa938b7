"""Make the row of a call that a model requests."""

from django.utils import timezone

from chat.conversations.tool_calls.models import TOOL_NAME_LENGTH, StoredToolCall
from chat.generations.send.tool_outcomes import fail_call, propose_call
from chat.generations.send.tool_rounds import (
    MAX_ARGUMENTS_CHARS,
    MAX_CALLS_AT_ONCE,
    REPEATED,
    TOO_MANY,
    ToolBounds,
)
from chat.generations.send.tool_use import ToolUse
from chat.lib.text import clean
from chat.upstream.events import ToolCall as RequestedCall

State = StoredToolCall.State


def new_call(
    use: ToolUse, bounds: ToolBounds, requested: RequestedCall, number: int
) -> StoredToolCall:
    """Return the new call with this number in its request; one that isn't made has failed."""
    now = timezone.now()
    name, arguments = clean(requested.name), clean(requested.arguments) or "{}"
    tool = use.tools.get(name)
    call = StoredToolCall(
        message_id=use.message_id or 0,
        place=bounds.calls,
        round=bounds.rounds,
        tool=name[:TOOL_NAME_LENGTH],
        identity=tool.identity if tool else "",
        arguments=arguments[:MAX_ARGUMENTS_CHARS],
        state=State.RUNNING,
        has_effects=bool(tool and tool.has_effects),
        extra_content=dict(requested.extra_content) if requested.extra_content else None,
        started_at=now,
    )
    bounds.calls += 1
    if tool is None:
        fail_call(call, "unknown_tool", "There is no such tool.")
    elif len(arguments) > MAX_ARGUMENTS_CHARS:
        fail_call(call, "arguments", "The arguments are too long.")
    elif not bounds.may_repeat(name, arguments):
        fail_call(call, "repeated", REPEATED)
    elif number >= MAX_CALLS_AT_ONCE:
        fail_call(call, "too_many", TOO_MANY)
    elif tool.has_effects and tool.permission not in use.allowed:
        propose_call(call, tool)
    return call
