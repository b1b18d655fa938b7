"""Run rules on new messages, and on request on past ones, in small steps.

Any process does this, and none keeps state. A failing rule or a problematic text never delays an
answer; the log names the rule but never the text.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence

from django.db.models import Sum
from django.db.models.functions import Coalesce

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.conversations.tool_calls import calls as tool_calls
from chat.generations.models import Generation
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.review.case_models import PendingRuleCheck, Rule
from chat.review.cases.flags import flag_match
from chat.review.cases.rules import RuleSubject, matches
from chat.review.models import ConversationStats
from chat.review.staff import privacy

log = logging.getLogger(__name__)

NEW_AT_ONCE = 20
BACKFILL_AT_ONCE = 100


def check_new() -> bool:
    """Check a few messages that rules have not seen; return True if there may be more."""
    ids = list(
        PendingRuleCheck.objects.order_by("message").values_list("message", flat=True)[:NEW_AT_ONCE]
    )
    if not ids:
        return False
    if privacy.is_reading_allowed():
        _check(Rule.objects.filter(is_enabled=True), ids)
    PendingRuleCheck.objects.filter(message__in=ids).delete()
    return len(ids) == NEW_AT_ONCE


def run_backfill() -> bool:
    """Check the next step of past messages for one rule; return False if no rule needs it."""
    rule = (
        Rule.objects.filter(backfill_before__isnull=False, is_enabled=True).order_by("id").first()
    )
    if rule is None or rule.backfill_before is None:
        return False
    older = Message.objects.filter(pk__lt=rule.backfill_before).order_by("-id")
    ids = list(older.values_list("pk", flat=True)[:BACKFILL_AT_ONCE])
    if privacy.is_reading_allowed():
        _check([rule], ids)
    # If the rule was restarted meanwhile, this keeps the restart.
    step = Rule.objects.filter(pk=rule.pk, backfill_before=rule.backfill_before)
    step.update(backfill_before=ids[-1] if ids else None)
    return True


def _check(rules: Iterable[Rule], ids: Sequence[int]) -> None:
    rules = list(rules)
    has_tools = any(rule.kind == Rule.Kind.TOOL for rule in rules)
    subjects = list(_subjects(ids, with_tools=has_tools))
    for rule in rules:
        owners = _members(rule, subjects)
        try:
            for subject in subjects:
                if subject.owner_id in owners and matches(rule, subject):
                    flag_match(rule, subject)
        except DATABASE_ERRORS:
            raise  # tried again later
        except Exception as error:
            log.warning("rule %d failed: %s", rule.pk, type(error).__name__)


def _members(rule: Rule, subjects: Sequence[RuleSubject]) -> set[int]:
    """Return those owners of the messages whom the rule applies to."""
    owners = {each.owner_id for each in subjects}
    users = User.all_objects.filter(pk__in=owners)
    if rule.members_id:
        users = users.filter(groups=rule.members_id)
    if rule.site_id:
        users = users.filter(visitor__site=rule.site_id)
    return set(users.values_list("pk", flat=True))


def _subjects(ids: Sequence[int], *, with_tools: bool) -> Iterator[RuleSubject]:
    """Yield the messages that still exist; running answers are queued again when they end."""
    rows = Message.objects.filter(pk__in=ids, deleted_at=None, conversation__purge_after=None)
    messages = list(rows.select_related("conversation").defer("reasoning"))
    costs = _costs(messages)
    called = tool_calls.of_answers(each.pk for each in messages) if with_tools else {}
    chats = ConversationStats.objects.in_bulk({each.conversation_id for each in messages})
    for each in messages:
        stats = chats.get(each.conversation_id)
        yield RuleSubject(
            each.pk,
            each.conversation_id,
            each.conversation.owner_id,
            each.role,
            each.text,
            costs.get(each.pk, 0.0),
            stats.cost_usd if stats else 0.0,
            frozenset(call.tool for call in called.get(each.pk, ())),
        )


def _costs(messages: Sequence[Message]) -> dict[int, float]:
    """Return the cost of each answer, all attempts included."""
    made = Generation.objects.filter(message__in=messages).values("message")
    return dict(made.annotate(cost=Coalesce(Sum("cost_usd"), 0.0)).values_list("message", "cost"))
