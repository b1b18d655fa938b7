"""A note tells whom it names, in every way that people write names, and says who was told."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.case_models import Case
from chat.review.cases import notes, workflow
from chat.review.models import ReviewScope
from chat.review.staff import roles
from chat.review.staff.readers import readers_of
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import give, say, staff_context_of
from tests.support.review.cases import make_case
from tests.support.review.member_pages import client_of, text_of


@pytest.fixture
def benedikt(pupils: Group) -> User:
    made = User.objects.create_user(
        "benedikt@example.org", "tide table", name="Benedikt van Ährlich"
    )
    return give(made, "review", pupils)


@pytest.fixture
def chat(alice: User) -> Conversation:
    return say(alice, "Rivers", "Water")


def names_of(people: list[User]) -> list[str]:
    return [each.name for each in people]


@pytest.mark.parametrize(
    "text",
    [
        "@Benedikt van Ährlich look",
        "@benedikt van ährlich, look",
        "@BENEDIKT  VAN\nÄHRLICH",
        "@BenediktvanÄhrlich",
        "@Benedikt",
        "(@benedikt)",
        "ask @benedikt@example.org.",
    ],
)
def test_a_person_is_named_in_any_usual_way(
    chat: Conversation, reviewer: User, benedikt: User, text: str
) -> None:
    named = notes.add_note(staff_context_of(reviewer), chat.pk, text)
    assert names_of(named.told) == [benedikt.name]
    assert benedikt.staff_notices.count() == 1
    assert not named.unknown


def test_a_first_name_of_several_people_names_none(
    chat: Conversation, reviewer: User, benedikt: User, pupils: Group
) -> None:
    other = User.objects.create_user("bb@example.org", "tide table", name="Benedikt Berg")
    give(other, "review", pupils)
    named = notes.add_note(staff_context_of(reviewer), chat.pk, "@Benedikt and @Benedikt Berg")
    assert names_of(named.told) == ["Benedikt Berg"]
    assert named.unknown == ["Benedikt"]


def test_the_page_says_who_was_told_and_who_was_not(
    chat: Conversation, reviewer: User, benedikt: User, bob: User
) -> None:
    give(bob, "review", Group.objects.create(name="Choir"))
    client: Client = client_of(reviewer)
    client.post("/review/reason/", {"reason": "A report of today", "next": "/review/"})
    text = f"@Benedikt, @{bob.email}, @Zoe and mail x@y.example"
    client.post(f"/review/{chat.pk}/notes/", {"text": text})
    page = text_of(client, f"/review/{chat.pk}/")
    assert "Note added. Notified: Benedikt van Ährlich." in page
    assert f"Not notified, because they may not read this chat: {bob}." in page
    assert "Nobody was notified for @Zoe." in page
    client.post(f"/review/{chat.pk}/notes/", {"text": "No names"})
    assert "otified" not in text_of(client, f"/review/{chat.pk}/")


def test_names_are_offered_of_those_who_may_read_the_chat(
    chat: Conversation, reviewer: User, benedikt: User, bob: User, lead: User
) -> None:
    give(bob, "review", Group.objects.create(name="Choir"))
    context = staff_context_of(reviewer)
    assert set(notes.mentionable(context, chat)) == {benedikt.name, lead.name}
    User.objects.filter(pk=lead.pk).update(name=benedikt.name.upper())
    assert set(notes.mentionable(context, chat)) == {benedikt.email, lead.email}


def test_readers_in_one_query_are_those_whose_scope_includes_the_chat(
    alice: User, bob: User, rita: User, lead: User, administrator: User, pupils: Group
) -> None:
    choir = Group.objects.create(name="Choir")
    team = Group.objects.create(name="Team")
    team.permissions.add(Permission.objects.get(codename="review"))
    rita.groups.add(team)
    site = WidgetSite.objects.create(owner=bob, name="Shop")
    visitor = visitors.make(site).user
    ReviewScope.objects.create(team=team, site=site)
    for name, scope in (("Ben", pupils), ("Cleo", choir), ("Dora", None)):
        made = User.objects.create_user(f"{name}@example.org", "tide table", name=name)
        give(made, "review", scope)
    User.objects.create_superuser("root@example.org", "tide table")
    for owner in (alice, bob, visitor):
        one_by_one = {
            each.pk
            for each in roles.staff_users()
            if (theirs := roles.reviewer_of(each)) and theirs.people.filter(pk=owner.pk).exists()
        }
        assert set(readers_of(owner.pk).values_list("pk", flat=True)) == one_by_one, owner


def test_only_those_who_may_have_a_case_are_offered_as_assignees(
    alice: User, bob: User, reviewer: User, lead: User, administrator: User
) -> None:
    outside = give(bob, "review", Group.objects.create(name="Choir"))
    everyone = (reviewer, outside, lead, administrator)
    for owner in (alice, lead):
        case: Case = make_case(owner)
        allowed = {each.pk for each in everyone if workflow._may_have(each, case.pk)}
        assert set(workflow.assignees_of(case).values_list("pk", flat=True)) == allowed, owner
