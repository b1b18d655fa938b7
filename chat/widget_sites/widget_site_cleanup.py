"""Remove expired tokens, invitations and suspensions, and visitors without messages."""

from chat.widget_sites import identity, suspension, team, visitor_tokens, visitors


def remove_expired() -> None:
    visitor_tokens.remove_expired()
    identity.remove_expired()
    visitors.remove_idle()
    team.remove_expired_invitations()
    suspension.reinstate_due()
