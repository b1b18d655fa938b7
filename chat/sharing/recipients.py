"""Choose whom a link is for, and list what is shared with a member.

Whoever names an address doesn't learn whether it has an account here.
"""

import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.accounts import confirmed_addresses
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.errors import CannotShare, NotFound
from chat.sharing.models import LinkRecipient, SharedLink, digest_of, received_by

MAX_ADDRESSES = 50  # of one link
MAX_RECEIVED = 200  # are listed, the newest
BEFORE_ALL = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Recipients:
    """Whom a link is for: anyone who has it, or only these addresses and groups."""

    is_restricted: bool = False
    emails: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()


def groups_for(user_id: int, link: SharedLink | None = None) -> QuerySet[Group]:
    """Return the groups that a member may choose: their own, and those that the link has."""
    chosen = link.recipients.exclude(group=None).values("group") if link else ()
    own = Group.objects.filter(user=user_id).values("pk")
    return Group.objects.filter(Q(pk__in=own) | Q(pk__in=chosen)).order_by("name")


@transaction.atomic
def set_recipients(link: SharedLink, recipients: Recipients) -> None:
    """Change whom the link is for; its address stays. Raise `CannotShare`."""
    held = SharedLink.objects.select_for_update(no_key=True, of=("self",)).defer("turns")
    link = held.get(pk=link.pk)
    if link.is_restricted != recipients.is_restricted:
        _restrict(link, is_restricted=recipients.is_restricted)
    if not recipients.is_restricted:
        link.recipients.all().delete()
        return
    emails = {each.lower() for each in recipients.emails}
    link.recipients.exclude(email="").exclude(email__in=emails).delete()
    link.recipients.filter(email="").exclude(group__in=recipients.groups).delete()
    people = set(link.recipients.values_list("email", flat=True))
    groups = set(link.recipients.values_list("group", flat=True))
    _add(
        link,
        sorted(emails - people),
        [each for each in recipients.groups if each.pk not in groups],
    )


def received_links(user_id: int) -> list[SharedLink]:
    """Return what is shared with a member, newest first, without the turns."""
    links = SharedLink.objects.shared_with(user_id).defer("turns").select_related("owner")
    return list(links.order_by("-created_at", "-id")[:MAX_RECEIVED])


def named_in(user_id: int) -> set[uuid.UUID]:
    """Return the links that name the member as a person, and not only through a group."""
    return set(received_by(user_id).filter(group=None).values_list("link", flat=True))


def received_since(user_id: Any, moment: Any) -> QuerySet[LinkRecipient]:
    """Return the rows that were added for a member since then; some may have expired."""
    received = received_by(user_id).filter(
        added_at__gt=moment, link__conversation__purge_after=None
    )
    return received.exclude(link__owner=user_id)


def seen_until(preferences: Preferences) -> datetime:
    """Return when a member last looked at what is shared with them."""
    try:
        return datetime.fromisoformat(preferences.received_links_seen)
    except ValueError:
        return BEFORE_ALL


def note_seen(user: User) -> None:
    """Remember that the member has seen everything that is shared with them now."""
    preferences = Preferences.of(user)
    if received_since(user.pk, seen_until(preferences)).exists():
        replace(preferences, received_links_seen=timezone.now().isoformat()).save(user)


def leave(user_id: int, link_id: uuid.UUID) -> None:
    """Take a member out of the recipients at their own wish; not out of groups.

    Raise `NotFound` if the link doesn't name them.
    """
    named = received_by(user_id).filter(group=None, link=link_id)
    if not named.delete()[0]:
        raise NotFound


def forget(user: User) -> None:
    """Remove an account that is being closed from what others share.

    Its addresses go only if it has confirmed them: others may be somebody else's.
    """
    addresses = confirmed_addresses.lower_case_addresses(user.pk)
    LinkRecipient.objects.filter(account=user).delete()
    LinkRecipient.objects.filter(account=None, email__in=addresses).delete()


def _restrict(link: SharedLink, *, is_restricted: bool) -> None:
    if not link.token:
        words = _(
            "The address of this link can't be shown again, so who can open it can't be changed. "
            "Revoke it and create a new link."
        )
        raise CannotShare(words)
    digest = digest_of(link.token, is_restricted=is_restricted)
    link.is_restricted, link.digest = is_restricted, digest
    link.save(update_fields=["is_restricted", "digest"])


def _add(link: SharedLink, emails: list[str], groups: list[Group]) -> None:
    accounts = confirmed_addresses.owners_of(emails) if emails else {}
    people = [
        LinkRecipient(link=link, email=email, account_id=accounts.get(email)) for email in emails
    ]
    LinkRecipient.objects.bulk_create(
        [*people, *(LinkRecipient(link=link, group=group) for group in groups)]
    )
