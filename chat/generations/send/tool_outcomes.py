"""What becomes of a call of a tool."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from chat.conversations.sources import sources
from chat.conversations.tool_calls import calls as tool_calls
from chat.conversations.tool_calls.models import StoredToolCall
from chat.errors import ChatError
from chat.generations.send import tool_images
from chat.generations.send.document_results import stored_result
from chat.generations.send.tool_images import ToolImage
from chat.knowledge.given import GivenPassage
from chat.lib.text import clean
from chat.tools.generate_image import GENERATE_IMAGE, drawn_by
from chat.tools.mcp import servers
from chat.tools.shown_arguments import as_shown
from chat.tools.tool import ChatTool, ToolFailed
from chat.upstream.events import ToolStep

State = StoredToolCall.State


@transaction.atomic
def store_call(
    call: StoredToolCall,
    passages: Sequence[GivenPassage],
    images: Sequence[ToolImage],
    owner_id: int,
) -> None:
    """Store what a call has returned, unless it no longer runs."""
    if not tool_calls.finish(call, stored_result(call.result, passages)):
        return
    if passages:
        sources.add(call.message_id, passages)
    refusal = tool_images.keep(call, owner_id, images) if images else None
    if refusal and call.tool == GENERATE_IMAGE.name:
        _fail_stored(call, refusal)  # an image that can't be stored is none


def _fail_stored(call: StoredToolCall, error: ChatError) -> None:
    fail_call(call, "failed", error.public)
    StoredToolCall.objects.filter(pk=call.pk).update(
        state=call.state, problem=call.problem, result=call.result, ended_at=call.ended_at
    )


def propose_call(call: StoredToolCall, tool: ChatTool) -> None:
    """Have a person decide about a call, unless it can't be made anyway."""
    try:
        tool.read_arguments(call.arguments)
        call.arguments = as_shown(call.arguments)
    except ToolFailed as error:
        fail_call(call, error.problem, error.words)
    else:
        call.state, call.started_at = State.PROPOSED, None


def fail_call(call: StoredToolCall, problem: str, words: str) -> None:
    call.state, call.problem, call.result = State.FAILED, problem, clean(words)
    call.ended_at = timezone.now()


def step_of(call: StoredToolCall) -> ToolStep:
    return ToolStep(
        id=str(call.pk),
        tool=call.tool,
        state=str(call.state),
        arguments=call.arguments,
        count=call.result_count,
        problem=call.problem,
        title=servers.title_of(call.tool) or None,
        was_allowed=tool_calls.was_allowed(call) or None,
        images=drawn_by(call) or None,
    )
