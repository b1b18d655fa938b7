"""Check answers while they are written, for rules that hide messages and want it.

Each process looks at what its running answers have gained every two seconds: for words and
patterns in a thread, for verdicts by the judge, which the owner of the chat pays for. A match hides
the message, which also stops the answer. Whatever is found here, an answer that has ended is
checked as a whole like any other.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from chat.accounts.principals import Principal
from chat.conversations.models import Message
from chat.database import threads
from chat.errors import ChatError
from chat.generations.delivery import notifications
from chat.generations.models import Generation
from chat.generations.send.judging import JudgedText, judge_in_use, judge_text
from chat.generations.task import registry
from chat.generations.task.task import GenerationTask
from chat.review.case_models import Rule
from chat.review.cases.rule_subjects import RuleSubject, owners_for
from chat.review.cases.rules import is_about, matches
from chat.review.judging import effects, verdicts
from chat.review.judging.background import principal_of
from chat.review.staff import privacy
from chat.upstream.judging.client import JudgedState

log = logging.getLogger(__name__)

#: New text of an answer that is worth another look, in code points.
WINDOW_CHARS = 600
#: Text before it that is looked at again, because words and sentences don't end at its edge.
OVERLAP_CHARS = 300
JUDGE_SECONDS = 5.0
JUDGED_AT_ONCE = 4

#: How many code points of each running answer were looked at.
_checked: dict[UUID, int] = {}


@dataclass(frozen=True, slots=True)
class _Window:
    """What to check of a running answer, and the rules about it."""

    subject: RuleSubject
    question: str
    rules: tuple[Rule, ...]
    payer: Principal | None  # None: there is no rule by verdict, or the account is gone


async def check_running() -> None:
    """Look once at the running answers of this process that have grown enough."""
    running = {each.id: each for each in registry.running() if each.is_stored}
    for gone in _checked.keys() - running.keys():
        del _checked[gone]
    grown = [each for each in running.values() if _new_length(each) >= WINDOW_CHARS]
    if not grown or not privacy.is_reading_allowed():
        return
    rules = await threads.readers.run(_rules)
    if not rules:
        return
    texts = {each.id: _take(each) for each in grown}
    windows = await threads.readers.run(_windows, texts, rules)
    places = asyncio.Semaphore(JUDGED_AT_ONCE)
    await asyncio.gather(*(_check(each, places) for each in windows))


def _new_length(answer: GenerationTask) -> int:
    return answer.length - answer.base_length - _checked.get(answer.id, 0)


def _take(answer: GenerationTask) -> str:
    """Return the text to look at, and note that it was taken."""
    text = answer.text
    start = max(0, _checked.get(answer.id, 0) - OVERLAP_CHARS)
    _checked[answer.id] = len(text)
    return text[start:]


def _rules() -> list[Rule]:
    present = Rule.objects.filter(is_enabled=True, action=Rule.Action.HIDE, while_writing=True)
    return list(present.exclude(applies_to=Rule.AppliesTo.QUESTIONS))


def _windows(texts: Mapping[UUID, str], rules: Sequence[Rule]) -> list[_Window]:
    """Return what to check, without answers that no rule is about or that are hidden already."""
    rows = Generation.objects.filter(pk__in=texts, message__hidden_at=None).values_list(
        "pk",
        "message",
        "message__conversation",
        "message__conversation__owner",
        "message__parent__text",
    )
    found = [
        (RuleSubject(message, chat, owner, Message.Role.ASSISTANT, texts[pk]), question or "")
        for pk, message, chat, owner, question in rows
    ]
    owners = {rule.pk: owners_for(rule, [each for each, _question in found]) for rule in rules}
    windows = []
    for subject, question in found:
        about = [
            each
            for each in rules
            if subject.owner_id in owners[each.pk] and is_about(each, subject)
        ]
        is_judged = any(each.kind == Rule.Kind.VERDICT for each in about)
        payer = principal_of(subject.owner_id) if is_judged else None
        windows.append(_Window(subject, question, tuple(about), payer))
    return windows


async def _check(window: _Window, places: asyncio.Semaphore) -> None:
    async with places:
        judged = await _judged(window)
    verdict = judged.probabilities if judged else {}
    subject = replace(window.subject, verdict=verdict)
    matched = await threads.readers.run(_matching, window.rules, subject)
    if matched:
        await threads.writer.run(_hide, matched, subject, judged)
        notifications.notify_in_background(subject.owner_id, "turn", subject.conversation_id)


async def _judged(window: _Window) -> JudgedText | None:
    """Return the verdict on the window; None if no rule needs it, or if the judge fails.

    A failure is no match here, because the whole answer is judged at its end.
    """
    model = judge_in_use()
    if model is None or window.payer is None:
        return None
    state = JudgedState(window.question, window.subject.text)
    try:
        return await judge_text(window.payer, model, state, JUDGE_SECONDS)
    except ChatError as error:
        log.warning("a running answer was not judged: %s", error.code)
        return None


def _matching(rules: Sequence[Rule], subject: RuleSubject) -> list[Rule]:
    return [each for each in rules if matches(each, subject)]


def _hide(rules: Sequence[Rule], subject: RuleSubject, judged: JudgedText | None) -> None:
    if judged:  # staff see beside the message how sure the judge was
        verdicts.store(judged, len(subject.text), subject.message_id)
    for each in rules:
        effects.hide(each, subject)
