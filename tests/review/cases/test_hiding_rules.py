"""A rule hides no more than those could who make rules."""

import pytest

from chat.accounts.models import User
from chat.conversations.models import Message
from chat.review.access_log.authority import InsufficientRole
from chat.review.case_models import Case, Rule
from chat.review.cases import rule_runner
from chat.review.moderation import content
from tests.review.conftest import give, say, staff_context_of


@pytest.mark.parametrize(
    ("permission", "is_hidden"),
    [("review", True), ("lead_review", False), ("administer_review", False)],
)
def test_messages_of_leads_and_administrators_are_only_queued(
    alice: User, lead: User, permission: str, is_hidden: bool
) -> None:
    give(alice, permission)
    Rule.objects.create(name="Water", kind="words", text="water", action="cover")
    chat = say(alice, "Where to?", "Water")
    while rule_runner.check_new():
        pass
    answer = chat.messages.get(role=Message.Role.ASSISTANT)
    assert (answer.hidden_at is not None) == is_hidden
    assert Case.objects.get().conversation == chat
    if not is_hidden:
        with pytest.raises(InsufficientRole):
            content.hide(staff_context_of(lead), chat.pk, answer.pk)
