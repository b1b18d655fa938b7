"""Log every change of permissions, whoever makes it.

Permissions come from two flags of an account, its groups, its own and its groups' permissions, and
the reviewers' scopes. Signals see every change through the models, so staff pages, the admin,
commands, invitations and the setup link need not log it. They name who acts
(chat/accounts/actor.py); otherwise it was the server. Entries are added in the transaction of the
change.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models.signals import m2m_changed, post_save, pre_delete, pre_save

from chat.accounts import actor
from chat.accounts.models import RIGHTS, User
from chat.review.access_log import staff_actions
from chat.review.access_log.before_save import BeforeSave
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import StaffContext
from chat.review.models import ReviewScope

Kind = StaffAction.Kind
stored_rights = BeforeSave[dict[str, bool] | None]("rights")  # None: this save does not touch them
stored_name = BeforeSave[str | None]("name")
stored_scope = BeforeSave[ReviewScope | None]("scope")
SIGNS = {"pre_add": "+", "pre_remove": "−", "pre_clear": "−"}


def connect_signals() -> None:
    """Connect the signals. Call once, when the app is ready."""
    pre_save.connect(_before_account, sender=User)
    post_save.connect(_after_account, sender=User)
    m2m_changed.connect(_groups_of_account, sender=User.groups.through)
    m2m_changed.connect(_permissions_of_account, sender=User.user_permissions.through)
    m2m_changed.connect(_permissions_of_group, sender=Group.permissions.through)
    pre_save.connect(_before_group, sender=Group)
    post_save.connect(_after_group, sender=Group)
    pre_delete.connect(_group_goes, sender=Group)
    pre_save.connect(_before_scope, sender=ReviewScope)
    post_save.connect(_after_scope, sender=ReviewScope)
    pre_delete.connect(_scope_goes, sender=ReviewScope)


@contextmanager
def changed_by(staff_context: StaffContext) -> Iterator[None]:
    """Attribute permission changes inside the block to this staff member."""
    with actor.attributed_to(staff_context.reviewer.user_id, staff_context.reason):
        yield


def _record(kind: StaffAction.Kind, detail: str, person: int | None = None) -> None:
    who = actor.current()
    with transaction.atomic():
        staff_actions.add(who.user_id, who.reason, kind, person=person, detail=detail)


# --- Flags ----------------------------------------------------------------------------------------


def _before_account(instance: User, update_fields: Any, **_: Any) -> None:
    """Remember the stored flags, unless this save does not touch them."""
    is_touched = update_fields is None or not RIGHTS.keys().isdisjoint(update_fields)
    stored = User.all_objects.filter(pk=instance.pk).values(*RIGHTS).first() if is_touched else None
    before = stored or dict.fromkeys(RIGHTS, False)
    stored_rights.remember(instance, before if is_touched else None)


def _after_account(instance: User, **_: Any) -> None:
    before = stored_rights.recall(instance)
    if before is None:
        return
    for field, name in RIGHTS.items():
        now = getattr(instance, field)
        if now != before[field]:
            _record(Kind.RIGHTS_CHANGED, f"{'+' if now else '−'} {name}", instance.pk)


# --- Groups and permissions -----------------------------------------------------------------------


def _groups_of_account(
    instance: Any, action: str, reverse: bool, pk_set: set[int] | None, **_: Any
) -> None:
    if action not in SIGNS:
        return
    pairs = User.groups.through.objects.select_related("group")
    if reverse:
        mine = pairs.filter(group=instance)
        users = pk_set if action == "pre_add" else _ids(mine, "user_id", pk_set)
        memberships = [(each, instance) for each in sorted(users or ())]
    else:
        mine = pairs.filter(user=instance)
        groups = pk_set if action == "pre_add" else _ids(mine, "group_id", pk_set)
        memberships = [
            (instance.pk, each) for each in Group.objects.filter(pk__in=groups or ()).order_by("pk")
        ]
    for user_id, group in memberships:
        _record(Kind.GROUP_CHANGED, f"{SIGNS[action]} {group.name}", user_id)


def _permissions_of_account(
    instance: Any, action: str, reverse: bool, pk_set: set[int] | None, **_: Any
) -> None:
    if action not in SIGNS:
        return
    pairs = User.user_permissions.through.objects.all()
    for user_id, permission in _changed(pairs, "user", instance, action, reverse, pk_set):
        _record(Kind.RIGHTS_CHANGED, f"{SIGNS[action]} {_name(permission)}", user_id)


def _permissions_of_group(
    instance: Any, action: str, reverse: bool, pk_set: set[int] | None, **_: Any
) -> None:
    if action not in SIGNS:
        return
    pairs = Group.permissions.through.objects.all()
    for group_id, permission in _changed(pairs, "group", instance, action, reverse, pk_set):
        group = Group.objects.get(pk=group_id)
        _record(Kind.RIGHTS_CHANGED, f"{group.name}: {SIGNS[action]} {_name(permission)}")


def _changed(
    pairs: Any, owner: str, instance: Any, action: str, reverse: bool, pk_set: set[int] | None
) -> list[tuple[int, Permission]]:
    """Return the owners and the permissions that each actually gains or loses."""
    if reverse:
        mine = pairs.filter(permission=instance)
        owners = pk_set if action == "pre_add" else _ids(mine, f"{owner}_id", pk_set)
        return [(each, instance) for each in sorted(owners or ())]
    mine = pairs.filter(**{owner: instance})
    names = pk_set if action == "pre_add" else _ids(mine, "permission_id", pk_set)
    rows = (
        Permission.objects.filter(pk__in=names or ()).select_related("content_type").order_by("pk")
    )
    return [(instance.pk, each) for each in rows]


def _ids(pairs: Any, column: str, among: set[int] | None) -> set[int]:
    """Return the existing IDs; `among` None means all of them."""
    ids = set(pairs.values_list(column, flat=True))
    return ids if among is None else ids & among


def _name(permission: Permission) -> str:
    return f"{permission.content_type.app_label}.{permission.codename}"


def _before_group(instance: Group, **_: Any) -> None:
    before = Group.objects.filter(pk=instance.pk).values_list("name", flat=True).first()
    stored_name.remember(instance, before)


def _after_group(instance: Group, created: bool, **_: Any) -> None:
    before = stored_name.recall(instance)
    if created:
        _record(Kind.GROUP_CHANGED, f"+ {instance.name}")
    elif before != instance.name:
        _record(Kind.GROUP_CHANGED, f"{before} → {instance.name}")


def _group_goes(instance: Group, **_: Any) -> None:
    """Log a group's deletion, which takes permissions from its members."""
    members = User.all_objects.filter(groups=instance).count()
    _record(Kind.GROUP_CHANGED, f"− {instance.name} ({members})")


# --- Scopes ---------------------------------------------------------------------------------------


def _before_scope(instance: ReviewScope, **_: Any) -> None:
    stored_scope.remember(instance, ReviewScope.objects.filter(pk=instance.pk).first())


def _after_scope(instance: ReviewScope, **_: Any) -> None:
    before = stored_scope.recall(instance)
    if before and _in_words(before, "") == _in_words(instance, ""):
        return
    if before:
        _scope_goes(before)
    _record(Kind.SCOPE_CHANGED, _in_words(instance, "▸"), instance.reviewer_id)


def _scope_goes(instance: ReviewScope, **_: Any) -> None:
    _record(Kind.SCOPE_CHANGED, _in_words(instance, "▹"), instance.reviewer_id)


def _in_words(scope: ReviewScope, sign: str) -> str:
    """Describe who reviews whom, by group names and the IDs of accounts and websites."""
    who = scope.team.name if scope.team else f"#{scope.reviewer_id}"
    site = f"website {scope.site_id}" if scope.site_id else "*"
    return f"{who} {sign} {scope.members.name if scope.members else site}"
