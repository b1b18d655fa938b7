"""Helpers for the tests of cases."""

from chat.accounts.models import User
from chat.review.case_models import Case
from chat.review.cases import flags
from tests.review.conftest import say

State = Case.State


def make_case(owner: User, reason: str = "wrong") -> Case:
    return flags.report(say(owner, "Rivers", "Water").pk, None, owner.pk, reason, "").case
