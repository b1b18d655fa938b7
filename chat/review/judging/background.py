"""Judge stored messages that rules need a verdict on, or topics, as deliveries of the outbox.

The owner of the chat pays for it. A message is judged once; a continued answer again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet

from chat.accounts.models import User
from chat.accounts.principals import Principal
from chat.conversations.models import Message
from chat.conversations.sources import sources
from chat.database import threads
from chat.errors import ChatError
from chat.generations.delivery import notifications
from chat.generations.send.judging import JudgedText, judge_in_use, judge_text, topics_of
from chat.knowledge import excerpts
from chat.outbox.deliver import DeliveryKind
from chat.outbox.errors import DeliveryRefused
from chat.outbox.models import Delivery
from chat.review.case_models import Rule
from chat.review.cases import rule_actions, rule_runner
from chat.review.cases.rule_subjects import RuleSubject, load_subjects, owners_for
from chat.review.cases.rules import in_share, is_about
from chat.review.judging import verdicts
from chat.review.staff import privacy
from chat.site_settings import effective
from chat.upstream.judging.client import JudgedState
from chat.widget_sites.models import Visitor

JUDGE_SECONDS = 20.0
LEASE = timedelta(minutes=2)
AT_ONCE = 8
#: At once, a minute later, and five minutes after that.
MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A message to judge, and who pays."""

    principal: Principal
    conversation_id: UUID
    state: JudgedState


def request_verdicts(rules: Sequence[Rule], ids: Sequence[int]) -> None:
    """Let those of these messages be judged that a rule is about, or whose topic is wanted."""
    model = judge_in_use()
    share = effective.topic_share() if model and topics_of(model) else 0
    if model is None or not privacy.is_reading_allowed() or not (rules or share):
        return
    loaded = load_subjects(_messages(ids), rules, with_verdicts=True)
    subjects = [each for each in loaded if each.text and not each.verdict]
    wanted = {each.message_id: each.owner_id for _rule, each in _pairs(rules, subjects)}
    wanted |= {
        each.message_id: each.owner_id
        for each in subjects
        if each.role == Message.Role.ASSISTANT and in_share(each.message_id, share)
    }
    for message_id, owner_id in wanted.items():
        JUDGE.add(group=owner_id, message=message_id)


async def _judge(delivery: Delivery) -> None:
    """Judge a message and do what rules say, unless it is gone or was judged meanwhile."""
    message_id, model = int(delivery.content["message"]), judge_in_use()
    if model is None or not privacy.is_reading_allowed():
        return
    wanted = await threads.readers.run(_wanted, message_id)
    if wanted is None:
        return
    try:
        topics = topics_of(model) if wanted.state.answer else []
        judged = await judge_text(wanted.principal, model, wanted.state, JUDGE_SECONDS, topics)
    except ChatError as error:
        _notify(wanted, await threads.writer.run(_act_unjudged, message_id))
        raise DeliveryRefused(error.code, MAX_ATTEMPTS) from error
    characters = len(wanted.state.judged)
    _notify(wanted, await threads.writer.run(_store_and_act, message_id, judged, characters))


JUDGE = DeliveryKind("verdict", _judge, LEASE, AT_ONCE)


def _wanted(message_id: int) -> _Wanted | None:
    loaded = load_subjects(_messages([message_id]), _rules(), with_verdicts=True)
    subject = next(iter(loaded), None)
    if subject is None or subject.verdict or not subject.text:
        return None
    principal = principal_of(subject.owner_id)
    if principal is None:
        return None
    return _Wanted(principal, subject.conversation_id, _state_of(subject))


def _state_of(subject: RuleSubject) -> JudgedState:
    if subject.role == Message.Role.USER:
        return JudgedState(subject.text)
    message = Message.objects.select_related("parent").get(pk=subject.message_id)
    given = sources.sources_of([message.pk]).get(message.pk, [])
    texts = excerpts.parts([(each.document, each.start, each.end) for each in given])
    question = message.parent.text if message.parent else ""
    return JudgedState(question, subject.text, tuple(texts.values()))


def principal_of(owner_id: int) -> Principal | None:
    """Return the chat's owner as who pays; None if the account is gone."""
    visitor = Visitor.objects.select_related("site").filter(user=owner_id).first()
    if visitor:
        return Principal(
            key=f"visitor:{visitor.pk}",
            user_id=owner_id,
            site=visitor.site.key,
            visitor=visitor.pk.hex,
        )
    if not User.all_objects.filter(pk=owner_id).exists():
        return None
    return Principal(f"user:{owner_id}", owner_id)


def _store_and_act(message_id: int, judged: JudgedText, characters: int) -> set[str]:
    """Store a verdict, and do what rules say; return the actions that were due."""
    is_stored = verdicts.store(judged, characters, message_id)
    return rule_runner.check(_rules(), [message_id]) if is_stored else set()


def _act_unjudged(message_id: int) -> set[str]:
    """Do what rules say that take a message without a verdict for a match; return the actions."""
    rules = [each for each in _rules() if each.fails_closed]
    subjects = list(load_subjects(_messages([message_id]), rules)) if rules else []
    matched = _pairs(rules, subjects)
    for rule, subject in matched:
        rule_actions.act(rule, subject)
    return {rule.action for rule, _subject in matched}


def _pairs(
    rules: Sequence[Rule], subjects: Sequence[RuleSubject]
) -> list[tuple[Rule, RuleSubject]]:
    """Return which rule is about which message."""
    owners = {rule.pk: owners_for(rule, subjects) for rule in rules}
    return [
        (rule, each)
        for rule in rules
        for each in subjects
        if each.owner_id in owners[rule.pk] and is_about(rule, each)
    ]


def _rules() -> list[Rule]:
    present = Rule.objects.filter(is_enabled=True, kind=Rule.Kind.VERDICT)
    return list(present.exclude(action=Rule.Action.REFUSE))


def _messages(ids: Sequence[int]) -> "QuerySet[Message]":
    return Message.objects.filter(pk__in=ids, hidden_at=None)


def _notify(wanted: _Wanted, due: set[str]) -> None:
    """Let the owner's pages show what was hidden, or that a person was asked for."""
    if due & {Rule.Action.HIDE, Rule.Action.PERSON}:
        user_id = wanted.principal.user_id
        notifications.notify_in_background(user_id, "turn", wanted.conversation_id)
