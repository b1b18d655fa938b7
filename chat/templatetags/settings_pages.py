"""Render the navigation of the settings: a list of groups, and the way back from a page of one."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.inbox.team_invitations import invitations_for

register = template.Library()


@dataclass(frozen=True, slots=True)
class Group:
    """A group of settings: the route of its page, and those of the pages that belong to it."""

    route: str
    label: str | Promise
    pages: tuple[str, ...] = ()
    prefix: str = ""  # of further routes


GROUPS = (
    Group("settings", _("General")),
    Group("personalization", _("Personalization")),
    Group("personas", _("Personas"), ("new_persona", "persona", "copy_persona", "delete_persona")),
    Group("prompts", _("Prompts"), ("new_prompt", "import_prompts", "prompt", "delete_prompt")),
    Group(
        "projects",
        _("Projects"),
        (
            "new_project",
            "project",
            "change_project",
            "delete_project",
            "project_archive",
            "tags",
            "tag",
            "delete_tag",
        ),
    ),
    Group(
        "collections",
        _("Collections"),
        (
            "new_collection",
            "collection",
            "change_collection",
            "delete_collection",
            "document",
            "delete_document",
        ),
    ),
    Group(
        "chats_and_data",
        _("Chats and data"),
        (
            "import",
            "archive",
            "shared_links",
            "shared_link_recipients",
            "received_links",
            "access_history",
            "account_deletion",
        ),
    ),
    Group(
        "security",
        _("Security"),
        ("devices", "account_email", "account_change_password", "account_set_password"),
        prefix="mfa_",
    ),
    Group("usage", _("Usage")),
    Group("api_keys", _("API")),
    Group(
        "sites",
        _("Websites"),
        (
            "new_site",
            "site",
            "change_site",
            "delete_site",
            "site_look",
            "check_site",
            "site_keys",
            "site_answers",
            "new_site_answer",
            "site_answer",
            "delete_site_answer",
            "site_gaps",
            "draft_gap",
            "answer_gap",
            "try_site",
            "keep_case",
        ),
        prefix="inbox_",
    ),
)


@register.inclusion_tag("settings/_nav.html", takes_context=True)
def settings_nav(context: Context) -> dict[str, Any]:
    """List the groups that the user has; the one of the page is marked."""
    here = _route(context)
    shown = [each for each in GROUPS if _is_offered(each, context)]
    current = next((each for each in shown if _contains(each, here)), None)
    links = [(each.label, reverse(each.route), _mark(each, current, here)) for each in shown]
    back = current if current and current.route != here else None
    return {"links": links, "back": back and (back.label, reverse(back.route))}


def _route(context: Context) -> str:
    match = getattr(context.get("request"), "resolver_match", None)
    return (match and match.url_name) or ""


def _contains(group: Group, route: str) -> bool:
    in_pages = route == group.route or route in group.pages
    return in_pages or bool(group.prefix and route.startswith(group.prefix))


def _mark(group: Group, current: Group | None, route: str) -> str:
    """Return the value of `aria-current`: empty for all groups but one."""
    if group is not current:
        return ""
    return "page" if group.route == route else "true"


def _is_offered(group: Group, context: Context) -> bool:
    user = context["user"]
    allowed = {"api_keys": context.get("API_KEYS"), "sites": context.get("WIDGET_SITES")}
    who = allowed.get(group.route, "members")
    if who == "members" or (who == "staff" and user.is_staff):
        return True
    if group.route != "sites":
        return False
    return user.site_memberships.exists() or invitations_for(user).exists()
