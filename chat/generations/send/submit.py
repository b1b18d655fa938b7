"""Store a send before the upstream call.

The browser makes a key for each send. The same key with the same content finds the same generation
(a double click, a retried POST); with other content it raises `Conflict`. If a staff member has
taken a visitor's conversation over, the message is for them and no model is called
(human_handoff.py).
"""

import uuid

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from chat.accounts.principals import Principal
from chat.conversations import access, turns
from chat.conversations.conversation_errors import ChatClosed, MessageHidden
from chat.conversations.generation_settings import (
    set_persona,
    set_project,
    settings_of,
    store_settings,
    system_messages,
)
from chat.conversations.handoff import human_handoff
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.conversations.models import Conversation
from chat.conversations.models import Message as StoredMessage
from chat.conversations.prompt import BYTES_PER_TOKEN
from chat.conversations.sizes import storage
from chat.database.model_rows import ModelRows
from chat.errors import BadRequest, ChatError, Conflict
from chat.generations import model_permissions
from chat.generations.billing import charging
from chat.generations.models import Generation, Worker
from chat.generations.send.asked_turn import add_turn, answer_of, attach_images
from chat.generations.send.history import History, history_to
from chat.generations.send.send_types import Prepared, Send, Sent
from chat.lib.catalogue import Model
from chat.personas.persona_settings import GenerationSettings
from chat.quotas import ledger
from chat.upstream import available_models
from chat.upstream.model_parameters import effort_of
from chat.widget_sites.visitor_generation_settings import visitor_settings_of

_generations = ModelRows(Generation)


def send(
    principal: Principal,
    conversation_id: uuid.UUID | None,
    asked: Send,
    model: Model,
    worker: Worker | None,
    prepared: Prepared,
) -> Sent | HandedOffMessage:
    """Store the turn and its generation in one transaction, or find the one with the same key.

    Raise `QuotaExceeded` if a limit is reached; nothing is stored then.
    """
    try:
        with transaction.atomic():
            return _store(principal, conversation_id, asked, model, worker, prepared)
    except (IntegrityError, ChatError):
        known = find(principal, conversation_id, asked)
        if known is None:
            raise
        return known  # a concurrent request with the same key was first


def find(
    principal: Principal, conversation_id: uuid.UUID | None, asked: Send
) -> Sent | HandedOffMessage | None:
    """Return what this key has already stored; raise `Conflict` if the content differs."""
    generation = _generations.first("owner_id = %s AND send_key = %s", principal.user_id, asked.key)
    if generation is None:
        return human_handoff.find(principal, conversation_id, asked.key, asked.text)
    if generation.send_digest != asked.digest(conversation_id):
        raise Conflict
    message = generation.message
    access.conversation_of(principal.user_id, message.conversation_id)  # or raise
    return Sent(generation, message.conversation_id, message.parent_id, is_new=False, history=[])


def _store(
    principal: Principal,
    conversation_id: uuid.UUID | None,
    asked: Send,
    model: Model,
    worker: Worker | None,
    prepared: Prepared,
) -> Sent | HandedOffMessage:
    conversation = (
        access.conversation_of(principal.user_id, conversation_id, to_change=True)
        if conversation_id
        else turns.start_conversation(principal.user_id, first_question=asked.text or "")
    )
    require_open(principal, conversation, asked)
    if human_handoff.is_taken_over(principal, conversation):
        given = asked.key, asked.text, asked.page_context
        return human_handoff.add_message(principal, conversation, *given)
    generation_settings = _settings_for(principal, conversation, asked)
    if prepared.model and generation_settings == prepared.wanted:
        model, generation_settings = prepared.model, prepared.allowed
    else:  # the settings have changed since
        model, generation_settings = choose_model(principal, asked, model, generation_settings)
    is_new = conversation_id is None
    answer, asking = _turn(principal, conversation, asked, is_new=is_new)
    before = prepared.history
    if before.last_id != asking.parent_id:  # another message was added since
        before = _history_before(principal, asking, model, generation_settings)
    if asking != answer and not principal.site:
        attach_images(asking, principal.user_id, is_new=asked.retry is None, model=model)
    said_first = system_messages(generation_settings, principal.instructions)
    said = before.with_last(asking, principal.user_id, reads_images=model.vision)
    history = [*said_first, *said]
    generation = Generation(
        owner_id=principal.user_id,
        message_id=answer.pk,
        worker_id=worker.pk if worker else None,
        model=model.id,
        send_key=asked.key,
        send_digest=asked.digest(conversation_id),
        base_length=len(answer.text),
        reasoning_effort=effort_of(
            model, asked.reasoning_effort, generation_settings.reasoning_effort
        ),
    )
    max_tokens = asked.max_tokens or generation_settings.max_tokens
    cost = charging.estimate(history, model, max_tokens, generation_settings.fallback_model)
    allowed_tokens = _insert_reserved(generation, principal, cost)
    return Sent(
        generation,
        conversation.id,
        answer.parent_id,
        is_new=True,
        history=history,
        generation_settings=generation_settings,
        omitted_messages=before.omitted_messages,
        max_tokens=allowed_tokens,
        base_text=answer.text,
        base_reasoning=answer.reasoning,
    )


def _insert_reserved(generation: Generation, principal: Principal, cost: ledger.Estimate) -> int:
    """Store the generation and return the tokens that the payer's limits allow it.

    Raise `QuotaExceeded` if they allow none.
    """
    allowed_tokens = ledger.reserve(
        generation.id,
        principal.payer,
        cost,
        model=generation.model,
        process=generation.worker_id,
    )
    generation.max_tokens = allowed_tokens
    _generations.insert(generation)
    return allowed_tokens


def require_open(principal: Principal, conversation: Conversation, asked: Send) -> None:
    """Raise `ChatClosed`, or a storage error if the text does not fit."""
    if conversation.closed_at:
        raise ChatClosed
    added = storage.bytes_of(asked.text or "")
    if principal.site:
        storage.require_visitor_storage(principal.user_id, principal.site, added)
    else:
        storage.require_storage(principal.user_id, added)


def _settings_for(
    principal: Principal, conversation: Conversation, asked: Send
) -> GenerationSettings:
    """Return the generation settings for the answer and store them with the conversation.

    A first message may choose a persona and a project. On a widget site, its owner's settings
    apply.
    """
    if asked.persona or asked.project:
        if conversation.messages.exists():
            raise BadRequest(_("The persona and project are set with a chat's first message."))
        if asked.persona:
            set_persona(conversation, asked.persona)
        if asked.project:
            set_project(conversation, asked.project)
    generation_settings = visitor_settings_of(principal.site) if principal.site else None
    generation_settings = generation_settings or settings_of(conversation)
    store_settings(conversation, generation_settings)
    return generation_settings


def choose_model(
    principal: Principal, asked: Send, model: Model, generation_settings: GenerationSettings
) -> tuple[Model, GenerationSettings]:
    """Return the answering model and the settings with a permitted fallback.

    A member's groups may restrict the models; a widget site's model is its owner's choice.
    """
    if principal.site:
        return available_models.find(
            available_models.id_of(generation_settings.model)
        ), generation_settings
    found = model_permissions.find(
        principal.user_id, asked.model and model.id, generation_settings.model
    )
    return found, model_permissions.within(principal.user_id, generation_settings)


def _turn(
    principal: Principal, conversation: Conversation, asked: Send, *, is_new: bool
) -> tuple[StoredMessage, StoredMessage]:
    """Return the answer to write and the last message that the model reads for it.

    To continue an answer the model reads what exists of it. If a staff member has had the
    conversation, a new message always comes last, whatever its page had loaded.
    """
    if asked.resume is not None:
        answer = answer_of(conversation, asked.resume)
        if answer.hidden_at:
            raise MessageHidden
        return answer, answer
    parent = None
    if asked.retry is None and (asked.parent or not is_new):
        had_person = human_handoff.was_taken_over(principal, conversation)
        parent = parent_of(conversation, asked, had_person)
    return add_turn(
        conversation, asked.text, parent, asked.retry, asked.page_context, is_new=is_new
    )


def _history_before(
    principal: Principal,
    asking: StoredMessage,
    model: Model,
    generation_settings: GenerationSettings,
) -> History:
    readable = readable_characters(model, generation_settings.fallback_model)
    return history_to(asking.parent_id, readable, principal.user_id)


def parent_of(conversation: Conversation, asked: Send, is_last: bool) -> StoredMessage | None:
    """Return the message that the new one follows; None for a first message."""
    if is_last or asked.parent is None:
        return turns.last_message(conversation)
    return access.message_of(conversation, asked.parent) if asked.parent else None


def readable_characters(model: Model, fallback: str) -> int:
    """Return an upper bound of the characters that these models read.

    Messages before them need not be loaded.
    """
    models = filter(None, (model, available_models.fallback(fallback)))
    return max(each.context_window for each in models) * BYTES_PER_TOKEN
