"""Index of all models, for Django. Inside the app, import them from their own modules."""

from chat.accounts.models import Invitation, SetupLink, User
from chat.accounts.sessions.session_store import UserSession
from chat.api_keys.models import ApiKey
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import (
    Conversation,
    Message,
    ProgramHistory,
    Rating,
    RedactedText,
    Takeover,
    UnindexedMessage,
)
from chat.conversations.retention.models import ExpiryNotice, GroupRetention
from chat.conversations.sources.models import MessageSources
from chat.conversations.summaries.models import ChatSummary
from chat.conversations.tool_calls.models import StoredToolCall
from chat.data_requests.models import DataRequest
from chat.evaluation.models import (
    BlindVote,
    DatasetItem,
    EvaluationDataset,
    EvaluationRun,
    RunAnswer,
)
from chat.generations.models import AllowedModel, Generation, LogPage, WithheldTool, Worker
from chat.generations.pairs.models import AnswerPair, PairVote
from chat.inbox.models import SiteNotice, VisitorEmail
from chat.knowledge.models import Collection, Document, DocumentContent, DocumentIndex
from chat.outbox.models import Delivery
from chat.personas.models import Persona, Prompt
from chat.projects.models import ChatTag, Project
from chat.quotas.models import Charge, ConfigVersion, Limit, Meter, UpstreamPace, UpstreamPause
from chat.review.access_log.staff_actions import StaffAction
from chat.review.analytics.models import (
    DailyErrors,
    DailyLanguages,
    DailyTopics,
    DailyUsage,
    RolledUpDay,
)
from chat.review.audit_export.models import AuditExport
from chat.review.case_models import Case, Flag, PendingRuleCheck, Rule
from chat.review.cases.holds import LegalHold
from chat.review.language_models import MessageLanguage
from chat.review.models import (
    AccessLogEntry,
    AuditSeal,
    ConversationStats,
    ReviewScope,
    SavedSearch,
    StaffNote,
)
from chat.review.moderation.warnings import ModerationWarning
from chat.review.personal_data_models import MessagePersonalData, PersonalDataScan
from chat.review.rating_models import (
    RatingForm,
    RatingQuestion,
    RatingSample,
    RatingTask,
    SampleDraw,
    StaffRating,
    StaffRatingText,
)
from chat.review.staff_notices.models import (
    Alert,
    CaseWebhook,
    CaseWebhookAttempt,
    NoticeChoices,
    StaffNotice,
)
from chat.review.verdict_models import MessageVerdict
from chat.sharing.models import LinkRecipient, SharedLink
from chat.site_settings.models import SiteLogo, SiteSetting
from chat.tools.mcp.models import McpServer, McpSignIn, McpTool
from chat.upstream.catalogue.models import ModelOverlay
from chat.website_answers.models import AnswerCase, AnswerSnippet, Gap, UnansweredQuestion
from chat.website_sources.models import CrawlTurn, WebsitePage, WebsiteSource
from chat.widget_sites.models import (
    IdentityKey,
    SiteMember,
    SitePicture,
    TeamInvitation,
    TeamProfile,
    UsedIdentity,
    Visitor,
    VisitorToken,
    WidgetSite,
)

__all__ = [
    "AccessLogEntry",
    "Alert",
    "AllowedModel",
    "AnswerCase",
    "AnswerPair",
    "AnswerSnippet",
    "ApiKey",
    "AuditExport",
    "AuditSeal",
    "BlindVote",
    "Case",
    "CaseWebhook",
    "CaseWebhookAttempt",
    "Charge",
    "ChatSummary",
    "ChatTag",
    "Collection",
    "ConfigVersion",
    "Conversation",
    "ConversationStats",
    "CrawlTurn",
    "DailyErrors",
    "DailyLanguages",
    "DailyTopics",
    "DailyUsage",
    "DataRequest",
    "DatasetItem",
    "Delivery",
    "Document",
    "DocumentContent",
    "DocumentIndex",
    "EvaluationDataset",
    "EvaluationRun",
    "ExpiryNotice",
    "Flag",
    "Gap",
    "Generation",
    "GroupRetention",
    "IdentityKey",
    "Invitation",
    "LegalHold",
    "Limit",
    "LinkRecipient",
    "LogPage",
    "McpServer",
    "McpSignIn",
    "McpTool",
    "Message",
    "MessageImage",
    "MessageLanguage",
    "MessagePersonalData",
    "MessageSources",
    "MessageVerdict",
    "Meter",
    "ModelOverlay",
    "ModerationWarning",
    "NoticeChoices",
    "PairVote",
    "PendingRuleCheck",
    "Persona",
    "PersonalDataScan",
    "ProgramHistory",
    "Project",
    "Prompt",
    "Rating",
    "RatingForm",
    "RatingQuestion",
    "RatingSample",
    "RatingTask",
    "RedactedText",
    "ReviewScope",
    "RolledUpDay",
    "Rule",
    "RunAnswer",
    "SampleDraw",
    "SavedSearch",
    "SetupLink",
    "SharedLink",
    "SiteLogo",
    "SiteMember",
    "SiteNotice",
    "SitePicture",
    "SiteSetting",
    "StaffAction",
    "StaffNote",
    "StaffNotice",
    "StaffRating",
    "StaffRatingText",
    "StoredImage",
    "StoredToolCall",
    "Takeover",
    "TeamInvitation",
    "TeamProfile",
    "UnansweredQuestion",
    "UnindexedMessage",
    "UpstreamPace",
    "UpstreamPause",
    "UsedIdentity",
    "User",
    "UserSession",
    "Visitor",
    "VisitorEmail",
    "VisitorToken",
    "WebsitePage",
    "WebsiteSource",
    "WidgetSite",
    "WithheldTool",
    "Worker",
]
