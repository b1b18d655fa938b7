"""Check questions against the rules that refuse some, before anything is sent to a model.

What is refused is not stored, searched for or sent; the log of staff actions says which rule
refused whose question, without its text. A refused question counts as a message, so that the limit
on messages bounds how often somebody may try.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from chat.accounts.actor import SERVER
from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations.models import Message
from chat.database import threads
from chat.errors import ChatError, QuotaExceeded
from chat.generations.send.before_send import CheckedQuestion, StoringStep
from chat.generations.send.judging import judge_in_use, judge_text
from chat.lib.catalogue import Model
from chat.quotas import ledger
from chat.review.access_log import staff_actions
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Rule
from chat.review.cases import personal_data
from chat.review.cases.rule_subjects import RuleSubject
from chat.review.cases.rules import matches
from chat.review.judging import verdicts
from chat.review.judging.errors import QuestionRefused, QuestionUnchecked
from chat.review.staff import privacy
from chat.review.verdict_models import MessageVerdict
from chat.upstream.judging.client import JudgedState

log = logging.getLogger(__name__)

#: How long a question waits for its verdict.
JUDGE_SECONDS = 3.0
#: It may be the first question of a chat.
NO_CHAT = UUID(int=0)

#: The rules that refuse questions, as read last; None: not yet.
_known_rules: list[Rule] | None = None


def refresh() -> bool:
    """Read the rules again; a background job of each process, so that no question reads them."""
    global _known_rules
    refusing = Rule.objects.filter(is_enabled=True, action=Rule.Action.REFUSE)
    _known_rules = list(refusing.select_related("site").order_by("id"))
    return False


def forget() -> None:
    """Forget what was read, for tests."""
    global _known_rules
    _known_rules = None


async def check(principal: Principal, question: CheckedQuestion) -> StoringStep | None:
    """Return how to store the verdict, if there is one.

    Raise `QuestionRefused`, `QuestionUnchecked` or `QuotaExceeded`.
    """
    if not privacy.is_reading_allowed() or _known_rules == []:
        return None
    if any(rule.kind == Rule.Kind.PERSONAL for rule in _known_rules or ()):
        await personal_data.look_in_steps(principal.key, question.text)
    by_verdict, refusing = await threads.readers.run(_look_at, principal, question)
    if refusing:
        raise await _refused(principal, refusing)
    model = judge_in_use()
    if not by_verdict or model is None or not question.text:
        return None
    return await _judged(principal, question, by_verdict, model)


async def _judged(
    principal: Principal, question: CheckedQuestion, rules: list[Rule], model: Model
) -> StoringStep | None:
    known = None
    if question.message_id:
        known = await threads.readers.run(_known, question, model.id)
    if known is not None:
        if refusing := _first_match(rules, _subject(principal, question, known)):
            raise await _refused(principal, refusing)
        return None
    try:
        await threads.readers.run(ledger.check_message_limit, principal.payer)
        judged = await judge_text(principal, model, JudgedState(question.text), JUDGE_SECONDS)
    except QuotaExceeded:
        raise
    except ChatError as error:
        log.warning("a question was not judged: %s", error.code)
        if any(rule.fails_closed for rule in rules):
            raise QuestionUnchecked(retry_after_seconds=2) from None
        return None
    if refusing := _first_match(rules, _subject(principal, question, judged.probabilities)):
        raise await _refused(principal, refusing)
    return partial(verdicts.store, judged, len(question.text))


def _look_at(principal: Principal, question: CheckedQuestion) -> tuple[list[Rule], Rule | None]:
    """Return the rules that need a verdict, and the first other one that refuses the question."""
    if _known_rules is None:
        refresh()
    rules = _rules_about(principal, _known_rules or ())
    others = [each for each in rules if each.kind != Rule.Kind.VERDICT]
    by_verdict = [each for each in rules if each.kind == Rule.Kind.VERDICT]
    return by_verdict, _first_match(others, _subject(principal, question, {}))


def _rules_about(principal: Principal, rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules that apply to this person, who may be an anonymous visitor."""
    groups: set[int] = set()
    if any(rule.members_id for rule in rules):
        theirs = User.groups.through.objects.filter(user=principal.user_id)
        groups = set(theirs.values_list("group_id", flat=True))
    return [
        rule
        for rule in rules
        if (not rule.site or rule.site.key == principal.site)
        and (not rule.members_id or rule.members_id in groups)
    ]


def _first_match(rules: Iterable[Rule], subject: RuleSubject) -> Rule | None:
    return next((rule for rule in rules if matches(rule, subject)), None)


def _subject(
    principal: Principal, question: CheckedQuestion, verdict: Mapping[str, float]
) -> RuleSubject:
    return RuleSubject(
        question.message_id or 0,
        NO_CHAT,
        principal.user_id,
        Message.Role.USER,
        question.text,
        verdict=verdict,
    )


def _known(question: CheckedQuestion, model: str) -> dict[str, float] | None:
    """Return the verdict of this judge on a question that is answered again."""
    stored = MessageVerdict.objects.filter(
        message=question.message_id, model=model, characters=len(question.text)
    )
    return stored.values_list("probabilities", flat=True).first()


async def _refused(principal: Principal, rule: Rule) -> QuestionRefused:
    """Count and record a refusal; return its error. Raise `QuotaExceeded`."""
    ledger.ample_limits.pop(principal.payer, None)  # so that the next one is checked first
    await threads.writer.run(_record, principal, rule)
    return QuestionRefused(detail=f"rule {rule.pk}")


@transaction.atomic
def _record(principal: Principal, rule: Rule) -> None:
    Rule.objects.filter(pk=rule.pk).update(matches=F("matches") + 1, matched_at=timezone.now())
    staff_actions.add(
        SERVER,
        "",
        StaffAction.Kind.QUESTION_REFUSED,
        person=principal.user_id or None,
        detail=rule.name,
    )
    ledger.count_message(principal.payer)
