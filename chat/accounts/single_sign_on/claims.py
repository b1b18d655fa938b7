"""Read what the identity provider says about somebody, and give groups and roles by it."""

import logging
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import transaction

from chat.accounts.actor import SERVER, attributed_to
from chat.accounts.administrators import LastAdministrator, keeping_administrators
from chat.accounts.models import User
from chat.lib.text import one_line
from project.config.single_sign_on import ROLES

#: What stands in the audit log as the reason.
REASON = "single sign-on"
NAME_LENGTH = 100
#: `true` as providers write it; Cognito sends a string, Entra's `xms_edov` may be one.
TRUE = (True, "true", "1")

#: Where an object in a list has its group's name or id, as in SCIM.
OBJECT_KEYS = ("value", "name", "id")

log = logging.getLogger(__name__)


def address(claims: dict[str, Any]) -> str:
    email = claims.get("email")
    return email.strip().lower() if isinstance(email, str) else ""


def display_name(claims: dict[str, Any]) -> str:
    name = claims.get("name")
    return one_line(name)[:NAME_LENGTH] if isinstance(name, str) else ""


def is_address_verified(claims: dict[str, Any]) -> bool:
    return claims.get(settings.SSO_VERIFIED_CLAIM) in TRUE


def is_in_allowed_domain(email: str) -> bool:
    return not settings.SSO_DOMAINS or email.rpartition("@")[2] in settings.SSO_DOMAINS


def is_complete(claims: dict[str, Any]) -> bool:
    """Return whether the ID token says all that is needed, so that userinfo isn't."""
    is_mapped = settings.SSO_GROUPS or settings.SSO_ROLES
    has_groups = not is_mapped or _find(claims, settings.SSO_GROUPS_CLAIM) is not None
    return bool(address(claims)) and settings.SSO_VERIFIED_CLAIM in claims and has_groups


def apply_to(user: User, claims: dict[str, Any]) -> None:
    """Give `user` the groups and roles of the claims, and take away the others that are mapped.

    Groups and roles that no setting maps are left alone. A missing claim counts as an empty one,
    because some providers leave it out if it is empty; but one that the provider says it left out
    because of its length changes nothing. Nor does one that would take away the last administrator.
    """
    if is_overage(claims):
        log.warning("the provider left out %s: it is too long", settings.SSO_GROUPS_CLAIM)
        return
    values = _values(claims)
    try:
        with transaction.atomic(), keeping_administrators(), attributed_to(SERVER, REASON):
            _apply_groups(user, _targets(settings.SSO_GROUPS, values))
            _apply_roles(user, _targets(settings.SSO_ROLES, values))
    except LastAdministrator:
        user.refresh_from_db()  # the changes of its fields were undone in the database only
        log.warning("single sign-on would have taken away the last administrator; nothing changed")


def is_overage(claims: dict[str, Any]) -> bool:
    """Return whether the provider left the claim out because it has too many values.

    Entra names it in `_claim_names` then (OpenID Connect Core 5.6.2), or sets `hasgroups`, which
    says nothing about other claims.
    """
    if _find(claims, settings.SSO_GROUPS_CLAIM) is not None:
        return False
    names = claims.get("_claim_names")
    is_named = isinstance(names, dict) and settings.SSO_GROUPS_CLAIM in names
    has_groups = settings.SSO_GROUPS_CLAIM == "groups" and claims.get("hasgroups") in TRUE
    return is_named or has_groups


def missing_groups() -> list[str]:
    """Return the names in SSO_GROUPS that are no groups of this site."""
    names = {name for targets in settings.SSO_GROUPS.values() for name in targets}
    return sorted(names - set(Group.objects.filter(name__in=names).values_list("name", flat=True)))


def _apply_groups(user: User, wanted: set[str]) -> None:
    managed = {name for targets in settings.SSO_GROUPS.values() for name in targets}
    held = set(user.groups.filter(name__in=managed).values_list("name", flat=True))
    added = list(Group.objects.filter(name__in=wanted - held))
    if len(added) < len(wanted - held):
        log.warning("SSO_GROUPS names groups that don't exist: %s", ", ".join(missing_groups()))
    if added:
        user.groups.add(*added)
    if gone := held - wanted:
        user.groups.remove(*Group.objects.filter(name__in=gone))


def _apply_roles(user: User, wanted: set[str]) -> None:
    managed = {
        flag for roles in settings.SSO_ROLES.values() for role in roles for flag in ROLES[role]
    }
    granted = {flag for role in wanted for flag in ROLES[role]}
    changed = {flag for flag in managed if getattr(user, flag) != (flag in granted)}
    for flag in changed:
        setattr(user, flag, flag in granted)
    if changed:
        user.save(update_fields=sorted(changed))


def _targets(mapping: dict[str, list[str]], values: set[str]) -> set[str]:
    return {target for value in values for target in mapping.get(value, ())}


def _values(claims: dict[str, Any]) -> set[str]:
    """Return the values of the claim, in whichever form the provider sends them.

    They are a list of texts or of objects, the keys of an object (Zitadel's roles), or one text,
    which may have commas.
    """
    claim = _find(claims, settings.SSO_GROUPS_CLAIM)
    values: set[str] = set()
    if isinstance(claim, str):
        values = {claim, *(each.strip() for each in claim.split(","))}
    elif isinstance(claim, dict):
        values = {name for name, is_granted in claim.items() if is_granted}
    elif isinstance(claim, list):
        named = (each.get(key) for each in claim if isinstance(each, dict) for key in OBJECT_KEYS)
        values = {each for each in (*claim, *named) if isinstance(each, str)}
    if claim and not values:
        log.warning("the claim %s has no values that can be read", settings.SSO_GROUPS_CLAIM)
    return values


def _find(claims: dict[str, Any], name: str) -> Any:
    """Return a claim by its name, or by its path, such as Keycloak's `realm_access.roles`."""
    if name in claims:
        return claims[name]
    value: Any = claims
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
