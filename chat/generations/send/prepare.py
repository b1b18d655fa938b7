"""Check and read, outside the writer, what a send needs before it is stored.

This keeps refusals cheap: a few short reads, none as long as the chat. Everything decided here is
decided again when the send is stored, under its locks; nothing is refused here that would be
accepted there.
"""

import uuid

from chat.accounts.principals import Principal
from chat.conversations import access, turns
from chat.conversations.generation_settings import in_project, settings_of, system_messages
from chat.conversations.handoff import human_handoff
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.conversations.images.message_images import require_images, require_readable
from chat.conversations.models import Conversation
from chat.conversations.prompt import PromptMessage
from chat.conversations.sizes.size_limits import require_capacity
from chat.generations.billing import charging
from chat.generations.send import submit
from chat.generations.send.asked_turn import answer_of, question_to_answer
from chat.generations.send.history import History, history_to
from chat.generations.send.send_types import Prepared, Send, Sent
from chat.lib.catalogue import Model
from chat.personas.access import persona_of
from chat.personas.persona_settings import GenerationSettings
from chat.quotas import headroom, ledger
from chat.widget_sites.visitor_generation_settings import visitor_settings_of


def prepare(
    principal: Principal, conversation_id: uuid.UUID | None, asked: Send, model: Model
) -> Sent | HandedOffMessage | Prepared:
    """Return what the send's key has already stored, or what the model is to read.

    Raise the errors that storing the send would raise.
    """
    known = submit.find(principal, conversation_id, asked)
    if known:
        return known
    conversation = (
        access.conversation_of(principal.user_id, conversation_id)
        if conversation_id
        else Conversation(owner_id=principal.user_id)
    )
    submit.require_open(principal, conversation, asked)
    if human_handoff.is_taken_over(principal, conversation):
        ledger.check_message_limit(principal.payer)
        return Prepared()
    wanted = _settings_for(principal, conversation, asked)
    model, allowed = submit.choose_model(principal, asked, model, wanted)
    if not principal.site:
        require_images(principal.user_id, asked.text or "")
        require_readable(asked.text or "", reads_images=model.vision)
    _require_left(principal, asked, model, allowed)
    if not conversation_id:
        return Prepared(History(), wanted, model, allowed)
    if asked.resume is None:
        added = 1 if asked.text is None else 2
        require_capacity(turns.message_count(conversation.pk) + added)
    readable = submit.readable_characters(model, allowed.fallback_model)
    history = history_to(_before(principal, conversation, asked), readable, principal.user_id)
    return Prepared(history, wanted, model, allowed)


def _settings_for(
    principal: Principal, conversation: Conversation, asked: Send
) -> GenerationSettings:
    """Return the generation settings as they will be once the send is stored."""
    if principal.site and (generation_settings := visitor_settings_of(principal.site)):
        return generation_settings
    if asked.persona or asked.project:
        user_id = principal.user_id
        persona = persona_of(user_id, asked.persona) if asked.persona else None
        own = GenerationSettings.of(persona) if persona else GenerationSettings()
        return in_project(own, user_id, asked.project)
    return settings_of(conversation)


def _require_left(
    principal: Principal, asked: Send, model: Model, generation_settings: GenerationSettings
) -> None:
    """Raise `QuotaExceeded` if the new message alone is too expensive.

    Its history is not loaded yet, and costs more.
    """
    if headroom.is_ample(principal.payer):
        return
    said_first = system_messages(generation_settings, principal.instructions)
    least = [*said_first, PromptMessage("user", asked.text or "")]
    max_tokens = asked.max_tokens or generation_settings.max_tokens
    estimate = charging.estimate(least, model, max_tokens, generation_settings.fallback_model)
    ledger.check_limits(principal.payer, estimate)


def _before(principal: Principal, conversation: Conversation, asked: Send) -> int | None:
    """Return the id of the parent of the last message that the model is to read."""
    if asked.resume is not None:
        return answer_of(conversation, asked.resume).parent_id
    if asked.retry is not None:
        question = question_to_answer(conversation, asked.retry)
        return question.parent_id if question else None
    had_person = human_handoff.was_taken_over(principal, conversation)
    parent = submit.parent_of(conversation, asked, had_person)
    return parent.pk if parent else None
