"""Describe service keys to administrators."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.api_keys import keys, last_used
from chat.api_keys.models import ApiKey
from chat.review.service_keys.readers import ids_in
from chat.review.staff.roles import Role, role_of
from chat.web.review.site_settings.service_key_form import SCOPE_NAMES
from chat.widget_sites.models import WidgetSite


@dataclass(frozen=True, slots=True)
class ServiceKeyOut:
    """A key in the list; `limits` are the groups and websites that it is limited to."""

    id: int
    name: str
    prefix: str
    creator: User
    scopes: list[str]
    is_limited: bool
    limits: list[str]
    expires_at: datetime | None
    is_expired: bool
    last_used_at: datetime | None
    works: bool  # its creator still is an administrator


def shown_service_keys() -> list[ServiceKeyOut]:
    rows = list(keys.service_keys().select_related("owner"))
    groups = dict(_named(Group.objects.values_list("pk", "name"), rows, "group_ids"))
    sites = dict(_named(WidgetSite.objects.values_list("pk", "name"), rows, "site_ids"))
    return [_shown(each, groups, sites) for each in rows]


def _named(
    names: Iterable[tuple[int, str]], rows: list[ApiKey], column: str
) -> Iterable[tuple[int, str]]:
    wanted = frozenset[int]().union(*(ids_in(getattr(each, column)) for each in rows))
    return ((pk, name) for pk, name in names if pk in wanted) if wanted else ()


def _shown(key: ApiKey, groups: dict[int, str], sites: dict[int, str]) -> ServiceKeyOut:
    limits = [groups[pk] for pk in ids_in(key.group_ids) if pk in groups]
    limits += [sites[pk] for pk in ids_in(key.site_ids) if pk in sites]
    return ServiceKeyOut(
        id=key.pk,
        name=key.name,
        prefix=key.prefix,
        creator=key.owner,
        scopes=[str(SCOPE_NAMES[each]) for each in key.scopes.split() if each in SCOPE_NAMES],
        is_limited=bool(key.group_ids or key.site_ids),
        limits=sorted(limits),
        expires_at=key.expires_at,
        is_expired=key.is_expired,
        last_used_at=last_used.of(key),
        works=role_of(key.owner) is Role.ADMINISTRATOR,
    )
