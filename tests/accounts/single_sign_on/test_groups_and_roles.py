"""Groups and staff roles follow the claims at each sign-in, and changes are in the audit log."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from pytest_django import Settings

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from tests.accounts.single_sign_on.conftest import SignIn
from tests.support.servers.identity_provider import IdentityProvider

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _mapping(settings: Settings) -> None:
    settings.SSO_GROUPS = {"/pupils": ["Pupils"], "/leads": ["Lead reviewers", "Pupils"]}
    settings.SSO_ROLES = {"/admins": ["superuser"], "/office": ["staff"]}
    for name in ("Pupils", "Chess", "Lead reviewers"):
        Group.objects.create(name=name)


def groups() -> list[str]:
    return sorted(User.objects.get().groups.values_list("name", flat=True))


def flags() -> tuple[bool, bool]:
    user = User.objects.get(email__startswith="alice")
    return user.is_staff, user.is_superuser


@pytest.mark.parametrize(
    "claims",
    [
        {"groups": ["/pupils", "/unknown"]},
        {"groups": "/pupils"},
        {"groups": ["/pupils", 7, None, {"a": 1}]},
        {"groups": "/other, /pupils"},
        {"groups": [{"value": "/pupils", "display": "Pupils"}, {"name": ["/leads"]}]},
        {"groups": [{"id": 7, "name": "/pupils"}]},
        {"groups": {"/pupils": {"214": "example.org"}, "/leads": False}},
    ],
    ids=str,
)
def test_groups_are_those_of_the_claim(
    provider: IdentityProvider, sign_in: SignIn, claims: dict[str, Any]
) -> None:
    provider.become("alice", **claims)
    sign_in()
    assert groups() == ["Pupils"]
    assert flags() == (False, False)


@pytest.mark.parametrize("claim", [7, [7], [{"a": 1}], True], ids=str)
def test_a_claim_that_can_not_be_read_is_logged(
    provider: IdentityProvider, sign_in: SignIn, caplog: pytest.LogCaptureFixture, claim: Any
) -> None:
    provider.become("alice", groups=claim)
    sign_in()
    assert groups() == []
    assert "the claim groups has no values that can be read" in caplog.text


def test_a_text_in_a_list_is_one_value(provider: IdentityProvider, sign_in: SignIn) -> None:
    """Where members name groups themselves, a comma must not give them another one."""
    provider.become("alice", groups=["mine,/pupils"])
    sign_in()
    assert groups() == []


def test_a_claim_may_be_inside_another(
    provider: IdentityProvider, sign_in: SignIn, settings: Settings
) -> None:
    settings.SSO_GROUPS_CLAIM = "realm_access.roles"
    provider.become("alice", realm_access={"roles": ["/leads"]})
    sign_in()
    assert groups() == ["Lead reviewers", "Pupils"]


def test_groups_may_come_from_userinfo(provider: IdentityProvider, sign_in: SignIn) -> None:
    provider.userinfo = {"groups": ["/pupils"]}
    sign_in()
    assert groups() == ["Pupils"]


def test_only_mapped_groups_are_taken_away(provider: IdentityProvider, sign_in: SignIn) -> None:
    provider.become("alice", groups=["/leads"])
    sign_in()
    User.objects.get().groups.add(Group.objects.get(name="Chess"))
    provider.become("alice", groups=[])
    sign_in(Client())
    assert groups() == ["Chess"]


OVERAGE = {
    "_claim_names": {"groups": "src1"},
    "_claim_sources": {"src1": {"endpoint": "https://x"}},
}


@pytest.mark.parametrize("claims", [OVERAGE, {"hasgroups": True}, {"hasgroups": "true"}], ids=str)
def test_a_claim_that_was_too_long_to_send_changes_nothing(
    provider: IdentityProvider, sign_in: SignIn, claims: dict[str, Any]
) -> None:
    User.objects.create_superuser("other@example.org", "open sesame")
    provider.become("alice", groups=["/admins", "/pupils"])
    sign_in()
    provider.become("alice", **claims)
    sign_in(Client())
    alice = User.objects.get(email__startswith="alice")
    assert (alice.is_superuser, [each.name for each in alice.groups.all()]) == (True, ["Pupils"])


def test_long_groups_do_not_keep_roles_that_another_claim_gives(
    provider: IdentityProvider, sign_in: SignIn, settings: Settings
) -> None:
    settings.SSO_GROUPS_CLAIM = "roles"
    User.objects.create_superuser("other@example.org", "open sesame")
    provider.become("alice", roles=["/admins"])
    sign_in()
    provider.become("alice", hasgroups=True)
    sign_in(Client())
    assert flags() == (False, False)


@pytest.mark.parametrize("claims", [{"groups": []}, {}, {"groups": ["/pupils"]}], ids=str)
def test_the_last_superuser_stays_whatever_the_provider_says(
    provider: IdentityProvider, sign_in: SignIn, claims: dict[str, Any]
) -> None:
    provider.become("alice", groups=["/admins"])
    sign_in()
    provider.become("alice", **claims)
    browser = Client()
    sign_in(browser)
    assert flags() == (True, True)
    assert browser.get("/admin/").status_code == 200
    User.objects.create_superuser("other@example.org", "open sesame")
    sign_in(Client())
    assert not User.objects.get(email__startswith="alice").is_superuser


def test_the_last_administrator_stays_in_their_group(
    provider: IdentityProvider, sign_in: SignIn, settings: Settings
) -> None:
    heads = Group.objects.create(name="Administrators")
    heads.permissions.add(Permission.objects.get(codename="administer_review"))
    settings.SSO_GROUPS = {"/heads": ["Administrators"]}
    provider.become("alice", groups=["/heads"])
    sign_in()
    provider.become("alice", groups=[])
    sign_in(Client())
    assert groups() == ["Administrators"]


@pytest.mark.parametrize("claims", [{"groups": []}, {}, {"groups": {"/admins": False}}], ids=str)
def test_a_role_that_is_taken_away_ends_what_it_allowed_everywhere(
    provider: IdentityProvider, sign_in: SignIn, claims: dict[str, Any]
) -> None:
    browser = Client()
    provider.become("alice", groups=["/admins"])
    sign_in(browser)
    assert flags() == (True, True)
    assert browser.get("/admin/").status_code == 200
    assert browser.get("/review/", follow=True).status_code == 200
    User.objects.create_superuser("other@example.org", "open sesame")
    provider.become("alice", **claims)
    sign_in(Client())
    assert flags() == (False, False)
    assert browser.get("/admin/").status_code != 200
    assert browser.get("/review/", follow=True).status_code == 404


def test_staff_are_no_superusers(provider: IdentityProvider, sign_in: SignIn) -> None:
    provider.become("alice", groups=["/office"])
    sign_in()
    assert flags() == (True, False)


def test_without_a_mapping_groups_and_roles_are_left_alone(
    provider: IdentityProvider, sign_in: SignIn, settings: Settings
) -> None:
    settings.SSO_GROUPS = settings.SSO_ROLES = {}
    sign_in()
    user = User.objects.get()
    user.is_staff = True
    user.save()
    user.groups.add(Group.objects.get(name="Pupils"))
    provider.become("alice", groups=["/admins"])
    sign_in(Client())
    assert groups() == ["Pupils"]
    assert flags() == (True, False)


def test_each_change_is_in_the_audit_log(provider: IdentityProvider, sign_in: SignIn) -> None:
    provider.become("alice", groups=["/pupils", "/office"])
    sign_in()
    sign_in(Client())  # changes nothing
    provider.become("alice", groups=[])
    sign_in(Client())
    user = User.objects.get()
    logged = StaffAction.objects.filter(person=user.pk).order_by("pk")
    assert list(logged.values_list("actor", "reason", "detail")) == [
        (0, "single sign-on", "+ Pupils"),
        (0, "single sign-on", "+ staff"),
        (0, "single sign-on", "− Pupils"),
        (0, "single sign-on", "− staff"),
    ]


def test_a_suspended_member_keeps_their_groups(provider: IdentityProvider, sign_in: SignIn) -> None:
    sign_in()
    User.objects.update(is_active=False)
    provider.become("alice", groups=["/admins"])
    sign_in(Client())
    assert flags() == (False, False)


def test_a_group_that_does_not_exist_is_logged(
    provider: IdentityProvider,
    sign_in: SignIn,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.SSO_GROUPS = {"/pupils": ["Pupils"], "/ghosts": ["Ghosts"]}
    provider.become("alice", groups=["/ghosts", "/pupils"])
    sign_in()
    assert groups() == ["Pupils"]
    assert "groups that don't exist: Ghosts" in caplog.text
