"""Say what tools a model called for an answer, and how that ended.

static/js/controllers/transcript/tool_list.js says the same while the answer is written.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.conversations.models import Message
from chat.conversations.tool_calls.calls import calls_of, needs_decision, was_allowed
from chat.conversations.tool_calls.models import StoredToolCall
from chat.lib.text import cut_at_word, one_line
from chat.tools.generate_image import GENERATE_IMAGE, drawn_by
from chat.tools.mcp import servers
from chat.web.messages.message_out import ToolOut

State = StoredToolCall.State
MAX_SHOWN_ARGUMENT_CHARS = 200


def tools_for(messages: Iterable[Message], running: frozenset[int]) -> Mapping[int, list[ToolOut]]:
    """Return the calls of those answers that have any; `running` ones are still being written.

    The messages' `tool_calls` have been prefetched.
    """
    return {
        each.pk: [shown_call(call, is_running=each.pk in running) for call in calls]
        for each in messages
        if each.role == Message.Role.ASSISTANT and not each.hidden_at
        if (calls := calls_of(each))
    }


def shown_calls(calls: Sequence[StoredToolCall]) -> list[ToolOut]:
    """Return the calls of an answer that isn't being written."""
    return [shown_call(each, is_running=False) for each in calls]


def shown_call(call: StoredToolCall, *, is_running: bool) -> ToolOut:
    state, problem = str(call.state), call.problem
    if call.state == State.RUNNING and not is_running:
        # Its process died. Without effects, it has simply failed.
        state, problem = ("unknown", "") if needs_decision(call) else ("failed", "interrupted")
    return ToolOut(
        id=str(call.pk),
        tool=call.tool,
        state=state,
        arguments=call.arguments,
        count=call.result_count,
        problem=problem,
        is_edited=call.is_edited,
        refusal=call.refusal,
        was_allowed=was_allowed(call),
        images=drawn_by(call),
        title=title_of(call.tool, call.arguments),
        outcome=outcome_of(state, problem, call.result_count),
    )


def drawn_call(drawn: Mapping[str, str]) -> ToolOut:
    """Return the call that has drawn an image of a shared link (chat/sharing/drawn_images.py)."""
    arguments = msgspec.json.encode({"prompt": drawn["description"]}).decode()
    title = title_of(GENERATE_IMAGE.name, arguments)
    return ToolOut("", GENERATE_IMAGE.name, "done", "", images=(drawn["image"],), title=title)


def title_of(tool: str, arguments: str) -> str:
    """Return what a call does, in a few words."""
    values = read_arguments(arguments)
    match tool:
        case "web_search":
            return _("Search the web: {query}").format(query=_shown(values, "query"))
        case "fetch_page":
            return _("Read a page: {address}").format(address=_shown(values, "address"))
        case "search_my_chats":
            return _("Search your chats: {words}").format(words=_shown(values, "words"))
        case "search_documents":
            return _("Search the documents: {query}").format(query=_shown(values, "query"))
        case "generate_image":
            return _("Draw: {prompt}").format(prompt=_shown(values, "prompt"))
        case "calculator":
            return _("Calculate: {expression}").format(expression=_shown(values, "expression"))
        case "current_time":
            return _("Look up the time")
        case "remember":
            return _("Remember: {text}").format(text=_shown(values, "text"))
        case _:
            return servers.title_of(tool) or tool


def outcome_of(state: str, problem: str, count: int | None) -> str:
    """Return how a call ended, or what it waits for; empty if there is nothing to say."""
    match state:
        case "proposed":
            return _("Needs your permission")
        case "unknown":
            return _("It's unknown whether this was done.")
        case "approved":
            return _("Allowed")
        case "refused":
            return _("Refused")
        case "running":
            return _("Running…")
        case "failed":
            return _problem(problem)
        case _ if count is not None:
            return ngettext("{count} result", "{count} results", count).format(count=count)
        case _:
            return ""


def _problem(problem: str) -> str:
    match problem:
        case "timeout":
            return _("No answer in time")
        case "interrupted":
            return _("Interrupted")
        case "copied":
            return _("Not run in this copy")
        case "repeated":
            return _("Not repeated")
        case "too_many":
            return _("Too many at once")
        case "unknown_tool":
            return _("There's no such tool")
        case "unreachable":
            return _("The page can't be read")
        case "unknown_address":
            return _("Nobody has named this page, so it isn't read")
        case "no_text":
            return _("There's no text on this page")
        case "no_answer":
            return _("The search engine gave no answer")
        case "switched_off":
            return _("Memory is switched off")
        case "tool_off":
            return _("This tool has been switched off")
        case "tool_changed":
            return _("This tool has changed, so it is off for now")
        case "no_server":
            return _("The tool's server can't be reached")
        case "bad_server":
            return _("The tool's server gave no valid answer")
        case _:
            return _("Failed")


def read_arguments(arguments: str) -> Mapping[str, Any]:
    """Return the arguments that a model wrote; none if they aren't an object."""
    try:
        values = msgspec.json.decode(arguments)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def _shown(values: Mapping[str, Any], name: str) -> str:
    return cut_at_word(one_line(str(values.get(name, ""))), MAX_SHOWN_ARGUMENT_CHARS)
