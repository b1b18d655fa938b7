"""Index of every model, for Django; inside the app import them from their own file."""

from chat.accounts.models import SetupLink, User
from chat.conversations.models import Conversation, Message, Rating, Takeover
from chat.personas.models import Persona, Prompt
from chat.quotas.models import Charge, Limit, Meter, Pace, Pause
from chat.relay.models import Generation, LogPage, Worker
from chat.review.deeds import Deed
from chat.review.models import Facts, Note, Read, ReviewScope, SavedView, Seal
from chat.sharing.models import SharedLink
from chat.sites.models import IdentityKey, Site, UsedIdentity, Visitor, VisitorToken

__all__ = [
    "Charge",
    "Conversation",
    "Deed",
    "Facts",
    "Generation",
    "IdentityKey",
    "Limit",
    "LogPage",
    "Message",
    "Meter",
    "Note",
    "Pace",
    "Pause",
    "Persona",
    "Prompt",
    "Rating",
    "Read",
    "ReviewScope",
    "SavedView",
    "Seal",
    "SetupLink",
    "SharedLink",
    "Site",
    "Takeover",
    "UsedIdentity",
    "User",
    "Visitor",
    "VisitorToken",
    "Worker",
]
