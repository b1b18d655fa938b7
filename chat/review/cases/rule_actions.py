"""What a match of a rule does. Packages above this one add their own (chat/apps.py)."""

from collections.abc import Callable, Sequence

from chat.review.case_models import Flag, Rule
from chat.review.cases.flags import flag_match
from chat.review.cases.rule_subjects import RuleSubject

Action = Rule.Action


def _nothing(_rule: Rule, _subject: RuleSubject) -> None:
    """Staff see the verdict, or the kinds of personal data, beside the message."""


#: For each action, a function that does nothing if it was done before.
actions: dict[str, Callable[[Rule, RuleSubject], object]] = {
    Action.QUEUE: flag_match,
    Action.MARK: _nothing,
}
#: Called with a rule and one of its flags when it is withdrawn, before the case is locked.
undoing_hooks: list[Callable[[Rule, Flag], object]] = []
#: Called with the rules that need verdicts, if there are any, and the ids of new messages.
judging_hooks: list[Callable[[Sequence[Rule], Sequence[int]], object]] = []


def act(rule: Rule, subject: RuleSubject) -> None:
    if action := actions.get(rule.action):  # none: questions are refused before they are stored
        action(rule, subject)
