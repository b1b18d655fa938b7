"""What nobody can use any more: tokens that ended, and visitors who came and never spoke."""

from chat.sites import identity, tokens, visitors


def sweep() -> None:
    tokens.remove_ended()
    identity.remove_ended()
    visitors.remove_idle()
