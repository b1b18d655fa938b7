"""Store a planned send, before the upstream call.

The browser makes a key for each send. The same key with the same content finds the same generation
(a double click, a retried POST); with other content it raises `Conflict`. If a staff member has
taken a visitor's conversation over, the message is for them and no model is called
(human_handoff.py).
"""

import uuid
from dataclasses import replace

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from chat.accounts.principals import Principal
from chat.conversations import access, turns
from chat.conversations.generation_settings import set_settings, store_settings
from chat.conversations.handoff import human_handoff
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.conversations.images import message_images
from chat.conversations.models import Conversation, Message
from chat.conversations.sources import sources
from chat.database.prepared import PreparedInsert
from chat.errors import ChatError, Conflict
from chat.generations.models import Generation, Worker
from chat.generations.pairs.models import AnswerPair
from chat.generations.send import plan as planning
from chat.generations.send.plan import AnswerPlan, SendPlan
from chat.generations.send.request import Send
from chat.generations.send.sent import Sent, find
from chat.lib.catalogue import Model
from chat.quotas import ledger
from chat.upstream.model_parameters import effort_of

_insert_generation = PreparedInsert(Generation)


class PlanOutdated(Conflict):
    """The plan was for a person's answer, and now a model is to answer: plan again."""

    text = _("The chat has just changed. Send your message again.")


def store(
    principal: Principal,
    conversation_id: uuid.UUID | None,
    send: Send,
    model: Model,
    worker: Worker | None,
    plan: SendPlan,
) -> Sent | HandedOffMessage:
    """Store the turn and its generation in one transaction, or find the one with the same key.

    Raise `QuotaExceeded` if a limit is reached; nothing is stored then.
    """
    try:
        with transaction.atomic():
            if conversation_id is not None:
                plan = _locked(principal, conversation_id, send, model, plan)
            return _store(principal, send, send.digest(conversation_id), worker, plan)
    except IntegrityError:
        # A concurrent request with the same key was first, or what the plan names is gone.
        known = planning.plan(principal, conversation_id, send, model)
        if isinstance(known, SendPlan):
            raise
        return known
    except ChatError:
        known_send = find(principal, conversation_id, send)
        if known_send is None:
            raise
        return known_send


def _locked(
    principal: Principal, conversation_id: uuid.UUID, send: Send, model: Model, plan: SendPlan
) -> SendPlan:
    """Lock the conversation; return the plan, or a new one if the conversation has changed."""
    conversation = access.conversation_of(principal.user_id, conversation_id, to_change=True)
    if plan.is_current(conversation):
        return replace(plan, conversation=conversation)
    again = planning.plan_again(principal, conversation, send, model)
    if again.answer is None:
        return again
    if plan.answer is None:
        # A person was answering a moment ago, so nothing was checked or looked for.
        raise PlanOutdated
    answer = replace(again.answer, at_storing=plan.answer.at_storing)
    if plan.answer.given:
        answer = answer.with_passages(plan.answer.given)
    return replace(again, answer=answer)


def _store(
    principal: Principal, send: Send, digest: str, worker: Worker | None, plan: SendPlan
) -> Sent | HandedOffMessage:
    conversation, answer_plan = plan.conversation, plan.answer
    if answer_plan is None:
        return _hand_off(principal, plan, send)
    answer = _add_turn(conversation, answer_plan, is_new=plan.is_new)
    place = answer_plan.place
    if place:
        place.keep(answer)
    for step in answer_plan.at_storing:
        step(answer.parent_id or 0)
    generation = Generation(
        owner_id=principal.user_id,
        message_id=answer.pk,
        worker_id=worker.pk if worker else None,
        model=answer_plan.model.id,
        send_key=send.key,
        send_digest=digest,
        base_length=len(answer.text),
        hides_model=place is not None and place.pair.hides_models,
        reasoning_effort=effort_of(
            answer_plan.model,
            send.reasoning_effort,
            answer_plan.generation_settings.reasoning_effort,
        ),
    )
    generation.max_tokens = ledger.reserve(
        generation.id,
        principal.payer,
        answer_plan.estimate,
        model=generation.model,
        process=generation.worker_id,
    )
    _insert_generation.one(generation)
    return Sent(
        generation,
        conversation.id,
        answer.parent_id,
        is_new=True,
        history=answer_plan.prompt,
        generation_settings=answer_plan.generation_settings,
        fallback=answer_plan.fallback,
        omitted_messages=answer_plan.omitted_messages,
        given=answer_plan.given,
        tools=answer_plan.tools,
        tool_calls=answer_plan.tool_calls,
        collections=answer_plan.collections,
        pages=answer_plan.pages,
        prompt_tokens=answer_plan.estimate.prompt_tokens,
        max_tokens=generation.max_tokens,
        base_text=answer.text,
        base_reasoning=answer.reasoning,
        title_source=_title_source(conversation, answer_plan),
    )


def _hand_off(principal: Principal, plan: SendPlan, send: Send) -> HandedOffMessage:
    return human_handoff.add_message(
        principal,
        plan.conversation,
        send.key,
        send.text,
        send.page_context,
        attached_ids=plan.attached_ids,
        is_by_email=send.is_by_email,
    )


def _title_source(conversation: Conversation, plan: AnswerPlan) -> str:
    """Return the question that the chat's title is the beginning of, if it is its first.

    Of two answers that are compared, only the first one is for the title.
    """
    asking = plan.turn.asking
    if plan.place and plan.place.side == AnswerPair.Side.B:
        return ""
    is_first = asking.role == Message.Role.USER and asking.parent_id is None
    return asking.text if is_first and conversation.title == turns.title_from(asking.text) else ""


def _add_turn(conversation: Conversation, plan: AnswerPlan, *, is_new: bool) -> Message:
    """Store the conversation if it is new, the settings and the question; return the answer."""
    if is_new:
        set_settings(conversation, plan.generation_settings)
        turns.insert_conversation(conversation)
    else:
        store_settings(conversation, plan.generation_settings)
    if plan.turn.answer:
        return plan.turn.answer
    question = plan.turn.asking
    if question.pk is None:
        turns.add_question(conversation, question, is_new=is_new)
        message_images.attach(question, plan.attached_ids)
    answer = turns.add_answer(question, has_room=True)
    if plan.given is not None:
        sources.store(answer, plan.given)
    return answer
