"""Manage groups: members, reviewers, and allowed models and personas."""

from collections.abc import Iterable

from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from chat.accounts import confirmed_addresses
from chat.accounts.models import User
from chat.errors import NotFound
from chat.generations import model_permissions, tool_permissions
from chat.personas.models import Persona
from chat.review.access_log.permission_changes import changed_by
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Rule
from chat.review.members.actions import requiring_administrators, set_groups

Kind = StaffAction.Kind


def all_groups() -> QuerySet[Group]:
    return Group.objects.annotate(members=Count("user")).order_by("name")


def group_of(group_id: int) -> Group:
    group = Group.objects.filter(pk=group_id).first()
    if group is None:
        raise NotFound
    return group


def rules_of(group: Group) -> list[str]:
    """Return the names of the rules about its members, which are deleted with it."""
    return list(Rule.objects.filter(members=group).values_list("name", flat=True))


@transaction.atomic
def create(staff_context: StaffContext, name: str) -> Group:
    _require_new(name)
    with changed_by(staff_context):
        return Group.objects.create(name=name)


@transaction.atomic
def rename(staff_context: StaffContext, group: Group, name: str) -> None:
    if name == group.name:
        return
    _require_new(name, but=group)
    group.name = name
    with changed_by(staff_context):
        group.save(update_fields=["name"])


@transaction.atomic
def remove(staff_context: StaffContext, group: Group) -> None:
    """Delete the group with its limits, scopes and rules; its members keep their accounts.

    Raise `Conflict` while one of the rules is withdrawn.
    """
    with changed_by(staff_context), requiring_administrators(staff_context):
        group.delete()


def add_member(staff_context: StaffContext, group: Group, email: str) -> User:
    user = confirmed_addresses.owner_of(email)
    if user is None and User.objects.filter(email__same=email, closed_at=None).exists():
        raise ValidationError(
            _(
                "The member with this email address hasn't confirmed it. Ask them to, or set the "
                "group on their page in People if you're sure who they are."
            )
        )
    if user is None:
        raise ValidationError(_("No member has this email address. Invite them first."))
    set_groups(staff_context, user.pk, {*user.groups.all(), group})
    return user


def remove_member(staff_context: StaffContext, group: Group, user_id: int) -> None:
    user = User.objects.filter(pk=user_id, groups=group).first()
    if user is None:
        raise NotFound
    set_groups(staff_context, user.pk, set(user.groups.all()) - {group})


@transaction.atomic
def set_access(
    staff_context: StaffContext,
    group: Group,
    models: Iterable[str],
    personas: Iterable[Persona],
    tools: Iterable[str],
) -> None:
    """Set the models (none means all) and tools that members may use, and their personas."""
    names, shared, tools = sorted(models), list(personas), sorted(tools)
    model_permissions.set_for(group, names)
    tool_permissions.set_for(group, tools)
    for persona in group.personas.filter(owner=None):
        if persona not in shared:
            persona.groups.remove(group)
    for persona in shared:
        persona.groups.add(group)
    detail = f"{group.name}: {', '.join(names) or '*'}; {len(shared)}; {', '.join(tools)}"
    record_action(staff_context, Kind.ACCESS_CHANGED, detail=detail)


def _require_new(name: str, *, but: Group | None = None) -> None:
    others = Group.objects.exclude(pk=but.pk) if but else Group.objects.all()
    if others.filter(name__iexact=name).exists():
        raise ValidationError(_("A group with this name already exists."))
