"""Groups, permissions and limits: who sets them, and that an administrator always remains."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.test import Client

from chat.accounts.models import User
from chat.quotas.models import Limit
from chat.review.models import ReviewScope
from tests.review.conftest import give, recorded_actions
from tests.support.review.member_actions import Kind, kinds
from tests.support.review.member_pages import client_of, text_of


def test_a_members_groups_are_set(administrator_client: Client, alice: User, pupils: Group) -> None:
    choir = Group.objects.create(name="Choir")
    administrator_client.post(f"/review/people/{alice.pk}/account/", {"groups": [choir.pk]})
    assert list(alice.groups.all()) == [choir]
    details = list(recorded_actions().order_by("id").values_list("person", "detail"))
    assert details == [(alice.pk, "− Pupils"), (alice.pk, "+ Choir")]


def test_only_superusers_change_a_superuser(administrator_client: Client) -> None:
    superuser = User.objects.create_superuser("superuser@example.org", "tide table")
    for act in ("sessions", "password-reset", "second-factor"):
        assert administrator_client.post(f"/review/people/{superuser.pk}/{act}/").status_code == 400
    assert (
        administrator_client.post(f"/review/people/{superuser.pk}/account/", {}).status_code == 400
    )
    assert (
        administrator_client.post(
            f"/review/quotas/person/{superuser.pk}/", {"member-tokens": "1"}
        ).status_code
        == 400
    )
    assert kinds() == []


def staff_of(permission: str) -> Group:
    group = Group.objects.create(name=f"Staff: {permission}")
    group.permissions.add(Permission.objects.get(codename=permission))
    return group


def test_only_superusers_change_an_administrator(
    administrator_client: Client, administrator: User, alice: User
) -> None:
    staff = staff_of("administer_review")
    alice.groups.add(staff)
    path = f"/review/people/{alice.pk}/"
    assert administrator_client.post(f"{path}account/", {}).status_code == 400
    assert administrator_client.post(f"{path}sessions/").status_code == 400
    assert administrator_client.post(f"/review/groups/{staff.pk}/deletion/").status_code == 400
    out = {"out": str(alice.pk)}
    assert administrator_client.post(f"/review/groups/{staff.pk}/members/", out).status_code == 400
    assert kinds() == []
    words = "Only a superuser can change another administrator."
    shown = text_of(administrator_client, f"{path}account/")
    assert words in shown
    assert f"{path}sessions/" not in shown
    own = f"/review/people/{administrator.pk}/"
    assert words not in text_of(administrator_client, f"{own}account/")
    assert administrator_client.post(f"{own}account/", {}).status_code == 302  # their own they may
    superuser = User.objects.create_superuser("superuser@example.org", "tide table")
    assert client_of(superuser).post(f"{path}account/", {}).status_code == 302
    assert not alice.groups.exists()
    assert administrator_client.post(f"/review/groups/{staff.pk}/deletion/").status_code == 302


@pytest.mark.parametrize("number", ["9" * 20, "-1", "1" * 400, "x"])
def test_ids_of_no_row_are_refused_with_a_message(
    administrator_client: Client, alice: User, pupils: Group, number: str
) -> None:
    for path, field in (
        (f"/review/people/{alice.pk}/account/", "groups"),
        (f"/review/groups/{pupils.pk}/access/", "personas"),
    ):
        assert administrator_client.post(path, {field: [number]}).status_code == 422, path
    assert kinds() == []


def test_the_last_administrator_remains_one(alice: User, bob: User) -> None:
    staff = staff_of("administer_review")
    alice.groups.add(staff)
    alice_client = client_of(alice)
    path = f"/review/people/{alice.pk}/account/"
    assert alice_client.post(path, {}).status_code == 400
    assert alice_client.post(f"/review/groups/{staff.pk}/deletion/").status_code == 400
    out = {"out": str(alice.pk)}
    assert alice_client.post(f"/review/groups/{staff.pk}/members/", out).status_code == 400
    assert alice.groups.filter(pk=staff.pk).exists()
    assert kinds() == []  # what was taken back is not on record either
    bob.groups.add(staff)
    assert alice_client.post(path, {}).status_code == 302
    assert alice_client.get(path).status_code == 404


def test_an_unconfirmed_address_gets_into_no_group(
    administrator_client: Client, alice: User, pupils: Group
) -> None:
    """Anybody may have signed up with the address of a colleague."""
    alice.groups.clear()
    typed = EmailAddress.objects.create(user=alice, email=alice.email, primary=True)
    path = f"/review/groups/{pupils.pk}/members/"
    refused = administrator_client.post(path, {"email": alice.email})
    assert refused.status_code == 422
    assert "hasn&#x27;t confirmed it" in refused.content.decode()
    assert not alice.groups.exists()
    typed.verified = True
    typed.save()
    assert administrator_client.post(path, {"email": alice.email}).status_code == 302
    assert alice.groups.exists()


def test_groups_are_created_renamed_filled_and_deleted(
    administrator_client: Client, alice: User
) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True)
    path = administrator_client.post("/review/groups/", {"name": "Class 7"})["Location"]
    assert administrator_client.post("/review/groups/", {"name": "class 7"}).status_code == 422
    administrator_client.post(path, {"name": "CLASS 7"})
    administrator_client.post(path, {"name": "Class 8"})
    group = Group.objects.get(name="Class 8")
    assert (
        administrator_client.post(f"{path}members/", {"email": "ALICE@example.org"}).status_code
        == 302
    )
    assert "alice@example.org" in text_of(administrator_client, path)
    unknown = administrator_client.post(f"{path}members/", {"email": "nobody@example.org"})
    assert unknown.status_code == 422
    assert "nobody@example.org</textarea>" in unknown.content.decode()
    assert administrator_client.post(f"{path}members/", {"out": str(alice.pk)}).status_code == 302
    assert not group.user_set.exists()
    assert administrator_client.post(f"{path}deletion/").status_code == 302
    assert not Group.objects.filter(pk=group.pk).exists()
    assert kinds() == [Kind.GROUP_CHANGED] * 6


def test_the_reviewers_of_a_group_are_set(
    administrator_client: Client, rita: User, pupils: Group, alice: User
) -> None:
    from chat.review.staff import roles

    staff = staff_of("review")
    rita.groups.add(staff)
    path = f"/review/groups/{pupils.pk}/"
    for _ in range(2):
        administrator_client.post(f"{path}scopes/", {"team": staff.pk})
    scope = ReviewScope.objects.get()
    assert list(roles.require_reviewer(User.objects.get(pk=rita.pk)).people) == [alice]
    assert administrator_client.post(f"{path}scopes/", {"team": pupils.pk}).status_code == 422
    administrator_client.post(f"{path}scopes/", {"end": str(scope.pk)})
    assert not ReviewScope.objects.exists()
    assert kinds() == [Kind.SCOPE_CHANGED] * 2


def test_limits_are_the_same_rows_as_in_the_admin(
    administrator_client: Client, alice: User, pupils: Group
) -> None:
    path = f"/review/quotas/group/{pupils.pk}/"
    sent = {"group-dollars": "12.50", "member-tokens": "1000", "member-requests": ""}
    assert administrator_client.post(path, sent).status_code == 302
    rows = {(row.scope, row.measure): row.amount for row in Limit.objects.filter(group=pupils)}
    assert rows == {("group", "dollars"): 12.5, ("member", "tokens"): 1000}
    shown = text_of(administrator_client, path)
    assert 'value="12.5"' in shown
    assert "Tokens today" in text_of(administrator_client, f"/review/quotas/person/{alice.pk}/")
    Limit.objects.filter(measure="dollars").update(amount=3)  # in the admin, say
    assert 'value="3"' in text_of(administrator_client, path)
    administrator_client.post(path, {"group-dollars": "3"})
    assert Limit.objects.filter(group=pupils).count() == 1
    assert kinds() == [Kind.QUOTA_CHANGED] * 3


@pytest.mark.parametrize(
    "amount", ["-1", "x", "NaN", "1e99", "Infinity", "1,000", "1.000", "0.001"]
)
def test_an_invalid_amount_is_refused_and_kept_in_its_field(
    administrator_client: Client, alice: User, amount: str
) -> None:
    path = f"/review/quotas/person/{alice.pk}/"
    refused = administrator_client.post(path, {"member-tokens": amount})
    assert refused.status_code == 422
    assert f'value="{amount}"' in refused.content.decode()
    assert not Limit.objects.exists()


@pytest.mark.parametrize(
    "place", ["group/99999", "person/99999", "website/none", "all/else", "person/x", "what/1"]
)
def test_limits_of_an_unknown_subject_answer_404(administrator_client: Client, place: str) -> None:
    assert administrator_client.get(f"/review/quotas/{place}/").status_code == 404


def test_other_staff_have_no_access_to_administration(lead: User, reviewer: User) -> None:
    give(lead, "review")
    for who in (lead, reviewer):
        client = client_of(who)
        for path in ("people/", "people.csv", "groups/", "invitations/", "quotas/all/site/"):
            assert client.get(f"/review/{path}").status_code == 404
        assert "/review/people/" not in client.get("/settings/").content.decode()
