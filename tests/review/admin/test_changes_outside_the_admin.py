"""Changes made by commands, a shell, members or time: who counts as the actor, and what is logged."""

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


def test_a_command_that_sets_a_password_is_logged_and_mailed(
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


def test_an_account_changed_in_a_shell_is_logged_and_mailed(
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


@pytest.mark.parametrize("argv", [["uvicorn"], ["manage.py", "runserver"], ["pytest"]])
def test_members_own_changes_are_not_staff_actions(
    alice: User, monkeypatch: pytest.MonkeyPatch, argv: list[str]
) -> None:
    monkeypatch.setattr(sys, "argv", argv)
    alice.set_password("tide table 9")
    alice.save()
    assert server_rows() == []
    assert mail.outbox == []


def test_suspending_a_website_is_logged_and_not_possible_in_bulk(alice: User) -> None:
    shop = WidgetSite.objects.create(owner=alice, name="Shop")
    for found in (WidgetSite.objects.all(), WidgetSite.all_objects.all()):
        with pytest.raises(TypeError, match="one at a time"):
            found.update(is_suspended=True)
    shop.is_suspended = True
    with pytest.raises(TypeError, match="one at a time"):
        WidgetSite.objects.bulk_update([shop], ["is_suspended"])
    shop.save()
    assert server_rows() == [(Kind.SUSPENDED, alice.pk, shop.pk, "→ ∞", "")]


def test_the_end_of_a_suspension_is_logged(alice: User) -> None:
    from django.utils import timezone

    from chat.accounts import suspension as accounts

    shop = WidgetSite.objects.create(owner=alice, name="Shop")
    suspension.suspend(shop, timezone.now())
    accounts.suspend(alice, timezone.now())
    assert suspension.reinstate_due() == 1
    assert accounts.reinstate_due() == 1
    assert again(alice).is_active
    found = [(kind, person, site) for kind, person, site, *_ in server_rows()]
    assert found[1:] == [(Kind.RESTORED, alice.pk, shop.pk), (Kind.RESTORED, alice.pk, None)]


def test_deleting_ones_account_is_not_logged_as_a_suspension(alice: User) -> None:
    from chat.generations.deletion.soft_delete import delete_account

    delete_account(alice)
    assert again(alice).closed_at
    assert server_rows() == []
