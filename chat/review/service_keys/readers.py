"""Decide what a service key may read: what its scopes name, as a reader of their least role.

The key acts in the name of the administrator who created it, while they are one. It never has their
role: it reads as a reviewer, who sees no deleted chats and, with pseudonyms, no names.
"""

from enum import StrEnum

from chat.accounts.second_factor import two_factor
from chat.api_keys.models import ApiKey
from chat.review.access_log.staff_context import BY_PROGRAM, StaffContext
from chat.review.service_keys.errors import CreatorWithoutRights, MissingScope
from chat.review.staff import privacy
from chat.review.staff.roles import Reviewer, Right, Role, role_of


class KeyScope(StrEnum):
    """What a service key may read."""

    FIGURES = "figures"
    AUDIT = "audit"
    REVIEW = "review"


RIGHTS = {KeyScope.FIGURES: Right.FIGURES, KeyScope.AUDIT: Right.AUDIT_LOG}


def context_of(key: ApiKey, scope: KeyScope) -> StaffContext:
    """Return who reads with the key. `key.owner` must have been loaded for the request.

    Raise `CreatorWithoutRights`, `MissingScope`, or `NotFound` for what nobody may read here.
    """
    if role_of(key.owner) is not Role.ADMINISTRATOR or two_factor.is_missing(key.owner):
        raise CreatorWithoutRights
    if scope not in key.scopes.split():
        raise MissingScope
    if scope is not KeyScope.AUDIT:
        privacy.require_reading_allowed()
    return StaffContext(_reader(key, scope), program=f"{BY_PROGRAM}{key.pk} {key.name}")


def _reader(key: ApiKey, scope: KeyScope) -> Reviewer:
    groups, sites = ids_in(key.group_ids), ids_in(key.site_ids)
    right = RIGHTS.get(scope)
    return Reviewer(
        key.owner_id,
        Role.NONE if right else Role.REVIEWER,
        groups if groups or sites else None,
        sites,
        right=right,
        is_program=True,
    )


def ids_in(text: str) -> frozenset[int]:
    """Return the IDs that a column of a key has."""
    return frozenset(map(int, text.split()))
