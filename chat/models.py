"""Index of every model, for Django; inside the app import them from their own file."""

from chat.accounts.models import Invitation, SetupLink, User
from chat.accounts.sessions.session_store import UserSession
from chat.conversations.models import (
    Conversation,
    HiddenWords,
    Message,
    Rating,
    Takeover,
    UnindexedMessage,
)
from chat.generations.models import AllowedModel, Generation, LogPage, Worker
from chat.personas.models import Persona, Prompt
from chat.quotas.models import Charge, Limit, Meter, Pace, Pause
from chat.review.access_log.staff_actions import Deed
from chat.review.analytics.models import CountedDay, ErrorTally, Tally
from chat.review.case_models import Case, Flag, Rule, Unchecked
from chat.review.cases.case_holds import Hold
from chat.review.models import Facts, Note, Read, ReviewScope, SavedView, Seal
from chat.review.moderation.warnings import Warned
from chat.sharing.models import SharedLink
from chat.widget_sites.models import IdentityKey, Site, UsedIdentity, Visitor, VisitorToken

__all__ = [
    "AllowedModel",
    "Case",
    "Charge",
    "Conversation",
    "CountedDay",
    "Deed",
    "ErrorTally",
    "Facts",
    "Flag",
    "Generation",
    "HiddenWords",
    "Hold",
    "IdentityKey",
    "Invitation",
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
    "Rule",
    "SavedView",
    "Seal",
    "SetupLink",
    "SharedLink",
    "Site",
    "Takeover",
    "Tally",
    "Unchecked",
    "UnindexedMessage",
    "UsedIdentity",
    "User",
    "UserSession",
    "Visitor",
    "VisitorToken",
    "Warned",
    "Worker",
]
