"""Account changes by staff are logged and mailed to the previous address; held data is kept."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.db.models import ProtectedError
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.ratings import Opinion
from chat.generations.deletion import purge
from chat.generations.deletion.soft_delete import delete as delete_chat
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case
from chat.review.cases import flags, workflow
from chat.review.cases.holds import LegalHold
from chat.review.moderation import content
from chat.widget_sites.models import WidgetSite
from tests.review.conftest import recorded_actions, say, staff_context_of
from tests.support.review.member_pages import WHY, client_of, text_of

Kind = StaffAction.Kind


def address_of(user: User) -> str:
    return User.objects.get(pk=user.pk).email


def act(client: Client, user: User, name: str, **sent: Any) -> Any:
    return client.post(f"/review/people/{user.pk}/{name}/", sent)


def sweep() -> None:
    for _ in purge.steps():
        pass


# --- Addresses and passwords ----------------------------------------------------------------------


def test_a_change_of_address_is_logged_and_mailed_to_the_old_address(
    admin_browser: Client, administrator: User, alice: User
) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True, verified=True)
    assert act(admin_browser, alice, "email-address", email="New@Example.org").status_code == 302
    assert address_of(alice) == "new@example.org"
    row = EmailAddress.objects.get()
    assert (row.email, row.primary, row.verified) == ("new@example.org", True, False)
    action = recorded_actions().get()
    assert (action.kind, action.actor, action.person) == (
        Kind.ADDRESS_CHANGED, administrator.pk, alice.pk,
    )  # fmt: skip
    assert (action.reason, action.detail) == (WHY, "")
    (told,) = mail.outbox
    assert told.to == ["alice@example.org"]
    assert "changed your account's email address" in told.body
    assert "/settings/access-history/" in told.body
    assert "new@example.org" not in told.body
    shown = text_of(client_of(User.objects.get(pk=alice.pk)), "/settings/access-history/")
    assert "changed your account's email address" in unescape(shown)
    assert "Adam" in shown
    assert WHY not in shown


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("password-reset", "requested a password reset for your account"),
        ("second-factor", "removed the second factor from your account"),
        ("sessions", "signed you out on all devices"),
    ],
)
def test_every_change_that_gives_access_to_an_account_is_mailed_to_its_owner(
    admin_browser: Client, alice: User, settings: Any, name: str, said: str, told: bool
) -> None:
    settings.SHOW_ACCESS_HISTORY = told  # that is about chats
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert act(admin_browser, alice, name).status_code == 302
    assert recorded_actions().get().reason == WHY
    notices = [each for each in mail.outbox if "/settings/access-history/" in each.body]
    assert [each.to for each in notices] == [["alice@example.org"]]
    shown = text_of(client_of(alice), "/settings/access-history/")
    assert said in shown
    assert "Adam" in shown


def test_changing_an_address_and_resetting_the_password_is_visible_to_both_sides(
    admin_browser: Client, administrator: User, alice: User
) -> None:
    """This is how an administrator could get into an account."""
    act(admin_browser, alice, "email-address", email="mine@example.org")
    act(admin_browser, alice, "password-reset")
    assert [(each.kind, each.actor) for each in recorded_actions().order_by("id")] == [
        (Kind.ADDRESS_CHANGED, administrator.pk), (Kind.RESET, administrator.pk),
    ]  # fmt: skip
    assert mail.outbox[0].to == ["alice@example.org"]


def test_the_mail_is_in_the_members_language(admin_browser: Client, alice: User) -> None:
    alice.preferences = {"language": "de"}
    alice.save()
    act(admin_browser, alice, "sessions")
    assert mail.outbox[0].subject == "Das Konto bei Runnel"


def test_a_rolled_back_change_sends_no_mail(
    admin_browser: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: Any, **_options: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(StaffAction.objects, "create", fail)
    with pytest.raises(OSError, match="disk is full"):
        act(admin_browser, alice, "email-address", email="mine@example.org")
    assert address_of(alice) == "alice@example.org"
    assert mail.outbox == []


@pytest.mark.parametrize(
    ("email", "said"),
    [
        ("bob@example.org", "An account with this email address already exists."),
        ("BOB@example.org", "An account with this email address already exists."),
        ("bobs-other@example.org", "An account with this email address already exists."),
        ("Alice@example.org", "The account already has this address."),
        ("x@visitor.invalid", "Email can't be sent to this address."),
        ("nobody", "Enter a valid email address."),
        ("", "This field is required."),
    ],
)
def test_an_invalid_address_is_refused_with_the_reason(
    admin_browser: Client, alice: User, bob: User, email: str, said: str
) -> None:
    EmailAddress.objects.create(user=bob, email="bobs-other@example.org", verified=True)
    refused = act(admin_browser, alice, "email-address", email=email)
    assert refused.status_code == 422
    assert said in unescape(refused.content.decode())
    assert f'value="{email}"' in refused.content.decode() or not email
    assert address_of(alice) == "alice@example.org"
    assert not recorded_actions().exists()


def test_an_administrator_cannot_change_a_superuser(admin_browser: Client, alice: User) -> None:
    superuser = User.objects.create_superuser("superuser@example.org", "tide table")
    for name, sent in (("email-address", {"email": "mine@example.org"}), ("deletion", {})):
        assert act(admin_browser, superuser, name, **sent).status_code == 400
    assert address_of(superuser) == "superuser@example.org"
    assert mail.outbox == []


# --- Deleting -------------------------------------------------------------------------------------


def test_a_deleted_account_is_logged_and_its_owner_is_told(
    admin_browser: Client, administrator: User, alice: User
) -> None:
    say(alice, "Rivers")
    assert act(admin_browser, alice, "deletion").status_code == 302
    action = recorded_actions().get()
    assert (action.kind, action.actor, action.person) == (
        Kind.ACCOUNT_DELETED, administrator.pk, alice.pk,
    )  # fmt: skip
    (told,) = mail.outbox
    assert (told.to, "deleted your account" in told.body) == (["alice@example.org"], True)
    sweep()
    assert not User.objects.filter(pk=alice.pk).exists()
    assert not Conversation.all_objects.exists()


def held_by_staff(chat: Conversation, lead: User) -> None:
    content.hold(staff_context_of(lead), chat.pk)


def in_an_open_case(chat: Conversation, lead: User) -> None:
    flags.flag(staff_context_of(lead), chat.pk, "Look here")


def deleted_and_held(chat: Conversation, lead: User) -> None:
    content.hold(staff_context_of(lead), chat.pk)
    delete_chat(chat)


def thumbs_down_in_work(chat: Conversation, lead: User) -> None:
    flags.flag_rating(chat.messages.last(), chat.owner_id, Opinion(-1, "wrong", ""))
    workflow.claim(staff_context_of(lead), Case.objects.get().pk)


@pytest.mark.parametrize(
    "keep", [held_by_staff, in_an_open_case, deleted_and_held, thumbs_down_in_work]
)
def test_staff_cannot_delete_an_account_on_legal_hold(
    admin_browser: Client, lead: User, alice: User, keep: Any
) -> None:
    chat = say(alice, "Rivers", "In the hills.")
    keep(chat, lead)
    refused = act(admin_browser, alice, "deletion")
    assert refused.status_code == 400
    assert "on legal hold or in open cases" in refused.content.decode()
    assert "on legal hold or in open cases" in text_of(
        admin_browser, f"/review/people/{alice.pk}/account/"
    )
    assert User.objects.get(pk=alice.pk).closed_at is None
    assert Conversation.all_objects.filter(pk=chat.pk).exists()
    assert not recorded_actions().filter(kind=Kind.ACCOUNT_DELETED).exists()
    assert mail.outbox == []


def test_chats_of_a_members_website_prevent_the_deletion_too(
    admin_browser: Client, lead: User, alice: User
) -> None:
    from chat.widget_sites import visitors

    shop = WidgetSite.objects.create(owner=alice, name="Shop")
    vera = visitors.make(shop, subject="v", name="Vera").user
    held_by_staff(say(vera, "Parcels"), lead)
    assert act(admin_browser, alice, "deletion").status_code == 400


def test_a_thumbs_down_does_not_prevent_the_deletion(admin_browser: Client, alice: User) -> None:
    chat = say(alice, "Rivers", "In the hills.")
    flags.flag_rating(chat.messages.last(), alice.pk, Opinion(-1, "wrong", ""))
    assert act(admin_browser, alice, "deletion").status_code == 302


def test_administrators_cannot_delete_themselves_or_the_last_superuser(
    admin_browser: Client, administrator: User
) -> None:
    assert act(admin_browser, administrator, "deletion").status_code == 400
    superuser = User.objects.create_superuser("superuser@example.org", "tide table")
    superuser_client = client_of(superuser)
    assert act(superuser_client, superuser, "deletion").status_code == 400
    assert act(superuser_client, administrator, "deletion").status_code == 302


@pytest.mark.parametrize("deleted", [False, True])
def test_no_code_can_delete_a_chat_on_legal_hold(lead: User, alice: User, deleted: bool) -> None:
    """Not even a command, a shell or a cascade."""
    chat = say(alice, "Rivers")
    held_by_staff(chat, lead)
    if deleted:
        delete_chat(chat)
    for destroy in (alice.delete, User.objects.filter(pk=alice.pk).delete, chat.delete):
        with pytest.raises(ProtectedError):
            destroy()
    assert Conversation.all_objects.filter(pk=chat.pk).exists()
    LegalHold.objects.all().delete()  # as they end some days after they were lifted
    Conversation.all_objects.update(held_at=None)
    alice.delete()
    assert not Conversation.all_objects.exists()


def test_after_the_maximum_time_a_held_chat_is_purged(
    lead: User, alice: User, settings: Any
) -> None:
    chat = say(alice, "Rivers")
    held_by_staff(chat, lead)
    long_ago = timezone.now() - timedelta(days=settings.HOLD_MAX_DAYS + 1)
    Conversation.all_objects.filter(pk=chat.pk).update(purge_after=long_ago)
    sweep()
    assert not Conversation.all_objects.exists()
