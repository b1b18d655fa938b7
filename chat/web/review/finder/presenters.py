"""Present what was found as links to its pages, grouped by kind."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils.translation import gettext as _

from chat.accounts.models import User
from chat.lib.catalogue import Model
from chat.review.finder import Findings
from chat.review.staff import privacy
from chat.review.staff.roles import Reviewer, Role
from chat.widget_sites.models import WidgetSite

MAX_ADDRESSES = 3  # of a website


@dataclass(frozen=True, slots=True)
class FoundLink:
    """Something that was found, with its page; administrators set its limits at `limits_url`.

    `chats_url` is the page with a member's chats, for those whom `url` leads to the account.
    """

    name: str
    url: str
    detail: str = ""
    limits_url: str = ""
    chats_url: str = ""


def links_by_kind(reviewer: Reviewer, found: Findings) -> list[tuple[str, list[FoundLink]]]:
    """Return the kinds of which something was found, with its links."""
    kinds: list[tuple[str, Iterable[FoundLink]]] = [
        (_("People"), (_to_user(reviewer, each) for each in found.people)),
        (_("Groups"), (_to_group(each) for each in found.groups)),
        (_("Models"), (_to_model(each) for each in found.models)),
        (_("Websites"), (_to_site(reviewer, each) for each in found.sites)),
    ]
    listed = [(name, list(links)) for name, links in kinds]
    return [each for each in listed if each[1]]


def _to_user(reviewer: Reviewer, user: User) -> FoundLink:
    """Return a link to a person's page; administrators act on members in their account."""
    shown = privacy.shown_user(reviewer, user)
    detail = shown.site or (shown.email if shown.email != shown.name else "")
    page = reverse("review_person", args=[shown.key])
    if reviewer.role is not Role.ADMINISTRATOR or user.is_visitor:
        return FoundLink(shown.name, page, detail)
    return FoundLink(
        shown.name,
        reverse("review_account", args=[user.pk]),
        detail,
        limits_url=reverse("review_quotas", args=["person", user.pk]),
        chats_url=page if privacy.is_reading_allowed() else "",
    )


def _to_group(group: Group) -> FoundLink:
    limits = reverse("review_quotas", args=["group", group.pk])
    return FoundLink(group.name, reverse("review_group", args=[group.pk]), limits_url=limits)


def _to_model(model: Model) -> FoundLink:
    return FoundLink(model.name, reverse("review_model", args=[model.id]), model.id)


def _to_site(reviewer: Reviewer, site: WidgetSite) -> FoundLink:
    addresses = ", ".join(site.origins[:MAX_ADDRESSES])
    is_administrator = reviewer.role is Role.ADMINISTRATOR
    limits = reverse("review_quotas", args=["website", site.key]) if is_administrator else ""
    page = reverse("review_site", args=[site.key])
    return FoundLink(site.name, page, addresses, limits_url=limits)
