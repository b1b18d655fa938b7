"""Manage rules, and decide which messages they match."""

from zlib import crc32

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.signals import pre_delete
from django.utils.translation import gettext as _

from chat.conversations.models import Message
from chat.errors import BadRequest, Conflict, NotFound
from chat.review.access_log.permission_changes import changed_by
from chat.review.access_log.staff_actions import (
    StaffAction,
    record_action,
    record_current_action,
)
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Flag, Rule
from chat.review.cases import patterns
from chat.review.cases.languages import LanguagePattern
from chat.review.cases.patterns import Pattern
from chat.review.cases.personal_data import KindsPattern
from chat.review.cases.rule_subjects import NEWEST, RuleSubject
from chat.review.staff.roles import Reviewer

MAX_RULES = 100
FILLED_IN = (
    "name",
    "kind",
    "text",
    "data_kinds",
    "threshold",
    "category",
    "share",
    "fails_closed",
    "while_writing",
    "action",
    "applies_to",
    "members",
    "site",
    "severity",
    "holds_chats",
    "is_enabled",
)
Kind = Rule.Kind
QUESTIONS, ANSWERS = Rule.AppliesTo.QUESTIONS, Rule.AppliesTo.ANSWERS


def rules_for(reviewer: Reviewer) -> QuerySet[Rule]:
    """Return the rules about people in the reviewer's scope."""
    if reviewer.groups is None:
        return Rule.objects.all()
    theirs = Q(members__in=reviewer.groups) | Q(site__in=reviewer.sites)
    return Rule.objects.filter(theirs)


def rule_of(reviewer: Reviewer, rule_id: int) -> Rule:
    rule = rules_for(reviewer).filter(pk=rule_id).first()
    if rule is None:
        raise NotFound
    return rule


@transaction.atomic
def save_rule(staff_context: StaffContext, rule: Rule) -> None:
    """Save a new rule, or the fields of an existing one; its counters are kept.

    Raise `BadRequest` or `NotFound`.
    """
    _require_within(staff_context.reviewer, rule)
    if rule.pk is None:
        if Rule.objects.count() >= MAX_RULES:
            raise BadRequest(
                _("The limit of {most} rules has been reached.").format(most=MAX_RULES)
            )
        rule.save()
    else:
        filled_in = {name: getattr(rule, name) for name in FILLED_IN}
        if not rules_for(staff_context.reviewer).filter(pk=rule.pk).update(**filled_in):
            raise NotFound
        other = Flag.objects.filter(rule=rule.pk, holds_chat=not rule.holds_chats)
        other.update(holds_chat=rule.holds_chats)
    record_action(staff_context, StaffAction.Kind.RULES_CHANGED, detail=rule.name)


def _require_within(reviewer: Reviewer, rule: Rule) -> None:
    """Raise `BadRequest` if a reviewer with a limited scope makes a rule beyond it."""
    if reviewer.groups is None:
        return
    if rule.members_id not in reviewer.groups and rule.site_id not in reviewer.sites:
        raise BadRequest(_("Choose whose chats this rule checks."))


@transaction.atomic
def remove_rule(staff_context: StaffContext, rule_id: int) -> None:
    """Delete the rule; its flags stay. Raise `Conflict` while they are taken back."""
    rule = rule_of(staff_context.reviewer, rule_id)
    with changed_by(staff_context):
        rule.delete()


def connect_signals() -> None:
    """Watch how rules are deleted. Call once, when the app is ready."""
    pre_delete.connect(_before_deletion, sender=Rule)


def _before_deletion(instance: Rule, **_kwargs: object) -> None:
    """Log it, also if the rule is deleted with its group or website.

    Raise `Conflict` while its flags are taken back: what it hid would stay hidden for ever.
    """
    if instance.withdrawal_before is not None:
        words = _("The rule “{rule}” is still being withdrawn. Try again later.")
        raise Conflict(words.format(rule=instance.name))
    record_current_action(StaffAction.Kind.RULES_CHANGED, detail=instance.name)


def start_backfill(rule: Rule) -> None:
    """Run the rule on past messages too, newest first, in steps (rule_runner.py)."""
    Rule.objects.filter(pk=rule.pk).update(backfill_before=NEWEST)


def stop_backfill(rule: Rule) -> None:
    """Leave the rest of the past messages unchecked."""
    Rule.objects.filter(pk=rule.pk).update(backfill_before=None)


def pattern_of(rule: Rule) -> Pattern | KindsPattern | LanguagePattern | None:
    """Return the pattern; None for rules without one. Raise `ValidationError` if it is invalid."""
    if rule.kind == Kind.PERSONAL:
        return KindsPattern(rule.data_kinds.split())
    if rule.kind == Kind.LANGUAGE:
        return LanguagePattern(rule.text.split())
    if rule.kind == Kind.WORDS:
        return patterns.words(rule.text)
    return patterns.pattern(rule.text) if rule.kind == Kind.PATTERN else None


def is_about(rule: Rule, subject: RuleSubject) -> bool:
    """Return whether the rule looks at this question or answer; of some, at a share of them."""
    is_answer = subject.role == Message.Role.ASSISTANT
    if rule.applies_to == (QUESTIONS if is_answer else ANSWERS):
        return False
    return in_share(subject.message_id, rule.share)


def in_share(message_id: int, percent: int) -> bool:
    """Return whether the message is in a share: the same ones for all, so that few are judged."""
    return percent >= 100 or crc32(b"%d" % message_id) % 100 < percent


def matches(rule: Rule, subject: RuleSubject) -> bool:
    if not is_about(rule, subject):
        return False
    is_answer = subject.role == Message.Role.ASSISTANT
    if rule.kind == Kind.VERDICT:
        return 100 * subject.verdict.get(rule.category, -1.0) >= (rule.threshold or 0)
    if pattern := pattern_of(rule):
        return pattern.search(subject.text, subject.normalised)
    if rule.kind == Kind.TOOL:
        return not subject.tools.isdisjoint(rule.text.split())
    threshold = rule.threshold or 0
    if rule.kind == Kind.LENGTH:
        return len(subject.text) > threshold
    cost = subject.chat_cost_usd if rule.kind == Kind.CHAT_COST else subject.answer_cost_usd
    return is_answer and cost > threshold
