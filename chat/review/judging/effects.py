"""Hide a message, or ask for a person, because a rule says so; show it if that was a mistake."""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from chat.accounts.actor import SERVER
from chat.accounts.models import User
from chat.conversations.errors import ChatClosed
from chat.conversations.handoff import human_handoff
from chat.conversations.models import Conversation, Message
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Flag, PendingRuleCheck, Rule
from chat.review.cases.flags import flag_match
from chat.review.cases.rule_subjects import RuleSubject
from chat.review.models import DETAIL_LENGTH
from chat.review.moderation import content
from chat.review.staff import roles
from chat.review.staff.roles import Role
from chat.widget_sites.models import Visitor

#: Called with the visitor and the chat, inside the transaction, when a person was asked for.
person_hooks: list[Callable[[int, UUID], object]] = []


@transaction.atomic
def hide(rule: Rule, subject: RuleSubject) -> None:
    """Hide the message and queue its chat. Once only: staff may have shown it again since.

    Rules are made by leads, so they hide nothing of whom leads can't act on. Locks are taken in
    the order of `content.hide`, and the case last.
    """
    if Flag.objects.filter(rule=rule, message=subject.message_id).exists():
        return
    message = Message.objects.select_related("conversation").filter(pk=subject.message_id).first()
    if message is None:
        return
    if not roles.staff_among(User.objects.filter(pk=subject.owner_id), Role.LEAD).exists():
        content.hide_by_rule(message, rule.name)
    flag_match(rule, subject)


@transaction.atomic
def show_again(rule: Rule, flag: Flag) -> None:
    """Show a message that the rule has hidden, unless staff or another rule want it hidden.

    Other rules haven't seen its text meanwhile, so they check it as a new one.
    """
    hidden = Message.objects.filter(pk=flag.message or 0, hidden_at__isnull=False)
    message = hidden.select_related("conversation").first()
    if message is None or not _is_hidden_by(rule, message):
        return
    if content.show_by_rule(message, rule.name):
        PendingRuleCheck.objects.bulk_create(
            [PendingRuleCheck(message=message.pk)], ignore_conflicts=True
        )


def _is_hidden_by(rule: Rule, message: Message) -> bool:
    """Return whether it was this rule that hid the message, the last time."""
    last = (
        StaffAction.objects.filter(
            conversation=message.conversation_id,
            message=message.pk,
            kind__in=(StaffAction.Kind.HIDDEN, StaffAction.Kind.SHOWN),
        )
        .order_by("id")
        .last()
    )
    if last is None or last.actor != SERVER or last.kind != StaffAction.Kind.HIDDEN:
        return False
    # It may have got another name or another action since.
    is_its = rule.action == Rule.Action.HIDE or last.detail == rule.name[:DETAIL_LENGTH]
    by_rules = Flag.objects.filter(message=message.pk, source=Flag.Source.RULE).exclude(rule=rule)
    return is_its and not by_rules.filter(Q(rule__action=Rule.Action.HIDE) | Q(rule=None)).exists()


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
