"""Every change of permissions is logged, whoever makes it and however."""

import sys
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.test import Client

from chat.accounts import setup
from chat.accounts.actor import SERVER, attributed_to
from chat.accounts.models import SetupLink, User
from chat.accounts.sign_up import invitations
from chat.review.access_log.staff_actions import StaffAction
from chat.review.members import actions as members
from chat.review.members import groups, scopes
from chat.review.models import ReviewScope
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import staff_context_of

Row = tuple[int, str, int | None, str]


class Since:
    """The entries added since this was created, as (actor, kind, person, detail)."""

    def __init__(self) -> None:
        self.last = StaffAction.objects.order_by("id").last()

    def rows(self) -> list[Row]:
        found = StaffAction.objects.filter(pk__gt=self.last.pk if self.last else 0).order_by("id")
        return list(found.values_list("actor", "kind", "person", "detail"))


def permission(name: str) -> Permission:
    return Permission.objects.get(codename=name)


@pytest.mark.parametrize(("field", "name"), [("is_staff", "staff"), ("is_superuser", "superuser")])
def test_each_permission_flag_is_logged(alice: User, field: str, name: str) -> None:
    since = Since()
    with attributed_to(7, "She asked for it"):
        setattr(alice, field, True)
        alice.save()
        alice.save()  # as it is already
        alice.name = "Alice L."
        alice.save(update_fields=["name"])
    setattr(alice, field, False)
    alice.save(update_fields=[field])
    assert since.rows() == [
        (7, "rights_changed", alice.pk, f"+ {name}"),
        (SERVER, "rights_changed", alice.pk, f"− {name}"),
    ]
    assert StaffAction.objects.filter(actor=7).get().reason == "She asked for it"


@pytest.mark.parametrize("field", ["is_staff", "is_superuser"])
def test_bulk_changes_of_flags_are_refused(alice: User, field: str) -> None:
    for found in (User.objects.all(), User.all_objects.all()):
        with pytest.raises(TypeError, match="one account at a time"):
            found.update(**{field: True})
    setattr(alice, field, True)
    with pytest.raises(TypeError, match="one account at a time"):
        User.objects.bulk_update([alice], [field])
    assert not User.objects.filter(**{field: True}).exists()


def test_a_change_that_cannot_be_logged_is_rolled_back(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: Any, **_options: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(StaffAction.objects, "create", fail)
    alice.is_superuser = True
    with pytest.raises(OSError, match="disk is full"):
        alice.save()
    with pytest.raises(OSError, match="disk is full"):
        alice.user_permissions.add(permission("review"))
    alice.refresh_from_db()
    assert not alice.is_superuser
    assert not alice.user_permissions.exists()


def test_group_membership_is_logged_from_both_sides(alice: User, bob: User, pupils: Group) -> None:
    choir = Group.objects.create(name="Choir")
    since = Since()
    alice.groups.add(choir, pupils)  # she is a pupil already
    choir.user_set.add(bob)
    choir.user_set.remove(alice, bob)
    alice.groups.remove(choir)  # she is not in it any more
    alice.groups.clear()
    pupils.user_set.set([bob])
    pupils.user_set.clear()
    assert [(kind, person, detail) for _actor, kind, person, detail in since.rows()] == [
        ("group_changed", alice.pk, "+ Choir"),
        ("group_changed", bob.pk, "+ Choir"),
        ("group_changed", alice.pk, "− Choir"),
        ("group_changed", bob.pk, "− Choir"),
        ("group_changed", alice.pk, "− Pupils"),
        ("group_changed", bob.pk, "+ Pupils"),
        ("group_changed", bob.pk, "− Pupils"),
    ]


def test_permissions_are_logged_from_both_sides(alice: User, pupils: Group) -> None:
    since = Since()
    alice.user_permissions.add(permission("review"))
    permission("lead_review").user_set.add(alice)
    alice.user_permissions.clear()
    pupils.permissions.add(permission("review"))
    permission("review").group_set.remove(pupils)
    assert [(person, detail) for _actor, _kind, person, detail in since.rows()] == [
        (alice.pk, "+ chat.review"),
        (alice.pk, "+ chat.lead_review"),
        (alice.pk, "− chat.review"),
        (alice.pk, "− chat.lead_review"),
        (None, "Pupils: + chat.review"),
        (None, "Pupils: − chat.review"),
    ]


def test_creating_and_deleting_groups_is_logged(alice: User, pupils: Group) -> None:
    since = Since()
    group = Group.objects.create(name="Choir")
    group.name = "Chorus"
    group.save()
    group.save()
    pupils.delete()
    assert [detail for *_, detail in since.rows()] == ["+ Choir", "Choir → Chorus", "− Pupils (1)"]


def test_scopes_are_logged_including_those_removed_by_a_cascade(
    rita: User, alice: User, pupils: Group
) -> None:
    shop = WidgetSite.objects.create(owner=alice, name="Shop")
    number = shop.pk
    since = Since()
    scope = ReviewScope.objects.create(reviewer=rita, members=pupils)
    scope.members = None
    scope.save()
    scope.save()
    scope.delete()
    ReviewScope.objects.create(reviewer=rita, site=shop)
    shop.delete()
    ReviewScope.objects.create(team=pupils)
    Group.objects.filter(pk=pupils.pk).delete()
    rows = [(kind, person, detail) for _actor, kind, person, detail in since.rows()]
    assert rows[:7] == [
        ("scope_changed", rita.pk, f"#{rita.pk} ▸ Pupils"),
        ("scope_changed", rita.pk, f"#{rita.pk} ▹ Pupils"),
        ("scope_changed", rita.pk, f"#{rita.pk} ▸ *"),
        ("scope_changed", rita.pk, f"#{rita.pk} ▹ *"),
        ("scope_changed", rita.pk, f"#{rita.pk} ▸ website {number}"),
        ("scope_changed", rita.pk, f"#{rita.pk} ▹ website {number}"),
        ("scope_changed", None, "Pupils ▸ *"),
    ]
    assert set(rows[7:]) == {
        ("group_changed", None, "− Pupils (1)"), ("scope_changed", None, "Pupils ▹ *"),
    }  # fmt: skip


def test_staff_pages_log_who_acted_and_why(administrator: User, alice: User, pupils: Group) -> None:
    look, since = staff_context_of(administrator, "The new term has begun"), Since()
    choir = groups.create(look, "Choir")
    members.set_groups(look, alice.pk, [choir])
    scopes.add(look, team=pupils, members=choir)
    scopes.remove(look, scopes.of_group(choir), ReviewScope.objects.get().pk)
    groups.rename(look, choir, "Chorus")
    groups.remove(look, choir)
    rows = since.rows()
    assert {actor for actor, *_ in rows} == {administrator.pk}
    assert [detail for *_, detail in rows] == [
        "+ Choir", "− Pupils", "+ Choir", "Pupils ▸ Choir", "Pupils ▹ Choir", "Choir → Chorus",
        "− Chorus (1)",
    ]  # fmt: skip
    reasons = StaffAction.objects.filter(actor=administrator.pk).values_list("reason", flat=True)
    assert set(reasons) == {"The new term has begun"}


def test_the_first_administrators_setup_link_is_logged(transactional_db: None) -> None:
    user = setup.make_first_staff(SetupLink.make(), "superuser@example.org", "tide table")
    assert user
    rows = list(StaffAction.objects.order_by("id").values_list("person", "detail", "reason"))
    assert rows == [(user.pk, "+ staff", "setup link"), (user.pk, "+ superuser", "setup link")]


def test_a_group_from_an_invitation_is_logged(pupils: Group) -> None:
    invitation, token = invitations.invite("new@example.org", pupils)
    since = Since()
    user = invitations.accept(token, "Nia", "correct horse 9")
    assert user
    assert since.rows() == [(SERVER, "group_changed", user.pk, "+ Pupils")]
    assert StaffAction.objects.latest("id").reason == f"invitation {invitation.pk}"


def test_a_command_that_creates_a_superuser_is_logged(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["manage.py", "createsuperuser", "--noinput"])
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "tide table")
    call_command("createsuperuser", email="superuser@example.org", interactive=False, verbosity=0)
    assert [(actor, detail) for actor, *_, detail in Since.rows(_beginning())] == [
        (SERVER, "+ staff"), (SERVER, "+ superuser"),
    ]  # fmt: skip
    reasons = set(StaffAction.objects.values_list("reason", flat=True))
    assert reasons == {"manage.py createsuperuser"}


def _beginning() -> Since:
    since = Since()
    since.last = None
    return since


def test_signing_up_grants_nothing_and_logs_nothing(transactional_db: None) -> None:
    sent = {"email": "new@example.org", "password1": "correct horse 9"}
    Client().post("/accounts/signup/", sent | {"password2": sent["password1"]})
    assert User.objects.get()
    assert not StaffAction.objects.exists()
