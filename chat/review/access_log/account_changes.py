"""Who switches accounts and websites off and on, and which command lets itself into an account.

As in rights.py, signals see what is done through the models, whoever does it: a page of the staff,
the admin, a shell, or the clock where a suspension is over. `suspend` and `restore` of accounts add
rows of their own (acting/people.py), for they are one statement past the models.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models.signals import post_save, pre_save

from chat.accounts import actor
from chat.accounts.models import User
from chat.accounts.security_notices import Notice, tell
from chat.review.access_log import staff_actions
from chat.review.access_log.before_save import BeforeSave
from chat.review.access_log.staff_actions import StaffAction
from chat.widget_sites.models import WidgetSite

Kind = StaffAction.Kind
WATCHED = ("is_active", "pending_since", "email", "password")
stored_account = BeforeSave[dict[str, Any] | None]("account")
stored_site = BeforeSave[dict[str, Any] | None]("site")


def wire() -> None:
    """Call it once, when the app is ready."""
    pre_save.connect(_before_account, sender=User)
    post_save.connect(_after_account, sender=User)
    pre_save.connect(_before_site, sender=WidgetSite)
    post_save.connect(_after_site, sender=WidgetSite)


def until_in_words(until: datetime | None) -> str:
    """For the record, which is in no language."""
    return f"→ {until:%Y-%m-%d}" if until else "→ ∞"


# --- Accounts -------------------------------------------------------------------------------------


def _before_account(instance: User, update_fields: Any, **_: Any) -> None:
    """Remember what is stored, unless this save leaves it as it is."""
    is_touched = update_fields is None or not set(WATCHED).isdisjoint(update_fields)
    found = User.all_objects.filter(pk=instance.pk).values(*WATCHED) if is_touched else None
    stored_account.remember(instance, found.first() if found is not None else None)


def _after_account(instance: User, **_: Any) -> None:
    """An account that is closed by its owner, or new, is switched by nobody."""
    before = stored_account.recall(instance)
    if not before or instance.closed_at:
        return
    if before["is_active"] != instance.is_active:
        _record_switch(instance, was_waiting=bool(before["pending_since"]))
    if not actor.command():
        return  # who is signed in changes these on pages, which say so
    if before["email"] != instance.email:
        _record_entry(instance, Kind.ADDRESS_CHANGED, "", Notice.ADDRESS, before["email"])
    if before["password"] != instance.password:
        _record_entry(instance, Kind.RESET, "password", Notice.NEW_PASSWORD, before["email"])


def _record_switch(user: User, *, was_waiting: bool) -> None:
    if not user.is_active:
        staff_actions.add_current(Kind.SUSPENDED, person=user.pk, detail=until_in_words(None))
    else:
        staff_actions.add_current(Kind.APPROVED if was_waiting else Kind.RESTORED, person=user.pk)


def _record_entry(
    user: User, kind: StaffAction.Kind, detail: str, notice: Notice, address: str
) -> None:
    """Also tell them: a command is no reason for less than a page of the staff does."""
    staff_actions.add_current(kind, person=user.pk, detail=detail)
    tell(user, notice, address=address)


# --- Websites -------------------------------------------------------------------------------------


def _before_site(instance: WidgetSite, update_fields: Any, **_: Any) -> None:
    is_touched = update_fields is None or "is_suspended" in update_fields
    columns = ("is_suspended", "suspended_until")
    found = WidgetSite.all_objects.filter(pk=instance.pk).values(*columns) if is_touched else None
    stored_site.remember(instance, found.first() if found is not None else None)


def _after_site(instance: WidgetSite, **_: Any) -> None:
    before = stored_site.recall(instance)
    now = {"is_suspended": instance.is_suspended, "suspended_until": instance.suspended_until}
    if not before or before == now:
        return
    kind, detail = Kind.RESTORED, ""
    if instance.is_suspended:
        kind, detail = Kind.SUSPENDED, until_in_words(instance.suspended_until)
    with transaction.atomic():
        staff_actions.add_current(kind, person=instance.owner_id, site=instance.pk, detail=detail)
