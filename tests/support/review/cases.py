"""Helpers for the tests of cases."""

from datetime import timedelta

from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.case_models import Case
from chat.review.cases import flags, rule_runner
from tests.review.conftest import say
from tests.support.generations.purge import sweep

State = Case.State


def make_case(owner: User, reason: str = "wrong") -> Case:
    return flags.report(say(owner, "Rivers", "Water").pk, None, owner.pk, reason, "").case


def check_new() -> None:
    """Let the rules check all new messages."""
    while rule_runner.check_new():
        pass


def erase(case: Case) -> None:
    """Let the case's chat be deleted and the maximum time of its legal hold pass, and sweep."""
    long_ago = timezone.now() - timedelta(days=1000)
    Conversation.all_objects.filter(pk=case.conversation_id).update(purge_after=long_ago)
    sweep()
