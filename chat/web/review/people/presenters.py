"""Present a person or a website to staff, with the actions that are allowed."""

from typing import Any

from chat.accounts.models import User
from chat.review import access
from chat.review.access_log.authority import may_act_on
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import StaffContext, record_profile, record_site
from chat.review.members import scopes
from chat.review.models import ConversationStats
from chat.review.moderation.personal_limits import Limited, limits_of
from chat.review.moderation.warnings import ModerationWarning
from chat.review.staff import privacy
from chat.review.staff.roles import Role
from chat.web.review.audit.presenters import staff_action_rows
from chat.web.review.members.group_forms import ScopeForm
from chat.web.review.moderation.forms import LimitForm, SuspensionForm, WarningForm
from chat.widget_sites.models import WidgetSite

MAX_STAFF_ACTIONS = 50


def user_context(staff_context: StaffContext, user: User) -> dict[str, Any]:
    """Return the template context; the view is logged."""
    record_profile(staff_context, user.pk)
    stats = ConversationStats.objects.filter(owner=user, is_hidden=False)
    context = {
        "about": user,
        "person": privacy.shown_user(staff_context.reviewer, user),
        "sees_names": privacy.sees_names(staff_context.reviewer),
        "chats": stats.count(),
        "last": stats.order_by("-updated_at").first(),
        "warnings": ModerationWarning.objects.filter(person=user),
        "sites": WidgetSite.objects.filter(owner=user).order_by("name"),
        "warning_form": WarningForm(),
    }
    if staff_context.reviewer.role >= Role.LEAD:
        about = StaffAction.objects.filter(person=user.pk).order_by("-id")[:MAX_STAFF_ACTIONS]
        context["staff_actions"] = staff_action_rows(staff_context, list(about))
        context["held"] = access.read_held_chats(staff_context, user.pk)
    return context | _acts(staff_context, user, user)


def site_context(staff_context: StaffContext, site: WidgetSite) -> dict[str, Any]:
    """Return the template context; the view is logged."""
    record_site(staff_context, site.name)
    about = StaffAction.objects.filter(site=site.pk).order_by("-id")[:MAX_STAFF_ACTIONS]
    return {
        "about": site,
        "site": site,
        "person": _owner(staff_context, site),
        "visitors": site.visitors.count(),
        "chats": ConversationStats.objects.filter(
            owner__visitor__site=site, is_hidden=False
        ).count(),
        "staff_actions": staff_action_rows(staff_context, list(about)),
        "scopes": scopes.of_site(site),
        "scope_form": ScopeForm(),
        **_acts(staff_context, site, site.owner),
    }


def _owner(staff_context: StaffContext, site: WidgetSite) -> privacy.ShownUser | None:
    """Return the owner, or None for staff who review only the site's visitors."""
    owner = staff_context.reviewer.people.filter(pk=site.owner_id).first()
    return privacy.shown_user(staff_context.reviewer, owner) if owner else None


def _acts(staff_context: StaffContext, whom: Limited, owner: User) -> dict[str, Any]:
    return {
        "may_act": staff_context.reviewer.role >= Role.LEAD and may_act_on(staff_context, owner),
        "limits": list(limits_of(whom)),
        "suspension_form": SuspensionForm(),
        "limit_form": LimitForm(),
    }
