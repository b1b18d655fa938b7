"""Note facts about new messages and run rules on them, and on request on past ones.

Any process does this, and none keeps state. A failing rule or a problematic text never delays an
answer; the log names the rule but never the text.
"""

import logging
from collections.abc import Iterable, Sequence

from django.db import transaction

from chat.conversations.models import Message
from chat.generations.storage.checkpoint import DATABASE_ERRORS
from chat.review.case_models import PendingRuleCheck, Rule
from chat.review.cases import message_facts, rule_actions
from chat.review.cases.rule_subjects import ids_before, load_subjects, owners_for, pending_ids
from chat.review.cases.rules import matches
from chat.review.staff import privacy

log = logging.getLogger(__name__)

NEW_AT_ONCE = 20
BACKFILL_AT_ONCE = 100


def check_new() -> bool:
    """Check a few messages that rules have not seen; return True if there may be more."""
    ids = pending_ids(NEW_AT_ONCE, message_facts.BYTES_AT_ONCE)
    if not ids:
        return False
    rules: list[Rule] = []
    if privacy.is_reading_allowed():
        message_facts.note(ids)
        rules = list(Rule.objects.filter(is_enabled=True).exclude(action=Rule.Action.REFUSE))
        check(rules, ids)
    _hand_on([each for each in rules if each.kind == Rule.Kind.VERDICT], ids)
    return True


@transaction.atomic
def _hand_on(by_verdict: Sequence[Rule], ids: Sequence[int]) -> None:
    """Take checked messages out of the queue, and have them judged.

    Several processes may have checked the same ones. Each is judged, and paid for, once.
    """
    pending = PendingRuleCheck.objects.select_for_update().filter(message__in=ids)
    ours = list(pending.order_by("message").values_list("message", flat=True))
    for hook in rule_actions.judging_hooks:
        hook(by_verdict, ours)
    PendingRuleCheck.objects.filter(message__in=ours).delete()


def run_backfill() -> bool:
    """Check the next step of past messages for one rule; return False if no rule needs it."""
    rule = (
        Rule.objects.filter(backfill_before__isnull=False, is_enabled=True).order_by("id").first()
    )
    if rule is None or rule.backfill_before is None:
        return False
    ids = ids_before(rule.backfill_before, BACKFILL_AT_ONCE)
    if privacy.is_reading_allowed():
        check([rule], ids)
    # If the rule was restarted meanwhile, this keeps the restart.
    step = Rule.objects.filter(pk=rule.pk, backfill_before=rule.backfill_before)
    step.update(backfill_before=ids[-1] if ids else None)
    return True


def check(rules: Iterable[Rule], ids: Sequence[int]) -> set[str]:
    """Do what these rules say about messages that match them; return the actions that were due."""
    due: set[str] = set()
    rules = list(rules)
    subjects = list(load_subjects(Message.objects.filter(pk__in=ids), rules))
    for rule in rules:
        owners = owners_for(rule, subjects)
        try:
            for subject in subjects:
                if subject.owner_id in owners and matches(rule, subject):
                    rule_actions.act(rule, subject)
                    due.add(rule.action)
        except DATABASE_ERRORS:
            raise  # tried again later
        except Exception as error:
            log.warning("rule %d failed: %s", rule.pk, type(error).__name__)
    return due
