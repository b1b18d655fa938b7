"""Withdrawing a rule takes back what nobody has worked on, and nothing else."""

import pytest
from django.test import Client

from chat.accounts.actor import SERVER
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.errors import Conflict, NotFound
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case, Flag, Rule, Severity
from chat.review.cases import flags, rule_runner, rules, withdrawal, workflow
from chat.review.cases.holds import LegalHold
from chat.review.models import ConversationStats
from tests.review.conftest import give, say, staff_context_of
from tests.support.review.member_pages import client_of, text_of


def run() -> None:
    while withdrawal.run_withdrawal():
        pass


def flagged_by_rule(owner: User, count: int, **about: object) -> tuple[Rule, list[Conversation]]:
    made = {"kind": "words", "text": "the", "severity": 3, **about}
    rule = Rule.objects.create(name="The", **made)
    chats = [say(owner, f"the river {number}", "Water") for number in range(count)]
    while rule_runner.check_new():
        pass
    return rule, chats


def test_cases_flags_and_holds_of_a_mistaken_rule_are_taken_back(alice: User, lead: User) -> None:
    rule, chats = flagged_by_rule(alice, withdrawal.AT_ONCE + 10)
    assert Case.objects.count() == LegalHold.objects.count() == len(chats)
    withdrawal.start(staff_context_of(lead, "It was a mistake"), rule.pk)
    rule.refresh_from_db()
    assert not rule.is_enabled
    assert withdrawal.run_withdrawal()
    assert Flag.objects.count() == 10  # another process goes on from here
    run()
    assert not Case.objects.exists()
    assert not Flag.objects.exists()
    assert not LegalHold.objects.filter(ends_at=None).exists()
    assert LegalHold.objects.count() == len(chats)  # they end in a week
    assert not ConversationStats.objects.exclude(flag_sources=0).exists()
    rule.refresh_from_db()
    assert (rule.matches, rule.withdrawal_before) == (0, None)


def test_what_a_person_decided_or_works_on_stays(alice: User, lead: User) -> None:
    rule, chats = flagged_by_rule(alice, 5)
    context = staff_context_of(lead)
    confirmed, dismissed, claimed, returned, untouched = [
        Case.objects.get(conversation=each) for each in chats
    ]
    workflow.resolve(context, confirmed.pk, "confirmed", "Really a case")
    workflow.resolve(context, dismissed.pk, "dismissed", "Not a case")
    workflow.claim(context, claimed.pk)
    workflow.resolve(context, returned.pk, "dismissed", "Not a case")
    workflow.reopen(context, returned.pk)
    withdrawal.start(context, rule.pk)
    run()
    kept = set(Case.objects.values_list("pk", flat=True))
    assert kept == {confirmed.pk, dismissed.pk, claimed.pk, returned.pk}
    assert Flag.objects.count() == 4
    assert LegalHold.objects.get(reason=str(confirmed)).ends_at is None
    assert LegalHold.objects.get(reason=str(untouched)).ends_at is not None


def test_a_case_with_other_flags_stays_with_their_severity(alice: User, lead: User) -> None:
    rule, (reported, rated) = flagged_by_rule(alice, 2)
    flags.report(reported.pk, None, alice.pk, "wrong", "")
    case = Case.objects.get(conversation=rated)
    case.flags.create(source=Flag.Source.THUMB, message=rated.messages.last().pk)
    withdrawal.start(staff_context_of(lead), rule.pk)
    run()
    assert set(Case.objects.values_list("severity", flat=True)) == {Severity.LOW}
    held = LegalHold.objects.filter(ends_at=None).values_list("conversation", flat=True)
    assert list(held) == [reported.pk]  # a bad rating holds nothing


def test_each_step_is_on_record(alice: User, lead: User) -> None:
    rule, (chat,) = flagged_by_rule(alice, 1)
    case = Case.objects.get()
    withdrawal.start(staff_context_of(lead, "It was a mistake"), rule.pk)
    run()
    order, done = StaffAction.objects.filter(kind="rule_withdrawn").order_by("id")
    assert (order.actor, order.reason) == (lead.pk, "It was a mistake")
    assert order.detail == "The: 1 flags, 1 cases"
    assert (done.actor, done.conversation, done.person) == (SERVER, chat.pk, alice.pk)
    assert done.detail == f"{case.pk}: The"


def test_only_leads_with_the_rule_in_scope_withdraw_it(
    alice: User, bob: User, rita: User, pupils: object
) -> None:
    rule, _chats = flagged_by_rule(alice, 1)
    limited = staff_context_of(give(rita, "lead_review", pupils))  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        withdrawal.start(limited, rule.pk)


def test_a_rule_is_not_deleted_while_its_flags_are_taken_back(alice: User, lead: User) -> None:
    rule, _chats = flagged_by_rule(alice, 1)
    withdrawal.start(staff_context_of(lead), rule.pk)
    with pytest.raises(Conflict):
        rules.remove_rule(staff_context_of(lead), rule.pk)
    run()
    rules.remove_rule(staff_context_of(lead), rule.pk)


def test_the_rules_page_says_what_a_withdrawal_does(alice: User, lead: User) -> None:
    rule, chats = flagged_by_rule(alice, 3)
    workflow.claim(staff_context_of(lead), Case.objects.get(conversation=chats[0]).pk)
    client: Client = client_of(lead)
    page = text_of(client, f"/review/rules/{rule.pk}/")
    assert "Withdraw this rule…" in page
    assert withdrawal.extent_of(rule) == withdrawal.Extent(flags=2, closed=2, kept=1)
    client.post(f"/review/rules/{rule.pk}/withdrawal/")
    assert "being withdrawn" in text_of(client, "/review/rules/")
    run()
    listing = text_of(client, "/review/rules/")
    assert "being withdrawn" not in listing
    assert f'href="/review/queue/?state=all&amp;rule={rule.pk}">1</a>' in listing
