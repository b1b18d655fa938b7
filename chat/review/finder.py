"""Find people, groups, models and websites by name, as far as a reviewer may open their pages."""

from dataclasses import dataclass, field
from enum import StrEnum

from django.contrib.auth.models import Group
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from chat.accounts.models import User
from chat.database.any_case import contains
from chat.lib.catalogue import Model
from chat.review.members import groups
from chat.review.model_catalogue import actions as catalogue_actions
from chat.review.moderation.widget_site_suspension import sites_of
from chat.review.staff import privacy
from chat.review.staff.people_search import MAX_WORDS
from chat.review.staff.roles import Reviewer, Role
from chat.widget_sites.models import WidgetSite

#: Of each kind.
MAX_FOUND = 20


class FindableKind(StrEnum):
    PERSON = "person"
    GROUP = "group"
    MODEL = "model"
    WEBSITE = "website"


@dataclass(slots=True)
class Findings:
    """What was found, by name; at most `MAX_FOUND` of each kind, and `is_cut` if there are more."""

    people: list[User] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    models: list[Model] = field(default_factory=list)
    sites: list[WidgetSite] = field(default_factory=list)
    is_cut: bool = False


def kinds_for(reviewer: Reviewer) -> tuple[FindableKind, ...]:
    """Return the kinds whose pages are there for this reviewer."""
    is_administrator = reviewer.role is Role.ADMINISTRATOR
    may_read = privacy.is_reading_allowed()
    is_there = {
        FindableKind.PERSON: is_administrator or (may_read and reviewer.role >= Role.REVIEWER),
        FindableKind.GROUP: is_administrator,
        FindableKind.MODEL: is_administrator,
        FindableKind.WEBSITE: may_read and reviewer.role >= Role.LEAD,
    }
    return tuple(kind for kind in FindableKind if is_there[kind])


def find(reviewer: Reviewer, text: str) -> Findings:
    """Return what has each word of `text` in its name or address; nothing for an empty text."""
    found = Findings()
    if not text.strip():
        return found
    kinds = kinds_for(reviewer)
    if FindableKind.PERSON in kinds:
        found.people = _people(reviewer, text)
    if FindableKind.GROUP in kinds:
        found.groups = list(groups.all_groups().filter(_named("name", text))[: MAX_FOUND + 1])
    if FindableKind.MODEL in kinds:
        found.models = _models(text)
    if FindableKind.WEBSITE in kinds:
        found.sites = _sites(reviewer, text)
    for each in (found.people, found.groups, found.models, found.sites):
        found.is_cut |= len(each) > MAX_FOUND
        del each[MAX_FOUND:]
    return found


def _people(reviewer: Reviewer, text: str) -> list[User]:
    """Return people by name. Where nobody may read chats, visitors have no page."""
    only_members = not privacy.is_reading_allowed()
    ids = privacy.find_users(reviewer, text, only_members=only_members)
    people = [each for each in privacy.load_users(ids).values() if not each.closed_at]
    return sorted(people, key=lambda each: str(privacy.shown_user(reviewer, each)).casefold())


def _models(text: str) -> list[Model]:
    models = catalogue_actions.current_models().values()
    return [each for each in models if not each.is_gone and catalogue_actions.is_named(each, text)]


def _sites(reviewer: Reviewer, text: str) -> list[WidgetSite]:
    """Return websites by their names and the addresses that show their chat."""
    sites = sites_of(reviewer).annotate(addresses=Cast("origins", TextField()))
    named = _named("name", text) | _named("addresses", text)
    return list(sites.filter(named).order_by("name", "pk")[: MAX_FOUND + 1])


def _named(column: str, text: str) -> Q:
    return Q(*(contains(column, word) for word in text.split()[:MAX_WORDS]))
