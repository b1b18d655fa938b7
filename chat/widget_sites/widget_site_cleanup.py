"""Remove expired tokens, visitors without messages, and expired suspensions."""

from chat.widget_sites import identity, suspension, visitor_tokens, visitors


def remove_expired() -> None:
    visitor_tokens.remove_expired()
    identity.remove_expired()
    visitors.remove_idle()
    suspension.reinstate_due()
