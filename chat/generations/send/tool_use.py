"""Give an answer its tools, and what they need."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from uuid import UUID

from django.conf import settings

from chat.accounts.principals import Principal
from chat.conversations.attached_files import split_files
from chat.conversations.prompt import PromptMessage, estimate_prompt_tokens
from chat.conversations.tool_calls import calls as tool_calls
from chat.conversations.tool_calls.models import StoredToolCall
from chat.database import threads
from chat.generations.send.document_query import DocumentQuery
from chat.generations.send.document_results import read_again
from chat.generations.send.drawn_images import drawer
from chat.generations.send.nearest import nearest
from chat.generations.send.tool_rounds import MAX_RESULT_TOKENS, ToolBounds
from chat.generations.send.turn import Turn
from chat.generations.task.task import GenerationTask
from chat.knowledge.given import GivenPassage, GivenPassages, without_passages
from chat.lib.catalogue import Model
from chat.tools import toolbox
from chat.tools.tool import ChatTool, FindPassages, ToolContext
from chat.tools.web.addresses import addresses_in, known_form
from chat.upstream.request import CompletionRequest

#: Of what the question leaves of a model's window, one part in so many is for results.
ROOM_SHARE = 2


@dataclass(slots=True)
class ToolUse:
    """Which tools an answer may use, for whom, and what it has called before.

    Without a `message_id`, nothing is stored, so no tool with effects is among the `tools`.
    """

    principal: Principal
    task: GenerationTask
    model: Model
    fallback: str | None
    tools: Mapping[str, ChatTool]
    context: ToolContext
    message_id: int | None = None
    calls: list[StoredToolCall] = field(default_factory=list)
    last_number: int = 0  # of the passages that the answer may cite
    allowed: frozenset[str] = frozenset()  # tools with effects that need no decision


def decided_calls(turn: Turn, collections: Sequence[UUID]) -> list[StoredToolCall]:
    """Return the calls of an answer that is to be continued. Raise `ToolCallUndecided`.

    Their results have the passages that are in these collections.
    """
    if turn.answer is None:
        return []
    known = tool_calls.of_answer(turn.answer.pk)
    tool_calls.require_decided(known)
    return list(read_again(known, collections))


def tool_names(
    names: Iterable[str],
    model: Model,
    user_id: int,
    *,
    has_documents: bool,
    is_stored: bool,
) -> tuple[str, ...]:
    """Return those of the tools that an answer of this model can use, for this member.

    A chat that isn't stored can't wait for a person's decision about effects, nor keep images.
    """
    return tuple(
        name
        for name, tool in toolbox.usable(names, model, user_id).items()
        if (has_documents or name != "search_documents")
        and (is_stored or not tool.needs_stored_chat)
    )


async def temporary_tools(
    principal: Principal, names: Sequence[str], model: Model, *, has_documents: bool
) -> tuple[str, ...]:
    """Return those of the tools that an answer in a chat that isn't stored can use."""
    if not names:
        return ()
    usable = partial(tool_names, has_documents=has_documents, is_stored=False)
    return await threads.readers.run(usable, names, model, principal.user_id)


def described(names: Iterable[str]) -> list[PromptMessage]:
    """Return the descriptions of tools as a message, to estimate what they cost."""
    return [PromptMessage("system", toolbox.descriptions(names))] if names else []


def tool_use(
    principal: Principal,
    task: GenerationTask,
    model: Model,
    fallback: str | None,
    names: Iterable[str],
    messages: Sequence[PromptMessage],
    *,
    collections: Sequence[UUID] = (),
    given: GivenPassages | None = None,
    found_before: Sequence[GivenPassage] = (),
    pages: Iterable[str] = (),
    message_id: int | None = None,
    conversation: str = "",
    calls: Sequence[StoredToolCall] = (),
    allowed: Iterable[str] = (),
) -> ToolUse:
    """Return what an answer may use. The caller has checked access to the `collections`.

    `pages` are the addresses of web pages that earlier answers have found.
    """
    passages = [*(given.items if given else ()), *found_before]
    addresses = addresses_in(_said_by_person(messages))
    addresses |= {known_form(each.address) for each in passages if each.address} | {*pages}
    context = ToolContext(
        principal,
        _finder(principal, list(collections)) if collections else None,
        addresses,
        conversation,
        drawer(principal, calls) if message_id is not None else None,
    )
    return ToolUse(
        principal=principal,
        task=task,
        model=model,
        fallback=fallback,
        tools=toolbox.named(names),
        context=context,
        message_id=message_id,
        calls=list(calls),
        last_number=max((each.number for each in passages), default=0),
        allowed=frozenset(allowed) | _always_allowed(principal),
    )


def _always_allowed(principal: Principal) -> frozenset[str]:
    return principal.allowed_tools if settings.TOOLS_ALWAYS_ALLOWED else frozenset()


def _said_by_person(messages: Sequence[PromptMessage]) -> Iterable[str]:
    """Return what the person wrote, without what others did: passages, summaries, files, copies."""
    return (
        split_files(without_passages(each.content)).text
        for each in messages
        if each.role == "user" and not each.covers and not each.is_by_other
    )


def _finder(principal: Principal, collections: list[UUID]) -> FindPassages:
    async def find(query: str) -> Sequence[GivenPassage]:
        return (await nearest(principal, DocumentQuery(collections, query))).passages

    return find


def bounds_of(request: CompletionRequest, use: ToolUse) -> ToolBounds:
    """Return the bounds of an answer, less what it has called before it is continued."""
    asked = list(takewhile(lambda each: not each.tool_calls, request.messages))
    question = [each for each in asked if each.role == "system"]
    question += [each for each in asked if each.role == "user"][-1:]
    taken = estimate_prompt_tokens(question) + request.max_tokens
    room = max(0, use.model.context_window - taken) // ROOM_SHARE
    results = [PromptMessage("tool", each.result) for each in use.calls]
    images = [each for each in request.messages[len(asked) :] if each.images]
    room = min(room, MAX_RESULT_TOKENS) - estimate_prompt_tokens([*results, *images])
    rounds = len({each.round for each in use.calls})
    bounds = ToolBounds(room, rounds, len(use.calls))
    for each in use.calls:
        bounds.may_repeat(each.tool, each.arguments)
    bounds.repeated = 0
    return bounds


def text_since_last_round(use: ToolUse) -> str:
    """Return what the model wrote in the last request."""
    last = use.calls[-1]
    earlier = [each.text_length for each in use.calls if each.round < last.round]
    begun = max([use.task.base_length, *earlier])
    return use.task.text[begun - use.task.base_length :].strip()
