"""Deciding a case erases nothing, and cases outlive their chats."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.conversations.ratings import Opinion
from chat.errors import NotFound
from chat.generations.deletion.soft_delete import delete_account, delete_site
from chat.review.case_models import Case, Flag
from chat.review.case_reading import is_erased_with_case, owners_of
from chat.review.cases import flags, holds, queue, workflow
from chat.review.cases.holds import LegalHold
from chat.review.cases.queue import CaseFilter
from chat.review.moderation import content
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import give, say, staff_context_of
from tests.support.generations.purge import sweep
from tests.support.review.cases import erase, make_case

REASON = "Talked to the parents"


def days_pass(days: float) -> None:
    """Let so many days pass, and sweep."""
    for hold in LegalHold.objects.filter(ends_at__isnull=False):
        assert hold.ends_at
        LegalHold.objects.filter(pk=hold.pk).update(ends_at=hold.ends_at - timedelta(days=days))
    for chat in Conversation.all_objects.filter(purge_after__isnull=False):
        assert chat.purge_after
        earlier = chat.purge_after - timedelta(days=days)
        Conversation.all_objects.filter(pk=chat.pk).update(purge_after=earlier)
    holds.end_due()
    sweep()


@pytest.fixture
def deleted(case: Case) -> Case:
    """Return a case whose chat was deleted by its owner."""
    chats = Conversation.all_objects.filter(pk=case.conversation_id)
    chats.update(purge_after=timezone.now())
    return case


def test_confirming_erases_nothing_before_the_maximum_time(deleted: Case, lead: User) -> None:
    workflow.resolve(staff_context_of(lead), deleted.pk, "confirmed", REASON)
    days_pass(89.9)
    assert Message.objects.count() == 2
    assert workflow.reopen(staff_context_of(lead), deleted.pk).conversation
    workflow.resolve(staff_context_of(lead), deleted.pk, "confirmed", REASON)
    days_pass(0.2)
    assert not Message.objects.exists()


def test_a_dismissed_case_keeps_its_chat_for_a_week(deleted: Case, lead: User) -> None:
    workflow.resolve(staff_context_of(lead), deleted.pk, "dismissed", REASON)
    days_pass(6.9)
    assert Message.objects.count() == 2
    workflow.reopen(staff_context_of(lead), deleted.pk)
    days_pass(30)
    assert Message.objects.count() == 2
    workflow.resolve(staff_context_of(lead), deleted.pk, "dismissed", REASON)
    days_pass(7.1)
    assert not Conversation.all_objects.exists()


def test_a_chat_that_is_deleted_after_the_decision_is_kept_as_long(case: Case, lead: User) -> None:
    workflow.resolve(staff_context_of(lead), case.pk, "dismissed", REASON)
    Conversation.objects.update(purge_after=timezone.now())
    days_pass(6.9)
    assert Message.objects.count() == 2


def test_lifting_the_hold_of_a_confirmed_case_can_be_undone_for_a_week(
    deleted: Case, lead: User
) -> None:
    context, chat = staff_context_of(lead), deleted.chat_id
    assert not holds.is_liftable(chat)  # the case is not decided
    workflow.resolve(context, deleted.pk, "confirmed", REASON)
    assert holds.is_liftable(chat)
    content.release(context, chat)
    assert not holds.is_liftable(chat)
    days_pass(6.9)
    content.hold(context, chat)
    days_pass(30)
    assert Message.objects.count() == 2
    content.release(context, chat)
    days_pass(7.1)
    assert not Conversation.all_objects.exists()


def test_two_holds_end_with_the_later_one(deleted: Case, lead: User) -> None:
    context = staff_context_of(lead)
    content.hold(context, deleted.chat_id)
    workflow.resolve(context, deleted.pk, "dismissed", REASON)
    days_pass(8)
    assert Conversation.all_objects.get().held_at
    chat = Conversation.all_objects.get()
    assert chat.purge_after
    assert holds.purge_at(chat) == chat.purge_after + timedelta(days=90)


def test_a_case_outlives_its_chat_without_the_owners_text(
    deleted: Case, alice: User, lead: User
) -> None:
    chat, comment = deleted.chat_id, "He wrote that"
    flags.report(chat, None, alice.pk, "harmful", comment)
    flags.flag(staff_context_of(lead), chat, "Please read")
    workflow.resolve(staff_context_of(lead), deleted.pk, "confirmed", REASON)
    erase(deleted)
    case = workflow.case_of(staff_context_of(lead), deleted.pk)
    assert (case.conversation, case.chat_id, case.owner_id) == (None, chat, alice.pk)
    assert (case.outcome, case.resolution_note) == ("confirmed", REASON)
    assert owners_of([case]) == {alice.pk: alice}
    said = Flag.objects.filter(case=case).values_list("source", "reason", "comment")
    source = Flag.Source
    assert list(said) == [
        (source.REPORT, "wrong", ""),
        (source.REPORT, "harmful", ""),
        (source.STAFF, "", "Please read"),
    ]


def test_the_case_of_an_erased_chat_can_be_worked_on(deleted: Case, lead: User) -> None:
    """It may be undecided when the maximum time is over."""
    context = staff_context_of(lead)
    erase(deleted)
    assert workflow.claim(context, deleted.pk).assignee == lead
    assert workflow.release(context, deleted.pk).assignee is None
    assert workflow.take_next(context, queue.filter_cases(context.reviewer, CaseFilter()))
    workflow.resolve(context, deleted.pk, "dismissed", REASON)
    assert workflow.reopen(context, deleted.pk).assignee == lead


def test_scopes_and_filters_apply_to_cases_of_erased_chats(
    deleted: Case, pupils: Group, alice: User, lead: User
) -> None:
    choir = Group.objects.create(name="Choir")
    erase(deleted)
    filters = [CaseFilter(group=pupils.pk), CaseFilter(), CaseFilter(state="all", source=1)]
    for number, (group, is_seen) in enumerate([(pupils, True), (choir, False)]):
        person = User.objects.create_user(f"l{number}@example.org", "tide table")
        theirs = staff_context_of(give(person, "lead_review", group))
        for each in filters:
            assert queue.page(theirs.reviewer, each, None)[0] == [deleted.pk] * is_seen
        assert is_erased_with_case(theirs, deleted.chat_id) == is_seen
        if not is_seen:
            with pytest.raises(NotFound):
                workflow.case_of(theirs, deleted.pk)
    everybody = staff_context_of(lead).reviewer
    assert queue.page(everybody, CaseFilter(group=choir.pk), None)[0] == []


def test_a_case_outlives_the_account_of_its_owner(deleted: Case, alice: User, lead: User) -> None:
    workflow.resolve(staff_context_of(lead), deleted.pk, "confirmed", REASON)
    delete_account(alice)
    erase(deleted)
    sweep()
    assert not User.objects.filter(pk=alice.pk).exists()
    case = workflow.case_of(staff_context_of(lead), deleted.pk)
    assert owners_of([case]) == {}
    assert workflow.may_judge(staff_context_of(lead), case)


def test_a_case_outlives_the_website_where_it_was_reported(alice: User, lead: User) -> None:
    site = WidgetSite.objects.create(owner=alice, name="Shop")
    case = make_case(visitors.make(site).user)
    assert queue.page(staff_context_of(lead).reviewer, CaseFilter(site=site.pk), None)[0]
    delete_site(site)
    erase(case)
    sweep()
    assert not WidgetSite.all_objects.exists()
    found = queue.page(staff_context_of(lead).reviewer, CaseFilter(site=site.pk), None)
    assert found[0] == [case.pk]


def test_a_rating_that_nobody_looked_at_goes_with_its_chat(alice: User) -> None:
    chat = say(alice, "Rivers?", "In the hills.")
    answer = chat.messages.get(role=Message.Role.ASSISTANT)
    flags.flag_rating(answer, alice.pk, Opinion(-1))
    Conversation.objects.update(purge_after=timezone.now())
    sweep()
    assert not Case.objects.exists()
    assert not Conversation.all_objects.exists()
