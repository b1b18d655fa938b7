"""Rules look at what is new, and on wish at the past: small steps, beside everything else.

Any process does it and none remembers anything. Whatever is the matter with a rule, or with a text,
nobody's answer waits for it; the log says which rule it was, and never what was said.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence

from django.db.models import Sum
from django.db.models.functions import Coalesce

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.generations.models import Generation
from chat.generations.storage.checkpoint import TROUBLE
from chat.review.case_models import PendingRuleCheck, Rule
from chat.review.cases.flags import follow_rule
from chat.review.cases.rules import RuleSubject, fits
from chat.review.models import ConversationStats
from chat.review.staff import privacy

log = logging.getLogger(__name__)

NEW_AT_ONCE = 20
PAST_AT_ONCE = 100


def check_new() -> bool:
    """Looks at a few messages that rules have not seen; whether there are more."""
    ids = list(
        PendingRuleCheck.objects.order_by("message").values_list("message", flat=True)[:NEW_AT_ONCE]
    )
    if not ids:
        return False
    if privacy.is_open():
        _check(Rule.objects.filter(is_enabled=True), ids)
    PendingRuleCheck.objects.filter(message__in=ids).delete()
    return len(ids) == NEW_AT_ONCE


def check_past() -> bool:
    """One step back in time of one rule that is to see what was said before it was made."""
    rule = (
        Rule.objects.filter(backfill_before__isnull=False, is_enabled=True).order_by("id").first()
    )
    if rule is None or rule.backfill_before is None:
        return False
    older = Message.objects.filter(pk__lt=rule.backfill_before).order_by("-id")
    ids = list(older.values_list("pk", flat=True)[:PAST_AT_ONCE])
    if privacy.is_open():
        _check([rule], ids)
    # Where somebody has it begin anew meanwhile, it does.
    step = Rule.objects.filter(pk=rule.pk, backfill_before=rule.backfill_before)
    step.update(backfill_before=ids[-1] if ids else None)
    return True


def _check(rules: Iterable[Rule], ids: Sequence[int]) -> None:
    subjects = list(_subjects(ids))
    for rule in rules:
        owners = _members(rule, subjects)
        try:
            for subject in subjects:
                if subject.owner_id in owners and fits(rule, subject):
                    follow_rule(rule, subject)
        except TROUBLE:
            raise  # it is tried again
        except Exception as error:
            log.warning("rule %d failed: %s", rule.pk, type(error).__name__)


def _members(rule: Rule, subjects: Sequence[RuleSubject]) -> set[int]:
    """Of whom these are, those whom the rule is about."""
    owners = {each.owner_id for each in subjects}
    found = User.all_objects.filter(pk__in=owners)
    if rule.members_id:
        found = found.filter(groups=rule.members_id)
    if rule.site_id:
        found = found.filter(visitor__site=rule.site_id)
    return set(found.values_list("pk", flat=True))


def _subjects(ids: Sequence[int]) -> Iterator[RuleSubject]:
    """What is there still of these messages; answers that are being written come later."""
    found = Message.objects.filter(pk__in=ids, deleted_at=None, conversation__purge_after=None)
    messages = list(found.select_related("conversation").defer("reasoning"))
    costs = _costs(messages)
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
        )


def _costs(messages: Sequence[Message]) -> dict[int, float]:
    """Of each answer, with all attempts at it."""
    made = Generation.objects.filter(message__in=messages).values("message")
    return dict(made.annotate(cost=Coalesce(Sum("cost_usd"), 0.0)).values_list("message", "cost"))
