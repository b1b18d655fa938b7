"""Decide everything about a send, outside the database writer, before it is stored.

This keeps refusals cheap: a few short reads, none as long as the chat. What is decided here holds
for one revision of the conversation. If that has changed when the send is stored, it is decided
here again, under the lock. Limits on use are the exception: `ledger.reserve` has the last word.
"""

import uuid
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext_lazy as _

from chat.accounts.principals import Principal
from chat.conversations import access, turns
from chat.conversations.attached_files import image_digests, original_digests
from chat.conversations.errors import ChatClosed
from chat.conversations.generation_settings import settings_of, settings_of_new, system_messages
from chat.conversations.handoff import human_handoff
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.conversations.images.message_images import (
    kept_files,
    require_images,
    require_readable,
)
from chat.conversations.models import Conversation
from chat.conversations.page_context import page_address
from chat.conversations.prompt import PromptMessage, estimate_prompt_tokens
from chat.conversations.sizes import storage
from chat.conversations.sizes.limits import require_capacity
from chat.conversations.tool_calls.models import StoredToolCall
from chat.errors import BadRequest
from chat.generations import tool_permissions
from chat.generations.billing import charging
from chat.generations.send.before_send import StoringStep
from chat.generations.send.document_query import DocumentQuery, document_query, without_sources
from chat.generations.send.earlier_results import with_earlier_results
from chat.generations.send.history import History, history_to
from chat.generations.send.model_choice import choose_model
from chat.generations.send.pair_places import PairPlace, place_of
from chat.generations.send.passages import with_passages
from chat.generations.send.request import Send
from chat.generations.send.sent import Sent, find
from chat.generations.send.tool_use import decided_calls, described, tool_names
from chat.generations.send.turn import Turn, turn_of
from chat.knowledge.access import (
    page_in,
    searched_for_member,
    searched_for_visitors,
    some_collections_of,
)
from chat.knowledge.given import GivenPassages
from chat.lib.catalogue import Model
from chat.personas.settings import GenerationSettings
from chat.quotas import ledger
from chat.quotas.ledger import Estimate
from chat.upstream import available_models
from chat.widget_sites.errors import FilesNotAccepted
from chat.widget_sites.models import AnswerMode
from chat.widget_sites.visitor_generation_settings import answer_mode_of, visitor_settings_of
from chat.widget_sites.visits import accepts_files


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    """The turn, the model and its prompt, and what the answer may cost."""

    turn: Turn
    model: Model
    generation_settings: GenerationSettings
    prompt: list[PromptMessage]
    omitted_messages: int  # before those of the prompt
    max_tokens: int | None
    estimate: Estimate
    attached_ids: list[int] = field(default_factory=list)  # images and files of the new question
    collections: list[uuid.UUID] = field(default_factory=list)
    tools: tuple[str, ...] = ()
    tool_calls: list[StoredToolCall] = field(default_factory=list)  # of the answer to continue
    documents: DocumentQuery | None = None  # what to search for the answer
    given: GivenPassages | None = None  # what was found
    pages: tuple[str, ...] = ()  # addresses that tools may read, besides those in the prompt
    place: PairPlace | None = None  # if it is compared with another answer
    at_storing: list[StoringStep] = field(default_factory=list)

    @property
    def fallback(self) -> str | None:
        """Return the fallback model; None of an answer that is compared: it would be another's."""
        return None if self.place else self.generation_settings.fallback_model

    def with_passages(self, given: GivenPassages) -> "AnswerPlan":
        """Return the plan with passages in its prompt, and what they cost."""
        if given.no_answer:
            return replace(self, given=given)
        prompt = with_passages(self.prompt, given)
        read = [*described(self.tools), *prompt]
        estimate = charging.estimate(read, self.model, self.max_tokens, self.fallback)
        return replace(self, prompt=prompt, estimate=estimate, given=given)


@dataclass(frozen=True, slots=True)
class SendPlan:
    """What storing a send does. Without an `answer`, its message is for a staff member.

    That message has the images and files `attached_ids`.
    """

    conversation: Conversation  # if it is new, not stored yet
    is_new: bool
    answer: AnswerPlan | None = None
    attached_ids: list[int] = field(default_factory=list)

    def is_current(self, locked: Conversation) -> bool:
        """Return whether nothing that was decided here can have changed since."""
        planned = self.conversation
        # Locking it has raised its revision by one.
        is_same = locked.revision == planned.revision + 1
        return is_same and locked.closed_at == planned.closed_at


def plan(
    principal: Principal, conversation_id: uuid.UUID | None, send: Send, model: Model
) -> Sent | HandedOffMessage | SendPlan:
    """Return what the send's key has already stored, or what storing it does."""
    known = find(principal, conversation_id, send)
    if known:
        return known
    if conversation_id is None:
        new = turns.new_conversation(principal.user_id, first_question=send.text or "")
        return _plan(principal, new, send, model, is_new=True)
    if send.persona or send.project:
        raise BadRequest(_("The persona and project are set with a chat's first message."))
    conversation = access.conversation_of(principal.user_id, conversation_id)
    return _plan(principal, conversation, send, model, is_new=False)


def plan_again(
    principal: Principal, conversation: Conversation, send: Send, model: Model
) -> SendPlan:
    """Return the plan for a conversation that the caller has locked."""
    return _plan(principal, conversation, send, model, is_new=False)


def _plan(
    principal: Principal, conversation: Conversation, send: Send, model: Model, *, is_new: bool
) -> SendPlan:
    _require_open(principal, conversation, send)
    is_for_person = send.is_by_email or human_handoff.is_taken_over(principal, conversation)
    if not is_new and is_for_person:
        ledger.check_message_limit(principal.payer)
        attached_ids = _attached_to_new(principal, send.text or "")
        return SendPlan(conversation, is_new, attached_ids=attached_ids)
    answer = _answer_plan(principal, conversation, send, model, is_new=is_new)
    return SendPlan(conversation, is_new, answer)


def _answer_plan(
    principal: Principal, conversation: Conversation, send: Send, model: Model, *, is_new: bool
) -> AnswerPlan:
    wanted = _settings_for(principal, conversation, send, is_new=is_new)
    turn = turn_of(principal, conversation, send, is_new=is_new)
    place = place_of(principal, send, model, turn)
    model, allowed = choose_model(principal, send, model, wanted, place)
    fallback = None if place else allowed.fallback_model
    collections = _collections_of(principal, conversation, allowed)
    attached_ids = _attached_to(principal, turn, model)
    mode = answer_mode_of(principal.site) if principal.site else None
    instructions = system_messages(allowed, principal.instructions)
    max_tokens = send.max_tokens or allowed.max_tokens
    if not ledger.has_ample_limits(principal.payer):
        # Without the history, which isn't loaded yet and costs more.
        least = [*instructions, PromptMessage("user", send.text or "")]
        estimate = charging.estimate(least, model, max_tokens, fallback)
        ledger.check_limits(principal.payer, estimate)
    if not is_new and turn.new_messages:
        require_capacity(turns.message_count(conversation.pk) + turn.new_messages)
    history = _history_before(principal, turn, model, allowed, cites=bool(collections))
    calls = decided_calls(turn, collections)
    read = history.with_last(turn.asking, principal.user_id, calls, reads_images=model.vision)
    prompt = [*instructions, *read]
    tools: tuple[str, ...] = ()
    if mode != AnswerMode.ONLY:
        tools = _tools_for(principal, model, allowed, has_documents=bool(collections))
    prompt, pages = with_earlier_results(prompt, tools, history.ids)
    costly = [*described(tools), *prompt]
    estimate = charging.estimate(costly, model, max_tokens, fallback)
    documents = None
    if collections or mode == AnswerMode.ONLY:
        room = (
            model.context_window
            - estimate.max_tokens
            - estimate_prompt_tokens([*instructions, read[-1]])
        )
        documents = document_query(collections, turn, history, model.context_window, room)
        if documents is None and mode == AnswerMode.ONLY:
            raise without_sources()
        if documents and mode:
            page = page_in(collections, page_address(turn.asking.page_context))
            documents = replace(documents, mode=mode, page=page)
    return AnswerPlan(
        turn,
        model,
        allowed,
        prompt,
        history.omitted_messages,
        max_tokens,
        estimate,
        attached_ids,
        collections,
        tools,
        calls,
        documents,
        pages=pages,
        place=place,
    )


def _require_open(principal: Principal, conversation: Conversation, send: Send) -> None:
    """Raise `ChatClosed`, or a storage error if the text does not fit."""
    if conversation.closed_at:
        raise ChatClosed
    added = storage.bytes_of(send.text or "")
    storage.require_room(principal.user_id, principal.site, added)


def _settings_for(
    principal: Principal, conversation: Conversation, send: Send, *, is_new: bool
) -> GenerationSettings:
    """Return the generation settings for the answer. On a widget site, its owner's apply."""
    of_site = visitor_settings_of(principal.site) if principal.site else None
    if of_site:
        return of_site
    if is_new:
        wanted = settings_of_new(conversation, send.persona, send.project)
    else:
        wanted = settings_of(conversation)
    chosen_tools = principal.default_tools if is_new else None
    if send.site_tools is not None:
        chosen_tools = send.site_tools
    if chosen_tools is not None:
        wanted = replace(wanted, tools=chosen_tools)
    if send.collections is None:
        return wanted
    chosen = some_collections_of(principal.user_id, send.collections)
    return replace(wanted, collections=tuple(map(str, chosen)))


def _tools_for(
    principal: Principal, model: Model, allowed: GenerationSettings, *, has_documents: bool
) -> tuple[str, ...]:
    """Return the tools that the answer may call, in a website's chats those of its owner."""
    if not allowed.all_tools:
        return ()
    wanted, user_id = tool_permissions.usable_by(principal, allowed.all_tools), principal.user_id
    return tool_names(wanted, model, user_id, has_documents=has_documents, is_stored=True)


def _collections_of(
    principal: Principal, conversation: Conversation, allowed: GenerationSettings
) -> list[uuid.UUID]:
    """Return the collections to search for the answer."""
    if principal.site:
        return searched_for_visitors(principal.site)
    persona_id, project_id = conversation.persona_id, conversation.project_id
    if not (persona_id or project_id or allowed.collections):
        return []
    return searched_for_member(principal.user_id, persona_id, project_id, allowed.collections)


def _attached_to(principal: Principal, turn: Turn, model: Model) -> list[int]:
    """Return the ids of a new question's images and files, which the model has to read.

    Raise the errors of chat.conversations.images.
    """
    text = turn.asking.text
    if turn.answer:
        return []
    attached = [] if turn.asking.pk else _attached_to_new(principal, text)
    require_readable(text, reads_images=model.vision)
    return attached


def _attached_to_new(principal: Principal, text: str) -> list[int]:
    """Return the ids of a new message's images and files, whoever is to answer it.

    Raise `FilesNotAccepted`, or the errors of `require_images`.
    """
    if principal.site:
        if not (image_digests(text) or original_digests(text)):
            return []
        if not accepts_files(principal.site):
            raise FilesNotAccepted
    return require_images(principal.user_id, text) + kept_files(principal.user_id, text)


def _history_before(
    principal: Principal, turn: Turn, model: Model, allowed: GenerationSettings, *, cites: bool
) -> History:
    """Return the messages before the last one, as far as the models can read them."""
    models = filter(None, (model, available_models.fallback(allowed.fallback_model)))
    windows = [each.context_window for each in models]
    return history_to(turn, windows, principal.user_id, cites=cites)
