"""Who is told of a case of high severity, and who next if nobody takes it on.

Leads are on duty unless they say otherwise, other staff if they say so. If nobody on duty may read
the chat, administrators are told, so somebody always is.
"""

from collections.abc import Iterable

from chat.review.staff.roles import Reviewer, Role
from chat.review.staff_notices.models import NoticeChoices

#: Leads are told again, then administrators.
MAX_ESCALATIONS = 2


def is_on_duty(role: Role, chosen: bool | None) -> bool:
    """Return whether somebody with this role is on duty; None: they have not chosen."""
    return role is Role.LEAD if chosen is None else chosen


def on_duty(readers: Iterable[Reviewer]) -> set[int]:
    """Return the IDs of those on duty among the people who may read a chat."""
    readers = list(readers)
    chosen = _chosen(readers)
    on_duty_now = {
        each.user_id for each in readers if is_on_duty(each.role, chosen.get(each.user_id))
    }
    return on_duty_now or _with_role(readers, Role.ADMINISTRATOR)


def next_ones(readers: Iterable[Reviewer], escalations: int) -> set[int]:
    """Return whom to tell that a case is unclaimed: leads at first, then administrators too."""
    readers = list(readers)
    people = on_duty(readers) | _with_role(readers, Role.LEAD)
    return people if escalations <= 1 else people | _with_role(readers, Role.ADMINISTRATOR)


def _chosen(readers: list[Reviewer]) -> dict[int, bool | None]:
    rows = NoticeChoices.objects.filter(pk__in=[each.user_id for each in readers])
    return dict(rows.values_list("pk", "is_on_duty"))


def _with_role(readers: list[Reviewer], role: Role) -> set[int]:
    return {each.user_id for each in readers if each.role is role}
