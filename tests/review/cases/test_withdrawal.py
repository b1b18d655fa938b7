"""Withdrawing a rule takes back what nobody has worked on, and nothing else."""

import pytest
from django.test import Client

from chat.accounts.actor import SERVER
from chat.accounts.models import User
from chat.conversations.models import Conversation, Message, RedactedText
from chat.errors import Conflict, NotFound
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case, Flag, Rule, Severity
from chat.review.cases import flags, rule_actions, rule_runner, rules, withdrawal, workflow
from chat.review.cases.holds import LegalHold
from chat.review.models import ConversationStats
from chat.review.moderation import content
from chat.sharing import links
from chat.web.review.rules import views
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


COVER = {"action": "cover", "applies_to": "answers", "text": "water"}


def answer_of(chat: Conversation) -> Message:
    return chat.messages.get(role=Message.Role.ASSISTANT)


def test_messages_that_it_has_hidden_are_shown_again(alice: User, lead: User) -> None:
    Rule.objects.create(name="Unused", kind="words", text="x")  # messages are queued
    shared = say(alice, "Shared", "Water")
    link = links.make(shared, links.Choices())
    rule, (chat,) = flagged_by_rule(alice, 1, **COVER)
    link.refresh_from_db()
    assert link.turns[-1]["hidden"]
    assert not answer_of(chat).text
    Rule.objects.filter(pk=rule.pk).update(name="Renamed")
    withdrawal.start(staff_context_of(lead), rule.pk)
    run()
    assert [answer_of(each).text for each in (chat, shared)] == ["Water", "Water"]
    assert not RedactedText.objects.exists()
    link.refresh_from_db()
    assert link.turns[-1]["text"] == "Water"
    shown = StaffAction.objects.filter(kind="shown").values_list("actor", "person", "message")
    assert set(shown) == {(SERVER, alice.pk, answer_of(each).pk) for each in (chat, shared)}


def test_what_somebody_else_has_hidden_stays_hidden(alice: User, lead: User) -> None:
    rule, chats = flagged_by_rule(alice, 4, **COVER)
    context = staff_context_of(lead)
    claimed, by_staff, by_other_rule, by_rule_alone = chats
    workflow.claim(context, Case.objects.get(conversation=claimed).pk)
    content.show(context, by_staff.pk, answer_of(by_staff).pk)
    content.hide(context, by_staff.pk, answer_of(by_staff).pk)
    other = Rule.objects.create(name="Other", kind="words", text="water", action="cover")
    Case.objects.get(conversation=by_other_rule).flags.create(
        source=Flag.Source.RULE, rule=other, message=answer_of(by_other_rule).pk
    )
    queueing = Rule.objects.create(name="Queue", kind="words", text="water")
    Case.objects.get(conversation=by_rule_alone).flags.create(
        source=Flag.Source.RULE, rule=queueing, message=answer_of(by_rule_alone).pk
    )
    withdrawal.start(context, queueing.pk)  # it has hidden nothing
    run()
    assert not any(answer_of(each).text for each in chats)
    withdrawal.start(context, rule.pk)
    run()
    assert [answer_of(each).text for each in chats] == ["", "", "", "Water"]


def test_other_rules_check_what_is_shown_again(alice: User, lead: User) -> None:
    rule, _chats = flagged_by_rule(alice, 1, **COVER)
    Rule.objects.create(name="Later", kind="words", text="water")
    withdrawal.start(staff_context_of(lead), rule.pk)
    run()
    while rule_runner.check_new():
        pass
    assert Flag.objects.get().rule == Rule.objects.get(name="Later")


def test_a_case_that_is_claimed_meanwhile_stays_with_what_was_hidden(
    alice: User, lead: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule, (chat,) = flagged_by_rule(alice, 1, **COVER)

    def claim(*_given: object) -> None:
        workflow.claim(staff_context_of(lead), Case.objects.get().pk)

    monkeypatch.setattr(rule_actions, "undoing_hooks", [*rule_actions.undoing_hooks, claim])
    withdrawal.start(staff_context_of(lead), rule.pk)
    run()
    # The claim is part of the same transaction here, which is rolled back.
    assert (Flag.objects.count(), answer_of(chat).text) == (1, "")


def test_the_pages_say_that_messages_are_hidden_and_shown_again(
    alice: User, lead: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MANY_CHATS", 1)
    rule, _chats = flagged_by_rule(alice, 1, **COVER)
    client: Client = client_of(lead)
    page = text_of(client, f"/review/rules/{rule.pk}/")
    assert "the messages that the rule has hidden are shown again" in page
    say(alice, "Not checked yet", "Water")
    asked = client.post(f"/review/rules/{rule.pk}/backfill/").content.decode()
    assert "The messages that match are hidden." in asked
