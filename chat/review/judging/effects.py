"""Hide a message, or ask for a person, because a rule says so."""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction

from chat.conversations.errors import ChatClosed
from chat.conversations.handoff import human_handoff
from chat.conversations.models import Conversation, Message
from chat.review.case_models import Flag, Rule
from chat.review.cases.flags import flag_match
from chat.review.cases.rule_subjects import RuleSubject
from chat.review.moderation import content
from chat.widget_sites.models import Visitor

#: Called with the visitor and the chat, inside the transaction, when a person was asked for.
person_hooks: list[Callable[[int, UUID], object]] = []


@transaction.atomic
def hide(rule: Rule, subject: RuleSubject) -> None:
    """Hide the message and queue its chat. Once only: staff may have shown it again since.

    Locks are taken in the order of `content.hide`, and the case last.
    """
    if Flag.objects.filter(rule=rule, message=subject.message_id).exists():
        return
    message = Message.objects.select_related("conversation").filter(pk=subject.message_id).first()
    if message is None:
        return
    content.hide_by_rule(message, rule.name)
    flag_match(rule, subject)


@transaction.atomic
def hand_over(rule: Rule, subject: RuleSubject) -> None:
    """Queue the chat; if its website offers a person, ask for one, as the visitor could."""
    if not flag_match(rule, subject):
        return
    visitor = Visitor.objects.select_related("site").filter(user=subject.owner_id).first()
    chat = Conversation.objects.filter(pk=subject.conversation_id).first()
    if visitor is None or chat is None or not visitor.site.offers_person:
        return
    try:
        is_new = human_handoff.request_person(chat)
    except ChatClosed:
        return
    if is_new:
        for hook in person_hooks:
            hook(subject.owner_id, chat.pk)
