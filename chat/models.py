"""Index of every model, for Django; inside the app import them from their own file."""

from chat.accounts.models import SetupLink, User
from chat.conversations.models import Conversation, Message, Rating
from chat.relay.models import Generation, LogPage, Worker

__all__ = [
    "Conversation",
    "Generation",
    "LogPage",
    "Message",
    "Rating",
    "SetupLink",
    "User",
    "Worker",
]
