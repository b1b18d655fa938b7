"""In the admin, only superusers change permissions."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from chat.accounts.models import User
from tests.review.conftest import give
from tests.support.review.admin_actions import USERS, again
from tests.support.review.member_pages import client_of


@pytest.fixture
def clerk(rita: User) -> User:
    """Give rita every permission without making her a superuser."""
    rita.user_permissions.set(Permission.objects.exclude(codename__endswith="review"))
    return User.objects.get(pk=rita.pk)


def page_of(client: Client, user: User) -> str:
    return str(client.get(f"{USERS}{user.pk}/change/").content.decode())


def test_staff_with_every_permission_cannot_make_themselves_superusers(
    clerk: User, pupils: Group
) -> None:
    client = client_of(clerk)
    page = page_of(client, clerk)
    for field in ("is_superuser", "is_staff", "is_active", "groups", "user_permissions"):
        assert f'name="{field}"' not in page
    sent = {
        "name": "Rita", "is_superuser": "on", "is_staff": "on", "groups": [pupils.pk],
        "user_permissions": [Permission.objects.get(codename="administer_review").pk],
    }  # fmt: skip
    assert client.post(f"{USERS}{clerk.pk}/change/", sent).status_code == 302
    after = again(clerk)
    assert after.name == "Rita"
    assert not after.is_superuser
    assert not after.groups.exists()
    assert not after.has_perm("chat.administer_review")


@pytest.mark.parametrize("path", ["auth/group/", "auth/group/add/", "chat/reviewscope/add/"])
def test_only_superusers_see_groups_and_scopes(
    clerk: User, superuser_client: Client, path: str
) -> None:
    assert client_of(clerk).get(f"/admin/{path}").status_code == 403
    assert superuser_client.get(f"/admin/{path}").status_code == 200


@pytest.mark.parametrize("change", ["change", "delete"])
def test_staff_cannot_change_a_superuser(clerk: User, superuser: User, change: str) -> None:
    sent = {"name": "Gone", "post": "yes"}
    assert client_of(clerk).post(f"{USERS}{superuser.pk}/{change}/", sent).status_code == 403
    assert again(superuser).name == ""


def test_only_administrators_delete_an_account(clerk: User, alice: User) -> None:
    assert client_of(clerk).post(f"{USERS}{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    give(clerk, "administer_review")
    assert client_of(clerk).post(f"{USERS}{alice.pk}/delete/", {"post": "yes"}).status_code == 302
    assert again(alice).closed_at


def test_addresses_and_passwords_cannot_be_changed(superuser_client: Client, alice: User) -> None:
    before = again(alice).password
    sent = {"email": "taken@example.org", "password": "md5$x", "is_active": "on", "name": "Alice"}
    assert superuser_client.post(f"{USERS}{alice.pk}/change/", sent).status_code == 302
    assert again(alice).email == "alice@example.org"
    assert again(alice).password == before


@pytest.mark.parametrize(
    "path", ["account/emailaddress/", "account/emailconfirmation/", "mfa/authenticator/"]
)
def test_allauths_tables_have_no_pages(superuser_client: Client, alice: User, path: str) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=True)
    assert superuser_client.get(f"/admin/{path}").status_code == 404


def test_there_is_no_bulk_deletion(superuser_client: Client, alice: User) -> None:
    for name in ("chat/user", "auth/group", "chat/widgetsite", "chat/limit", "chat/reviewscope"):
        assert "delete_selected" not in superuser_client.get(f"/admin/{name}/").content.decode()
    sent = {"action": "delete_selected", "_selected_action": alice.pk, "post": "yes"}
    superuser_client.post(USERS, sent)
    assert not again(alice).closed_at


def test_no_address_leads_from_any_type_of_object_to_its_page(clerk: User, pupils: Group) -> None:
    client = client_of(clerk)
    for kind in ContentType.objects.all():
        assert client.get(f"/admin/r/{kind.pk}/{pupils.pk}/").status_code == 404, kind


@pytest.mark.parametrize("field", ["is_superuser", "is_staff"])
def test_the_only_superuser_cannot_give_the_role_up(
    superuser_client: Client, superuser: User, field: str
) -> None:
    sent = {
        "name": "Root",
        "is_active": "on",
        "is_staff": "on",
        "is_superuser": "on",
        "reason": "A test of mine",
    }
    del sent[field]
    path = f"{USERS}{superuser.pk}/change/"
    answer = superuser_client.post(path, sent, follow=True)
    assert again(superuser).is_superuser
    is_refused = "The site needs at least one administrator." in answer.content.decode()
    assert is_refused == (field == "is_superuser")
    User.objects.create_superuser("other@example.org", "tide table")
    superuser_client.post(path, sent)
    assert again(superuser).is_superuser == (field != "is_superuser")
