"""What should be gone and isn't is told by the doctor and on the status page."""

from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.doctor.deletion_check import check_deletion
from chat.generations.deletion.overdue import OverdueDeletions, overdue_deletions
from chat.generations.deletion.soft_delete import delete_account, delete_site
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.support.database.undeletable import undeletable
from tests.support.generations.purge import sweep

LATE = timezone.now() - timedelta(hours=2)


def chat_of(owner: User, **facts: Any) -> Conversation:
    chat = Conversation.objects.create(owner=owner, **facts)
    chat.messages.create(role="user", text="Hello")
    return chat


def checked() -> CheckResult:
    (found,) = check_deletion(DoctorOptions())
    return found


def test_what_is_overdue_is_counted_by_kind(alice: User, bob: User) -> None:
    chat_of(alice, purge_after=LATE)
    chat_of(alice, purge_after=timezone.now())  # due, but not for long
    chat_of(alice).messages.create(role="user", text="Hello", deleted_at=LATE)
    site = WidgetSite.objects.create(owner=alice, name="Shop")
    visitors.make(site)
    delete_site(site)
    delete_account(bob)
    assert overdue_deletions().total == 2
    WidgetSite.all_objects.update(deleted_at=F("deleted_at") - timedelta(hours=2))
    User.all_objects.filter(pk=bob.pk).update(closed_at=F("closed_at") - timedelta(hours=2))
    assert overdue_deletions() == OverdueDeletions(chats=1, messages=1, websites=1, accounts=1)


def test_what_staff_hold_is_not_overdue(alice: User, settings: Settings) -> None:
    settings.HOLD_MAX_DAYS = 30
    chat_of(alice, purge_after=LATE, held_at=LATE)
    delete_account(alice)
    User.all_objects.update(closed_at=LATE)
    sweep()
    assert overdue_deletions().total == 0
    assert User.all_objects.filter(pk=alice.pk).exists()


def test_the_doctor_tells_it_and_is_content_once_it_is_gone(alice: User) -> None:
    assert checked().status == "ok"
    stuck = chat_of(alice, purge_after=LATE)
    with undeletable(stuck):
        sweep()
        found = checked()
        assert (found.status, found.facts["chats"]) == ("problem", 1)
        assert "prune" in found.advice
