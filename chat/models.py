"""Index of every model, so that Django finds them; inside the app import them from their own file."""

from chat.accounts.models import SetupLink, User

__all__ = ["SetupLink", "User"]
