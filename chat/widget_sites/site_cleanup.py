"""Remove expired tokens, visitors without messages, and expired suspensions."""

from chat.widget_sites import identity, suspension, visitor_tokens, visitors


def remove_expired() -> None:
    visitor_tokens.remove_ended()
    identity.remove_ended()
    visitors.remove_idle()
    suspension.reinstate_due()
