"""Remove expired tokens, invitations and suspensions, and visitors without messages."""

from collections.abc import Callable

from chat.database.housekeeping import isolated
from chat.widget_sites import identity, suspension, team, visitor_tokens, visitors

TASKS: tuple[Callable[[], object], ...] = (
    visitor_tokens.remove_expired,
    identity.remove_expired,
    visitors.remove_idle,
    team.remove_expired_invitations,
    suspension.reinstate_due,
)


def remove_expired() -> None:
    for task in TASKS:
        with isolated(task.__module__, task.__name__):
            task()
