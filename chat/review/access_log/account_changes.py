"""Log when accounts and websites are disabled or enabled, and management commands on accounts.

As in permission_changes.py, signals see every change through the models, whoever makes it: a staff
page, the admin, a shell, or a suspension that expires. `suspend` and `restore` of accounts bypass
the models, so they add log entries themselves (moderation/user_moderation.py).
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models.signals import post_save, pre_save

from chat.accounts import actor
from chat.accounts.models import User
from chat.accounts.security_notices import Notice, notify
from chat.review.access_log import staff_actions
from chat.review.access_log.before_save import BeforeSave
from chat.review.access_log.staff_actions import StaffAction
from chat.widget_sites.models import WidgetSite

Kind = StaffAction.Kind
WATCHED = ("is_active", "pending_since", "email", "password")
stored_account = BeforeSave[dict[str, Any] | None]("account")
stored_site = BeforeSave[dict[str, Any] | None]("site")


def connect_signals() -> None:
    """Connect the signals. Call once, when the app is ready."""
    pre_save.connect(_before_account, sender=User)
    post_save.connect(_after_account, sender=User)
    pre_save.connect(_before_site, sender=WidgetSite)
    post_save.connect(_after_site, sender=WidgetSite)


def format_until(until: datetime | None) -> str:
    """Return the end of a suspension for the log, independent of language."""
    return f"→ {until:%Y-%m-%d}" if until else "→ ∞"


# --- Accounts -------------------------------------------------------------------------------------


def _before_account(instance: User, update_fields: Any, **_: Any) -> None:
    """Remember the stored values, unless this save does not touch them."""
    is_touched = update_fields is None or not set(WATCHED).isdisjoint(update_fields)
    rows = User.all_objects.filter(pk=instance.pk).values(*WATCHED) if is_touched else None
    stored_account.remember(instance, rows.first() if rows is not None else None)


def _after_account(instance: User, **_: Any) -> None:
    """Log the change, unless the account is new or was closed by its owner."""
    before = stored_account.recall(instance)
    if not before or instance.closed_at:
        return
    if before["is_active"] != instance.is_active:
        _record_switch(instance, was_waiting=bool(before["pending_since"]))
    if not actor.management_command():
        return  # signed-in users change these on pages, which log it themselves
    if before["email"] != instance.email:
        _record_entry(instance, Kind.ADDRESS_CHANGED, "", Notice.ADDRESS, before["email"])
    if before["password"] != instance.password:
        _record_entry(instance, Kind.RESET, "password", Notice.NEW_PASSWORD, before["email"])


def _record_switch(user: User, *, was_waiting: bool) -> None:
    if not user.is_active:
        staff_actions.record_current_action(
            Kind.SUSPENDED, person=user.pk, detail=format_until(None)
        )
    else:
        staff_actions.record_current_action(
            Kind.APPROVED if was_waiting else Kind.RESTORED, person=user.pk
        )


def _record_entry(
    user: User, kind: StaffAction.Kind, detail: str, notice: Notice, address: str
) -> None:
    """Log the change and notify the user, just as a staff page does."""
    staff_actions.record_current_action(kind, person=user.pk, detail=detail)
    notify(user, notice, address=address)


# --- Websites -------------------------------------------------------------------------------------


def _before_site(instance: WidgetSite, update_fields: Any, **_: Any) -> None:
    is_touched = update_fields is None or "is_suspended" in update_fields
    columns = ("is_suspended", "suspended_until")
    rows = WidgetSite.all_objects.filter(pk=instance.pk).values(*columns) if is_touched else None
    stored_site.remember(instance, rows.first() if rows is not None else None)


def _after_site(instance: WidgetSite, **_: Any) -> None:
    before = stored_site.recall(instance)
    now = {"is_suspended": instance.is_suspended, "suspended_until": instance.suspended_until}
    if not before or before == now:
        return
    kind, detail = Kind.RESTORED, ""
    if instance.is_suspended:
        kind, detail = Kind.SUSPENDED, format_until(instance.suspended_until)
    with transaction.atomic():
        staff_actions.record_current_action(
            kind, person=instance.owner_id, site=instance.pk, detail=detail
        )
