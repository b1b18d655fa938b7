"""Every change in the admin has a reason and is logged."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.generations.deletion import purge
from chat.quotas.models import Limit
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case
from chat.review.cases import flags, holds, workflow
from chat.review.models import ReviewScope
from chat.review.moderation import content
from chat.sharing import links
from chat.sharing.models import SharedLink
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import say, staff_context_of
from tests.support.review.admin_actions import USERS, Kind, again
from tests.support.review.member_pages import WHY, client_of
from tests.support.web.signed_in import signed_in


def done_by(user: User) -> list[tuple[str, int | None, str, str]]:
    rows = StaffAction.objects.filter(actor=user.pk).order_by("id")
    return list(rows.values_list("kind", "person", "detail", "reason"))


@pytest.mark.parametrize("reason", ["", "why not"])
def test_a_change_without_a_reason_is_refused(
    superuser: User, alice: User, pupils: Group, reason: str
) -> None:
    client, shop = signed_in(superuser), WidgetSite.objects.create(owner=alice, name="Shop")
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
    assert done_by(superuser) == []


def test_permission_changes_are_logged(
    superuser: User, superuser_client: Client, alice: User, pupils: Group
) -> None:
    review = Permission.objects.get(codename="review")
    sent = {"name": "Alice", "is_active": "on", "is_staff": "on", "user_permissions": [review.pk]}
    assert superuser_client.post(f"{USERS}{alice.pk}/change/", sent).status_code == 302
    assert {each[2] for each in done_by(superuser)} == {"+ staff", "− Pupils", "+ chat.review"}
    assert {(each[1], each[3]) for each in done_by(superuser)} == {(alice.pk, WHY)}


def test_groups_and_scopes_are_logged(
    superuser: User, superuser_client: Client, alice: User, pupils: Group
) -> None:
    review = Permission.objects.get(codename="review")
    superuser_client.post("/admin/auth/group/add/", {"name": "Choir", "permissions": [review.pk]})
    choir = Group.objects.get(name="Choir")
    superuser_client.post("/admin/chat/reviewscope/add/", {"reviewer": alice.pk})
    superuser_client.post(
        f"/admin/chat/reviewscope/{ReviewScope.objects.get().pk}/delete/", {"post": "yes"}
    )
    superuser_client.post(f"/admin/auth/group/{choir.pk}/delete/", {"post": "yes"})
    assert [(each[0], each[2]) for each in done_by(superuser)] == [
        (Kind.GROUP_CHANGED, "+ Choir"),
        (Kind.RIGHTS_CHANGED, "Choir: + chat.review"),
        (Kind.SCOPE_CHANGED, f"#{alice.pk} ▸ *"),
        (Kind.SCOPE_CHANGED, f"#{alice.pk} ▹ *"),
        (Kind.GROUP_CHANGED, "− Choir (0)"),
    ]


def test_deactivating_an_account_suspends_it(
    superuser: User, superuser_client: Client, alice: User
) -> None:
    hers = client_of(alice)
    path = f"{USERS}{alice.pk}/change/"
    assert superuser_client.post(path, {"name": "Alice"}).status_code == 302
    off = again(alice)
    assert not off.is_active
    assert off.suspended_at
    assert hers.get("/chat/").status_code == 302
    assert superuser_client.post(path, {"name": "Alice", "is_active": "on"}).status_code == 302
    assert again(alice).is_active
    assert again(alice).suspended_at is None
    assert done_by(superuser) == [
        (Kind.SUSPENDED, alice.pk, "→ ∞", WHY), (Kind.RESTORED, alice.pk, "", WHY),
    ]  # fmt: skip


def test_a_new_account_is_logged_and_has_no_password(
    superuser: User, superuser_client: Client
) -> None:
    sent = {"email": "New@Example.org", "name": "Nia", "is_superuser": "on"}
    assert superuser_client.post(f"{USERS}add/", sent).status_code == 302
    nia = User.objects.get(email="new@example.org")
    assert not nia.has_usable_password()
    assert not nia.is_superuser
    assert done_by(superuser) == [(Kind.ACCOUNT_MADE, nia.pk, "", WHY)]


@pytest.mark.parametrize("how", ["held", "case"])
def test_an_account_on_legal_hold_is_not_deleted(
    superuser: User, superuser_client: Client, alice: User, how: str
) -> None:
    chat = say(alice, "Rivers")
    if how == "held":
        content.hold(staff_context_of(superuser), chat.pk)
    else:
        flags.flag(staff_context_of(superuser), chat.pk, "It was agreed so")
        workflow.claim(staff_context_of(superuser), Case.objects.get().pk)
    shown = superuser_client.get(f"{USERS}{alice.pk}/delete/").content.decode()
    assert "This account has chats on legal hold or in open cases." in shown
    superuser_client.post(f"{USERS}{alice.pk}/delete/", {"post": "yes"})
    assert not again(alice).closed_at
    assert Conversation.objects.filter(pk=chat.pk).exists()


def test_deleting_an_account_works_as_by_its_owner_who_is_told(
    superuser: User, superuser_client: Client, alice: User
) -> None:
    say(alice, "Rivers")
    shown = superuser_client.get(f"{USERS}{alice.pk}/delete/").content.decode()
    assert "Rivers" not in shown
    assert superuser_client.post(f"{USERS}{alice.pk}/delete/", {"post": "yes"}).status_code == 302
    assert done_by(superuser) == [(Kind.ACCOUNT_DELETED, alice.pk, "", WHY)]
    assert [each.to for each in mail.outbox] == [["alice@example.org"]]
    for _ in purge.steps():
        pass
    assert not User.all_objects.filter(pk=alice.pk).exists()


def test_suspending_and_deleting_a_website_is_logged(
    superuser: User, superuser_client: Client, alice: User
) -> None:
    shop = WidgetSite.objects.create(owner=alice, name="Shop")
    listed, path = "/admin/chat/widgetsite/", f"/admin/chat/widgetsite/{shop.pk}/"
    superuser_client.post(listed, {"action": "suspend", "_selected_action": shop.pk})
    superuser_client.post(f"{path}change/", {})
    superuser_client.post(f"{path}change/", {"is_suspended": "on"})
    superuser_client.post(listed, {"action": "resume", "_selected_action": shop.pk})
    superuser_client.post(f"{path}delete/", {"post": "yes"})
    rows = StaffAction.objects.filter(actor=superuser.pk).order_by("id")
    assert list(rows.values_list("kind", "site", "person", "reason")) == [
        (kind, shop.pk, alice.pk, WHY)
        for kind in (
            Kind.SUSPENDED, Kind.RESTORED, Kind.SUSPENDED, Kind.RESTORED, Kind.SITE_DELETED,
        )
    ]  # fmt: skip


def test_held_chats_outlive_their_website(
    superuser: User, superuser_client: Client, alice: User, bob: User
) -> None:
    from chat.widget_sites.models import Visitor

    shop = WidgetSite.objects.create(owner=alice, name="Shop")
    guest = User.all_objects.create(email="1@visitor.invalid", is_visitor=True)
    Visitor.objects.create(site=shop, user=guest)
    chat = say(guest, "Rivers")
    holds.hold(chat.pk)
    superuser_client.post(f"/admin/chat/widgetsite/{shop.pk}/delete/", {"post": "yes"})
    for _ in purge.steps():
        pass
    assert Conversation.all_objects.get(pk=chat.pk).held_at
    assert WidgetSite.all_objects.filter(pk=shop.pk).exists()


def test_limits_are_logged(superuser: User, superuser_client: Client, alice: User) -> None:
    sent = {"scope": "member", "measure": "requests", "user": alice.pk}
    superuser_client.post("/admin/chat/limit/add/", sent | {"amount": "5"})
    path = f"/admin/chat/limit/{Limit.objects.get().pk}/"
    superuser_client.post(f"{path}change/", sent | {"amount": "7"})
    superuser_client.post(f"{path}delete/", {"post": "yes"})
    assert done_by(superuser) == [
        (Kind.QUOTA_CHANGED, alice.pk, f"{detail}", WHY)
        for detail in ("member requests 5", "member requests 7", "− member requests 7")
    ]


def test_revoking_a_link_is_logged(superuser: User, superuser_client: Client, alice: User) -> None:
    chat = say(alice, "Rivers", "In the hills.")
    link = links.make(chat, links.Choices())
    superuser_client.post(f"/admin/chat/sharedlink/{link.pk}/delete/", {"post": "yes"})
    assert not SharedLink.objects.exists()
    assert done_by(superuser) == [(Kind.LINK_REVOKED, alice.pk, f"link {link.pk}", WHY)]
