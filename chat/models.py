"""Index of every model, for Django; inside the app import them from their own file."""

from chat.accounts.models import SetupLink, User

__all__ = ["SetupLink", "User"]
