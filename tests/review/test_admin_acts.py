"""In the admin rights are changed by superusers alone; whatever is changed has a reason and a row."""

import sys
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.core.management import call_command
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.deletion import purge
from chat.quotas.models import Limit
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case
from chat.review.cases import case_holds, flags, workflow
from chat.review.models import ReviewScope
from chat.review.moderation import content
from chat.sharing import shared_links
from chat.sharing.models import SharedLink
from chat.widget_sites import suspension
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import WHY, Reasoned, give, look_of, say
from tests.support.people import client_of

USERS = "/admin/chat/user/"
Kind = StaffAction.Kind


@pytest.fixture
def chief(transactional_db: None) -> User:
    return User.objects.create_superuser("chief@example.org", "tide table")


@pytest.fixture
def chiefs(chief: User) -> Client:
    return reasoned(chief)


@pytest.fixture
def clerk(rita: User) -> User:
    """rita, with every permission there is; but she is no superuser."""
    rita.user_permissions.set(Permission.objects.exclude(codename__endswith="review"))
    return User.objects.get(pk=rita.pk)


def reasoned(user: User) -> Client:
    client = Reasoned()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def plain(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def again(user: User) -> User:
    return User.objects.get(pk=user.pk)


def done_by(user: User) -> list[tuple[str, int | None, str, str]]:
    rows = StaffAction.objects.filter(actor=user.pk).order_by("id")
    return list(rows.values_list("kind", "person", "detail", "reason"))


def page_of(client: Client, user: User) -> str:
    return str(client.get(f"{USERS}{user.pk}/change/").content.decode())


# --- Who may --------------------------------------------------------------------------------------


def test_staff_with_every_permission_do_not_make_themselves_superuser(
    clerk: User, pupils: Group
) -> None:
    client = reasoned(clerk)
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
def test_groups_and_scopes_are_for_superusers(clerk: User, chiefs: Client, path: str) -> None:
    assert reasoned(clerk).get(f"/admin/{path}").status_code == 403
    assert chiefs.get(f"/admin/{path}").status_code == 200


@pytest.mark.parametrize("change", ["change", "delete"])
def test_staff_without_all_rights_change_no_superuser(
    clerk: User, chief: User, change: str
) -> None:
    sent = {"name": "Gone", "post": "yes"}
    assert reasoned(clerk).post(f"{USERS}{chief.pk}/{change}/", sent).status_code == 403
    assert again(chief).name == ""


def test_only_administrators_delete_an_account(clerk: User, alice: User) -> None:
    assert reasoned(clerk).post(f"{USERS}{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    give(clerk, "administer_review")
    assert reasoned(clerk).post(f"{USERS}{alice.pk}/delete/", {"post": "yes"}).status_code == 302
    assert again(alice).closed_at


def test_nobody_changes_an_address_or_a_password_there(chiefs: Client, alice: User) -> None:
    before = again(alice).password
    sent = {"email": "taken@example.org", "password": "md5$x", "is_active": "on", "name": "Alice"}
    assert chiefs.post(f"{USERS}{alice.pk}/change/", sent).status_code == 302
    assert again(alice).email == "alice@example.org"
    assert again(alice).password == before


@pytest.mark.parametrize(
    "path", ["account/emailaddress/", "account/emailconfirmation/", "mfa/authenticator/"]
)
def test_tables_of_allauth_have_no_pages(chiefs: Client, alice: User, path: str) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=True)
    assert chiefs.get(f"/admin/{path}").status_code == 404


# --- Reasons --------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["", "why not"])
def test_nothing_is_changed_without_a_reason_of_a_few_words(
    chief: User, alice: User, pupils: Group, reason: str
) -> None:
    client, shop = plain(chief), WidgetSite.objects.create(owner=alice, name="Shop")
    paths = [
        (f"{USERS}{alice.pk}/change/", {"is_superuser": "on", "name": "Alice"}),
        (f"{USERS}{alice.pk}/delete/", {"post": "yes"}),
        (f"{USERS}add/", {"email": "new@example.org"}),
        (f"/admin/auth/group/{pupils.pk}/delete/", {"post": "yes"}),
        ("/admin/chat/reviewscope/add/", {"reviewer": alice.pk}),
        ("/admin/chat/limit/add/", {"scope": "member", "measure": "requests", "amount": "0"}),
        ("/admin/chat/widgetsite/", {"action": "suspend", "_selected_action": shop.pk}),
        (f"/admin/chat/widgetsite/{shop.pk}/delete/", {"post": "yes"}),
    ]
    for path, sent in paths:
        response = client.post(path, sent | {"reason": reason}, follow=True)
        content = "This field is required" if not reason else "at least three words"
        shown = response.content.decode()
        assert content in shown or "at least three words" in shown, path
    assert not again(alice).is_superuser
    assert not again(alice).closed_at
    assert User.objects.count() == 2
    assert Group.objects.filter(pk=pupils.pk).exists()
    assert not ReviewScope.objects.exists()
    assert not Limit.objects.exists()
    assert not WidgetSite.objects.get().is_suspended
    assert done_by(chief) == []


def test_many_at_once_are_not_deleted(chiefs: Client, alice: User) -> None:
    for name in ("chat/user", "auth/group", "chat/widgetsite", "chat/limit", "chat/reviewscope"):
        assert "delete_selected" not in chiefs.get(f"/admin/{name}/").content.decode()
    sent = {"action": "delete_selected", "_selected_action": alice.pk, "post": "yes"}
    chiefs.post(USERS, sent)
    assert not again(alice).closed_at


# --- Rows -----------------------------------------------------------------------------------------


def test_rights_that_are_changed_are_on_record(
    chief: User, chiefs: Client, alice: User, pupils: Group
) -> None:
    review = Permission.objects.get(codename="review")
    sent = {"name": "Alice", "is_active": "on", "is_staff": "on", "user_permissions": [review.pk]}
    assert chiefs.post(f"{USERS}{alice.pk}/change/", sent).status_code == 302
    assert {each[2] for each in done_by(chief)} == {"+ staff", "− Pupils", "+ chat.review"}
    assert {(each[1], each[3]) for each in done_by(chief)} == {(alice.pk, WHY)}


def test_groups_and_scopes_are_on_record(
    chief: User, chiefs: Client, alice: User, pupils: Group
) -> None:
    review = Permission.objects.get(codename="review")
    chiefs.post("/admin/auth/group/add/", {"name": "Choir", "permissions": [review.pk]})
    choir = Group.objects.get(name="Choir")
    chiefs.post("/admin/chat/reviewscope/add/", {"reviewer": alice.pk})
    chiefs.post(f"/admin/chat/reviewscope/{ReviewScope.objects.get().pk}/delete/", {"post": "yes"})
    chiefs.post(f"/admin/auth/group/{choir.pk}/delete/", {"post": "yes"})
    assert [(each[0], each[2]) for each in done_by(chief)] == [
        (Kind.GROUP_CHANGED, "+ Choir"),
        (Kind.RIGHTS_CHANGED, "Choir: + chat.review"),
        (Kind.SCOPE_CHANGED, f"#{alice.pk} ▸ *"),
        (Kind.SCOPE_CHANGED, f"#{alice.pk} ▹ *"),
        (Kind.GROUP_CHANGED, "− Choir (0)"),
    ]


def test_an_account_that_is_switched_off_there_is_suspended(
    chief: User, chiefs: Client, alice: User
) -> None:
    hers = client_of(alice)
    path = f"{USERS}{alice.pk}/change/"
    assert chiefs.post(path, {"name": "Alice"}).status_code == 302
    off = again(alice)
    assert not off.is_active
    assert off.suspended_at
    assert hers.get("/chat/").status_code == 302
    assert chiefs.post(path, {"name": "Alice", "is_active": "on"}).status_code == 302
    assert again(alice).is_active
    assert again(alice).suspended_at is None
    assert done_by(chief) == [
        (Kind.SUSPENDED, alice.pk, "→ ∞", WHY), (Kind.RESTORED, alice.pk, "", WHY),
    ]  # fmt: skip


def test_an_account_that_is_made_there_is_on_record_and_has_no_password(
    chief: User, chiefs: Client
) -> None:
    sent = {"email": "New@Example.org", "name": "Nia", "is_superuser": "on"}
    assert chiefs.post(f"{USERS}add/", sent).status_code == 302
    nia = User.objects.get(email="new@example.org")
    assert not nia.has_usable_password()
    assert not nia.is_superuser
    assert done_by(chief) == [(Kind.ACCOUNT_MADE, nia.pk, "", WHY)]


@pytest.mark.parametrize("how", ["held", "case"])
def test_an_account_with_evidence_is_not_deleted_there(
    chief: User, chiefs: Client, alice: User, how: str
) -> None:
    chat = say(alice, "Rivers")
    if how == "held":
        content.hold(look_of(chief), chat.pk)
    else:
        flags.flag(look_of(chief), chat.pk, "It was agreed so")
        workflow.claim(look_of(chief), Case.objects.get().pk)
    shown = chiefs.get(f"{USERS}{alice.pk}/delete/").content.decode()
    assert "This account has chats on legal hold or in open cases." in shown
    chiefs.post(f"{USERS}{alice.pk}/delete/", {"post": "yes"})
    assert not again(alice).closed_at
    assert Conversation.objects.filter(pk=chat.pk).exists()


def test_an_account_that_is_deleted_there_goes_as_by_its_owner_and_hears_of_it(
    chief: User, chiefs: Client, alice: User
) -> None:
    say(alice, "Rivers")
    shown = chiefs.get(f"{USERS}{alice.pk}/delete/").content.decode()
    assert "Rivers" not in shown
    assert chiefs.post(f"{USERS}{alice.pk}/delete/", {"post": "yes"}).status_code == 302
    assert done_by(chief) == [(Kind.ACCOUNT_DELETED, alice.pk, "", WHY)]
    assert [each.to for each in mail.outbox] == [["alice@example.org"]]
    for _ in purge.steps():
        pass
    assert not User.all_objects.filter(pk=alice.pk).exists()


def test_websites_are_suspended_and_taken_down_on_record(
    chief: User, chiefs: Client, alice: User
) -> None:
    shop = WidgetSite.objects.create(owner=alice, name="Shop")
    listed, path = "/admin/chat/widgetsite/", f"/admin/chat/widgetsite/{shop.pk}/"
    chiefs.post(listed, {"action": "suspend", "_selected_action": shop.pk})
    chiefs.post(f"{path}change/", {})
    chiefs.post(f"{path}change/", {"is_suspended": "on"})
    chiefs.post(listed, {"action": "resume", "_selected_action": shop.pk})
    chiefs.post(f"{path}delete/", {"post": "yes"})
    rows = StaffAction.objects.filter(actor=chief.pk).order_by("id")
    assert list(rows.values_list("kind", "site", "person", "reason")) == [
        (kind, shop.pk, alice.pk, WHY)
        for kind in (
            Kind.SUSPENDED, Kind.RESTORED, Kind.SUSPENDED, Kind.RESTORED, Kind.SITE_DELETED,
        )
    ]  # fmt: skip


def test_what_is_held_stays_when_its_website_is_taken_down(
    chief: User, chiefs: Client, alice: User, bob: User
) -> None:
    from chat.widget_sites.models import Visitor

    shop = WidgetSite.objects.create(owner=alice, name="Shop")
    guest = User.all_objects.create(email="1@visitor.invalid", is_visitor=True)
    Visitor.objects.create(site=shop, user=guest)
    chat = say(guest, "Rivers")
    case_holds.hold(chat.pk)
    chiefs.post(f"/admin/chat/widgetsite/{shop.pk}/delete/", {"post": "yes"})
    for _ in purge.steps():
        pass
    assert Conversation.all_objects.get(pk=chat.pk).held_at
    assert WidgetSite.all_objects.filter(pk=shop.pk).exists()


def test_limits_are_on_record(chief: User, chiefs: Client, alice: User) -> None:
    sent = {"scope": "member", "measure": "requests", "user": alice.pk}
    chiefs.post("/admin/chat/limit/add/", sent | {"amount": "5"})
    path = f"/admin/chat/limit/{Limit.objects.get().pk}/"
    chiefs.post(f"{path}change/", sent | {"amount": "7"})
    chiefs.post(f"{path}delete/", {"post": "yes"})
    assert done_by(chief) == [
        (Kind.QUOTA_CHANGED, alice.pk, f"{detail}", WHY)
        for detail in ("member requests 5", "member requests 7", "− member requests 7")
    ]


def test_a_link_that_is_revoked_there_is_on_record(
    chief: User, chiefs: Client, alice: User
) -> None:
    chat = say(alice, "Rivers", "In the hills.")
    link = shared_links.make(chat, shared_links.Choices())
    chiefs.post(f"/admin/chat/sharedlink/{link.pk}/delete/", {"post": "yes"})
    assert not SharedLink.objects.exists()
    assert done_by(chief) == [(Kind.LINK_REVOKED, alice.pk, f"link {link.pk}", WHY)]


# --- Commands and the clock -----------------------------------------------------------------------


def server_rows() -> list[tuple[str, int | None, int | None, str, str]]:
    rows = StaffAction.objects.filter(actor=0).order_by("id")
    return list(rows.values_list("kind", "person", "site", "detail", "reason"))


def test_a_command_that_sets_a_password_is_on_record_and_told(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["manage.py", "changepassword", alice.email])
    answers = "tide table 9"
    monkeypatch.setattr("getpass.getpass", lambda *_a, **_o: answers)
    call_command("changepassword", alice.email, stdout=StringIO())
    assert again(alice).check_password(answers)
    assert server_rows() == [
        (Kind.RESET, alice.pk, None, "password", "manage.py changepassword"),
    ]  # fmt: skip
    (told,) = mail.outbox
    assert told.to == ["alice@example.org"]
    assert "set a new password for your account" in told.body


def test_a_shell_that_changes_an_account_is_on_record_and_told(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["manage.py", "shell"])
    alice.email, alice.is_active = "new@example.org", False
    alice.save()
    reason = "manage.py shell"
    assert server_rows() == [
        (Kind.SUSPENDED, alice.pk, None, "→ ∞", reason),
        (Kind.ADDRESS_CHANGED, alice.pk, None, "", reason),
    ]
    assert [each.to for each in mail.outbox] == [["alice@example.org"]]


@pytest.mark.parametrize("argv", [["daphne"], ["manage.py", "runserver"], ["pytest"]])
def test_what_members_change_themselves_is_no_act_of_the_staff(
    alice: User, monkeypatch: pytest.MonkeyPatch, argv: list[str]
) -> None:
    monkeypatch.setattr(sys, "argv", argv)
    alice.set_password("tide table 9")
    alice.save()
    assert server_rows() == []
    assert mail.outbox == []


def test_a_website_is_suspended_nowhere_past_the_record(alice: User) -> None:
    shop = WidgetSite.objects.create(owner=alice, name="Shop")
    for found in (WidgetSite.objects.all(), WidgetSite.all_objects.all()):
        with pytest.raises(TypeError, match="one at a time"):
            found.update(is_suspended=True)
    shop.is_suspended = True
    with pytest.raises(TypeError, match="one at a time"):
        WidgetSite.objects.bulk_update([shop], ["is_suspended"])
    shop.save()
    assert server_rows() == [(Kind.SUSPENDED, alice.pk, shop.pk, "→ ∞", "")]


def test_a_suspension_that_is_over_is_on_record(alice: User) -> None:
    from django.utils import timezone

    from chat.accounts import account_suspension as accounts

    shop = WidgetSite.objects.create(owner=alice, name="Shop")
    suspension.suspend(shop, timezone.now())
    accounts.suspend(alice, timezone.now())
    assert suspension.let_in_due() == 1
    assert accounts.let_in_due() == 1
    assert again(alice).is_active
    found = [(kind, person, site) for kind, person, site, *_ in server_rows()]
    assert found[1:] == [(Kind.RESTORED, alice.pk, shop.pk), (Kind.RESTORED, alice.pk, None)]


def test_leaving_is_no_suspension(alice: User) -> None:
    from chat.generations.deletion.soft_delete import delete_account

    delete_account(alice)
    assert again(alice).closed_at
    assert server_rows() == []
