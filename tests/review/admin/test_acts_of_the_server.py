"""What commands, a shell, members and the clock change: whose act it is, and whether it is on record."""

import sys
from io import StringIO

import pytest
from django.core import mail
from django.core.management import call_command

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from chat.widget_sites import suspension
from chat.widget_sites.models import WidgetSite
from tests.support.review.admin_actions import Kind, again


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
    assert suspension.reinstate_due() == 1
    assert accounts.reinstate_due() == 1
    assert again(alice).is_active
    found = [(kind, person, site) for kind, person, site, *_ in server_rows()]
    assert found[1:] == [(Kind.RESTORED, alice.pk, shop.pk), (Kind.RESTORED, alice.pk, None)]


def test_leaving_is_no_suspension(alice: User) -> None:
    from chat.generations.deletion.soft_delete import delete_account

    delete_account(alice)
    assert again(alice).closed_at
    assert server_rows() == []
