"""What is over: tokens, visitors who came and never spoke, and suspensions."""

from chat.sites import identity, suspending, tokens, visitors


def sweep() -> None:
    tokens.remove_ended()
    identity.remove_ended()
    visitors.remove_idle()
    suspending.let_in_due()
