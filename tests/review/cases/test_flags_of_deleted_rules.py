"""A flag says whether it keeps its chat, also once its rule is gone."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.case_models import Case, Flag, Rule
from chat.review.cases import holds, rule_runner, rules
from chat.review.members import groups
from tests.review.conftest import say, staff_context_of


def flagged(owner: User, **about: object) -> tuple[Rule, Conversation]:
    """Return a rule that keeps no chats, with a chat that it has flagged."""
    made = {"name": "Ice", "kind": "words", "text": "ice", "holds_chats": False, **about}
    rule = Rule.objects.create(**made)
    chat = say(owner, "Is it ice?", "It is water")
    while rule_runner.check_new():
        pass
    assert Flag.objects.get().rule == rule
    return rule, chat


def is_held_by_its_case(chat: Conversation) -> bool:
    """Look at its flags again, as after each further one, and when the case is reopened."""
    holds.hold_for(Case.objects.get(conversation=chat))
    return Conversation.objects.get(pk=chat.pk).held_at is not None


@pytest.mark.parametrize("how", ["the rule", "its group"])
def test_a_chat_that_the_rule_did_not_keep_is_not_held_after_its_deletion(
    how: str, administrator: User, alice: User, pupils: Group
) -> None:
    rule, chat = flagged(alice, members=pupils)
    context = staff_context_of(administrator)
    if how == "the rule":
        rules.remove_rule(context, rule.pk)
    else:
        groups.remove(context, pupils)
    assert not is_held_by_its_case(chat)


@pytest.mark.parametrize("keeps", [True, False])
def test_what_a_rule_was_changed_to_counts(
    administrator: User, alice: User, *, keeps: bool
) -> None:
    rule, chat = flagged(alice, holds_chats=not keeps)
    Conversation.objects.update(held_at=None)
    rule.holds_chats = keeps
    context = staff_context_of(administrator)
    rules.save_rule(context, rule)
    rules.remove_rule(context, rule.pk)
    assert is_held_by_its_case(chat) == keeps


def test_a_flag_of_the_previous_version_is_as_its_rule_says(alice: User) -> None:
    _rule, chat = flagged(alice)
    Flag.objects.update(holds_chat=True)  # the column's default
    assert not is_held_by_its_case(chat)


def test_flags_from_before_are_as_their_rules_say(administrator: User, alice: User) -> None:
    rule, chat = flagged(alice)
    Flag.objects.update(holds_chat=True)
    migration: Any = import_module("chat.migrations.0048_flags_say_whether_they_hold")
    migration.fill(apps, None)
    rules.remove_rule(staff_context_of(administrator), rule.pk)
    assert not is_held_by_its_case(chat)
