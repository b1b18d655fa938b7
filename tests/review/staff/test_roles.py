"""Who may review whom: permissions of groups, and scopes."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group
from django.utils import timezone

from chat.accounts.models import User
from chat.errors import NotFound
from chat.review.models import ReviewScope
from chat.review.staff import roles
from chat.review.staff.roles import Role
from tests.review.conftest import give


def seen_by(user: User) -> set[str]:
    reviewer = roles.reviewer_of(user)
    assert reviewer
    return {each.email for each in reviewer.people}


def test_without_the_permission_nobody_can_be_reviewed(alice: User, rita: User) -> None:
    assert roles.reviewer_of(AnonymousUser()) is None
    assert roles.reviewer_of(alice) is None
    assert roles.reviewer_of(rita) is None  # that somebody is staff opens the admin, and no chat
    with pytest.raises(NotFound):
        roles.require_reviewer(alice)


def test_a_reviewer_without_a_scope_sees_nobody(rita: User, alice: User) -> None:
    assert seen_by(give(rita, "review")) == set()


def test_a_reviewer_sees_the_groups_of_their_scopes(reviewer: User, bob: User) -> None:
    assert seen_by(reviewer) == {"alice@example.org"}
    choir = Group.objects.create(name="Choir")
    bob.groups.add(choir)
    ReviewScope.objects.create(reviewer=reviewer, members=choir)
    assert seen_by(reviewer) == {"alice@example.org", "bob@example.org"}


def test_a_scope_without_a_group_covers_everybody(lead: User, alice: User, bob: User) -> None:
    assert seen_by(lead) == {each.email for each in (lead, alice, bob)}


def test_an_administrator_sees_everybody(administrator: User, alice: User) -> None:
    assert alice.email in seen_by(administrator)


def test_each_role_includes_the_previous_ones(
    reviewer: User, lead: User, administrator: User
) -> None:
    found = [roles.require_reviewer(each) for each in (reviewer, lead, administrator)]
    assert [each.role for each in found] == list(Role)[1:]
    with pytest.raises(NotFound):
        roles.require_reviewer(reviewer, Role.LEAD)
    assert roles.require_reviewer(administrator, Role.LEAD)


def test_a_superuser_is_an_administrator(transactional_db: None) -> None:
    superuser = User.objects.create_superuser("superuser@example.org", "tide table")
    assert roles.require_reviewer(superuser).role is Role.ADMINISTRATOR


def test_a_deactivated_reviewer_has_no_role(reviewer: User) -> None:
    reviewer.is_active = False
    assert roles.reviewer_of(reviewer) is None


def test_suspended_and_closed_accounts_are_no_staff(
    reviewer: User, lead: User, administrator: User, alice: User
) -> None:
    """Nobody can be assigned to a case or called on duty, or counts as another administrator."""
    everybody = sorted((reviewer, lead, administrator), key=lambda each: (each.name, each.email))
    assert list(roles.staff_users()) == everybody
    assert list(roles.staff_users(Role.ADMINISTRATOR)) == [administrator]
    assert set(roles.staff_among(User.objects.all(), Role.LEAD)) == {lead, administrator}
    User.objects.filter(pk=lead.pk).update(is_active=False)
    User.objects.filter(pk=reviewer.pk).update(closed_at=timezone.now())
    assert list(roles.staff_users()) == [administrator]
    assert set(roles.staff_among(User.objects.all(), Role.LEAD)) == {administrator}


def test_staff_may_not_judge_their_peers_even_suspended_ones(
    reviewer: User, lead: User, administrator: User, alice: User
) -> None:
    User.objects.filter(pk=administrator.pk).update(is_active=False)
    User.objects.filter(pk=reviewer.pk).update(closed_at=timezone.now())
    superuser = User.objects.create_superuser("superuser@example.org", "tide table")
    for user, expected in (
        (lead, {lead, administrator, superuser}),
        (superuser, {superuser}),
    ):
        assert set(roles.peers(roles.require_reviewer(user))) == expected
