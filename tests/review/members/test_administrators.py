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


def test_a_members_groups_are_set(admin_browser: Client, alice: User, pupils: Group) -> None:
    choir = Group.objects.create(name="Choir")
    admin_browser.post(f"/review/people/{alice.pk}/account/", {"groups": [choir.pk]})
    assert list(alice.groups.all()) == [choir]
    details = list(recorded_actions().order_by("id").values_list("person", "detail"))
    assert details == [(alice.pk, "− Pupils"), (alice.pk, "+ Choir")]


def test_only_superusers_change_a_superuser(admin_browser: Client) -> None:
    superuser = User.objects.create_superuser("superuser@example.org", "tide table")
    for act in ("sessions", "password-reset", "second-factor"):
        assert admin_browser.post(f"/review/people/{superuser.pk}/{act}/").status_code == 400
    assert admin_browser.post(f"/review/people/{superuser.pk}/account/", {}).status_code == 400
    assert (
        admin_browser.post(
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
    admin_browser: Client, administrator: User, alice: User
) -> None:
    staff = staff_of("administer_review")
    alice.groups.add(staff)
    path = f"/review/people/{alice.pk}/"
    assert admin_browser.post(f"{path}account/", {}).status_code == 400
    assert admin_browser.post(f"{path}sessions/").status_code == 400
    assert admin_browser.post(f"/review/groups/{staff.pk}/deletion/").status_code == 400
    out = {"out": str(alice.pk)}
    assert admin_browser.post(f"/review/groups/{staff.pk}/members/", out).status_code == 400
    assert kinds() == []
    words = "Only a superuser can change another administrator."
    shown = text_of(admin_browser, f"{path}account/")
    assert words in shown
    assert f"{path}sessions/" not in shown
    own = f"/review/people/{administrator.pk}/"
    assert words not in text_of(admin_browser, f"{own}account/")
    assert admin_browser.post(f"{own}account/", {}).status_code == 302  # their own they may
    superuser = User.objects.create_superuser("superuser@example.org", "tide table")
    assert client_of(superuser).post(f"{path}account/", {}).status_code == 302
    assert not alice.groups.exists()
    assert admin_browser.post(f"/review/groups/{staff.pk}/deletion/").status_code == 302


@pytest.mark.parametrize("number", ["9" * 20, "-1", "1" * 400, "x"])
def test_ids_of_no_row_are_refused_with_a_message(
    admin_browser: Client, alice: User, pupils: Group, number: str
) -> None:
    for path, field in (
        (f"/review/people/{alice.pk}/account/", "groups"),
        (f"/review/groups/{pupils.pk}/access/", "personas"),
    ):
        assert admin_browser.post(path, {field: [number]}).status_code == 422, path
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
    admin_browser: Client, alice: User, pupils: Group
) -> None:
    """Anybody may have signed up with the address of a colleague."""
    alice.groups.clear()
    typed = EmailAddress.objects.create(user=alice, email=alice.email, primary=True)
    path = f"/review/groups/{pupils.pk}/members/"
    refused = admin_browser.post(path, {"email": alice.email})
    assert refused.status_code == 422
    assert "hasn&#x27;t confirmed it" in refused.content.decode()
    assert not alice.groups.exists()
    typed.verified = True
    typed.save()
    assert admin_browser.post(path, {"email": alice.email}).status_code == 302
    assert alice.groups.exists()


def test_groups_are_created_renamed_filled_and_deleted(admin_browser: Client, alice: User) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True)
    path = admin_browser.post("/review/groups/", {"name": "Class 7"})["Location"]
    assert admin_browser.post("/review/groups/", {"name": "class 7"}).status_code == 422
    admin_browser.post(path, {"name": "CLASS 7"})
    admin_browser.post(path, {"name": "Class 8"})
    group = Group.objects.get(name="Class 8")
    assert admin_browser.post(f"{path}members/", {"email": "ALICE@example.org"}).status_code == 302
    assert "alice@example.org" in text_of(admin_browser, path)
    unknown = admin_browser.post(f"{path}members/", {"email": "nobody@example.org"})
    assert unknown.status_code == 422
    assert "nobody@example.org</textarea>" in unknown.content.decode()
    assert admin_browser.post(f"{path}members/", {"out": str(alice.pk)}).status_code == 302
    assert not group.user_set.exists()
    assert admin_browser.post(f"{path}deletion/").status_code == 302
    assert not Group.objects.filter(pk=group.pk).exists()
    assert kinds() == [Kind.GROUP_CHANGED] * 6


def test_the_reviewers_of_a_group_are_set(
    admin_browser: Client, rita: User, pupils: Group, alice: User
) -> None:
    from chat.review.staff import roles

    staff = staff_of("review")
    rita.groups.add(staff)
    path = f"/review/groups/{pupils.pk}/"
    for _ in range(2):
        admin_browser.post(f"{path}scopes/", {"team": staff.pk})
    scope = ReviewScope.objects.get()
    assert list(roles.require_reviewer(User.objects.get(pk=rita.pk)).people) == [alice]
    assert admin_browser.post(f"{path}scopes/", {"team": pupils.pk}).status_code == 422
    admin_browser.post(f"{path}scopes/", {"end": str(scope.pk)})
    assert not ReviewScope.objects.exists()
    assert kinds() == [Kind.SCOPE_CHANGED] * 2


def test_limits_are_the_same_rows_as_in_the_admin(
    admin_browser: Client, alice: User, pupils: Group
) -> None:
    path = f"/review/quotas/group/{pupils.pk}/"
    sent = {"group-dollars": "12.50", "member-tokens": "1000", "member-requests": ""}
    assert admin_browser.post(path, sent).status_code == 302
    rows = {(row.scope, row.measure): row.amount for row in Limit.objects.filter(group=pupils)}
    assert rows == {("group", "dollars"): 12.5, ("member", "tokens"): 1000}
    shown = text_of(admin_browser, path)
    assert 'value="12.5"' in shown
    assert "Tokens today" in text_of(admin_browser, f"/review/quotas/person/{alice.pk}/")
    Limit.objects.filter(measure="dollars").update(amount=3)  # in the admin, say
    assert 'value="3"' in text_of(admin_browser, path)
    admin_browser.post(path, {"group-dollars": "3"})
    assert Limit.objects.filter(group=pupils).count() == 1
    assert kinds() == [Kind.QUOTA_CHANGED] * 3


@pytest.mark.parametrize(
    "amount", ["-1", "x", "NaN", "1e99", "Infinity", "1,000", "1.000", "0.001"]
)
def test_an_invalid_amount_is_refused_and_kept_in_its_field(
    admin_browser: Client, alice: User, amount: str
) -> None:
    path = f"/review/quotas/person/{alice.pk}/"
    refused = admin_browser.post(path, {"member-tokens": amount})
    assert refused.status_code == 422
    assert f'value="{amount}"' in refused.content.decode()
    assert not Limit.objects.exists()


@pytest.mark.parametrize(
    "place", ["group/99999", "person/99999", "website/none", "all/else", "person/x", "what/1"]
)
def test_limits_of_an_unknown_subject_answer_404(admin_browser: Client, place: str) -> None:
    assert admin_browser.get(f"/review/quotas/{place}/").status_code == 404


def test_other_staff_have_no_access_to_administration(lead: User, reviewer: User) -> None:
    give(lead, "review")
    for who in (lead, reviewer):
        client = client_of(who)
        for path in ("people/", "people.csv", "groups/", "invitations/", "quotas/all/site/"):
            assert client.get(f"/review/{path}").status_code == 404
        assert "/review/people/" not in client.get("/settings/").content.decode()
