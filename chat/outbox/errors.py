"""How a delivery fails. The texts are logged and stored, so they quote neither people nor chats."""


class DeliveryFailed(Exception):
    """It was not delivered, for now: it is tried again."""


class DeliveryRefused(DeliveryFailed):
    """It was refused for good: after `attempts` in all it is given up."""

    def __init__(self, reason: str, attempts: int = 1) -> None:
        super().__init__(reason)
        self.attempts = attempts


class DeliveryUncertain(DeliveryFailed):
    """All of it was sent, and no answer came in time. It is sent once more at most."""
