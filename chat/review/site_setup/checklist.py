"""The first steps of an administrator, and which of them are done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.conf import settings

from chat.accounts.models import Invitation, User
from chat.review.access_log.staff_actions import StaffAction
from chat.review.site_setup import actions as site_actions
from chat.review.staff import privacy, roles
from chat.review.staff.roles import Role
from chat.review.staff_notices.models import NoticeChoices
from chat.site_settings import effective, setting_names, stored_settings
from chat.upstream import available_models, factory
from chat.widget_sites.models import Visitor


@dataclass(frozen=True, slots=True)
class Step:
    """A step; `is_marked` if an administrator said that it is done, or not needed."""

    name: str
    is_done: bool
    is_marked: bool


def steps() -> list[Step]:
    marked = _marked()
    return [
        Step(name, is_done=name in marked or is_done(), is_marked=name in marked)
        for name, is_done in CHECKS.items()
        if name != "duty" or privacy.is_reading_allowed()  # else nothing is reported
    ]


def mark(name: str, *, is_done: bool) -> None:
    """Remember that a step is done, or that it isn't. Unknown names are ignored."""
    marked = _marked() - {name}
    if is_done and name in CHECKS:
        marked |= {name}
    site_actions.remember(setting_names.STEPS_DONE, sorted(marked))


def hide(*, is_hidden: bool) -> None:
    """Dismiss the invitation to the checklist for all administrators, or show it again."""
    site_actions.remember(setting_names.CHECKLIST_HIDDEN, is_hidden)


def _marked() -> set[str]:
    return set(stored_settings.read().values.get(setting_names.STEPS_DONE, []))


def _is_connected() -> bool:
    return not available_models.is_emulated() and not needs_models()


def needs_models() -> bool:
    """Return True if none of the models that members are offered is known to be the provider's.

    A server connected in the page has other models than the catalogue of Workers AI.
    """
    if effective.is_provider_in_environment() or available_models.is_emulated():
        return False
    offered = [each for each in available_models.offered_models().values() if not each.provider]
    if factory.endpoint().is_workers_ai:
        return not any(each.id in settings.MODELS for each in offered)
    return all(each.id in settings.MODELS for each in offered)


def _is_set(*names: str) -> bool:
    stored = stored_settings.read().values
    return any(name in stored or effective.is_from_environment(name) for name in names)


def _has_look() -> bool:
    names = setting_names
    return _is_set(names.SITE_NAME, names.ACCENT_COLOR, names.LOGO)


def _has_sign_up() -> bool:
    return _is_set(setting_names.SIGN_UP, setting_names.SIGN_UP_DOMAINS)


def _has_links() -> bool:
    return _is_set(setting_names.TERMS_URL, setting_names.PRIVACY_URL)


def _has_limits() -> bool:
    return StaffAction.objects.filter(kind=StaffAction.Kind.QUOTA_CHANGED).exists()


def _has_starters() -> bool:
    return _is_set(setting_names.STARTERS)


def _has_people() -> bool:
    visitors = Visitor.objects.values("user")
    members = User.objects.exclude(pk__in=visitors)
    return Invitation.objects.exists() or members[1:2].exists()


def _has_duty() -> bool:
    is_chosen = NoticeChoices.objects.filter(is_on_duty__isnull=False).exists()
    administrators = roles.staff_users(Role.ADMINISTRATOR).values("pk")
    return is_chosen or roles.staff_users(Role.LEAD).exclude(pk__in=administrators).exists()


#: The steps in their order.
CHECKS: Mapping[str, Callable[[], bool]] = {
    "model": _is_connected,
    "look": _has_look,
    "sign_up": _has_sign_up,
    "links": _has_links,
    "limits": _has_limits,
    "starters": _has_starters,
    "people": _has_people,
    "duty": _has_duty,
}
