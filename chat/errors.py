"""All errors, as one tree of exceptions; docs/design/errors.md shows it.

Imports no other module of the project. People see `public`, in the language of the request;
programs use `code`. Inside a stream, which has many readers, the message is English. The provider's
message is never shown, because it may echo a request. `detail` (numeric code, request id) is for
the log.
"""

from datetime import datetime
from typing import ClassVar, Self
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class ChatError(Exception):
    """Base of the tree: `code` for programs, `status` for HTTP, `public` for people."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False
    text: ClassVar[str | Promise] = _("Something went wrong on our side. Your draft is saved.")

    def __init__(
        self,
        public: str | Promise = "",
        *,
        detail: str = "",
        retry_after_seconds: float | None = None,
    ) -> None:
        self._public = public or self.text
        self.detail = detail
        self.retry_after_seconds = retry_after_seconds
        self.headers: dict[str, str] = {}  # additional headers of the HTTP response
        self.param: str | None = None  # the field of the request that is wrong, for the API
        super().__init__(f"{self.code}: {detail}" if detail else self.code)

    def at(self, param: str) -> Self:
        """Name the field of the request that is wrong, and return the error."""
        self.param = param
        return self

    @property
    def public(self) -> str:
        return str(self._public)

    def as_dict(self) -> dict[str, object]:
        """Return the error as clients see it, in JSON responses and inside streams."""
        return {"code": self.code, "message": self.public, "retryable": self.retryable}


class BadRequest(ChatError):
    code, status = "bad_request", 400
    text = _("This request isn't valid.")


class PromptTooLong(BadRequest):
    code, status = "prompt_too_long", 413
    text = _("Your message is too long for this model. Shorten it or choose another model.")


class PersonaTooLong(PromptTooLong):
    code = "persona_too_long"
    text = _(
        "Together with your custom instructions and those of the persona and the project, your "
        "message is too long for this model. Choose another model."
    )


class HeadersTooLong(BadRequest):
    code, status = "headers_too_long", 431
    text = _("Your browser sent too much data. Delete its cookies for this site.")


class FormTooLarge(BadRequest):
    """413: a form of a page, with its files, is larger than the site accepts."""

    code, status = "body_too_long", 413
    text = _("This is too large for this site. Choose a smaller file or shorten the text.")


class MessageTooLong(BadRequest):
    code, status = "message_too_long", 413


class ConversationFull(BadRequest):
    code, status = "conversation_full", 413


class CannotShare(BadRequest):
    code, status = "cannot_share", 422


class UnknownModel(BadRequest):
    code = "unknown_model"
    text = _("This model isn't available here. Choose another one.")


class NotAuthenticated(ChatError):
    code, status = "not_authenticated", 401
    text = _("You've been signed out. Sign in again to continue. Your draft is saved.")


class Forbidden(ChatError):
    code, status = "forbidden", 403
    text = _("This request isn't allowed.")


class StaffOnly(Forbidden):
    code = "staff_only"
    text = _("You don't have permission to use the Administration pages.")


class NotFound(ChatError):
    code, status = "not_found", 404
    text = _("Not found.")


class PersonaUnavailable(NotFound):
    code = "persona_unavailable"
    text = _("This persona is no longer available. Start a new chat and choose another one.")


class ProjectUnavailable(NotFound):
    code = "project_unavailable"
    text = _("This project was deleted. Start a new chat.")


class CollectionUnavailable(NotFound):
    code = "collection_unavailable"
    text = _("A collection was deleted or is no longer shared with you. Your draft is saved.")


class Deleted(NotFound):
    code = "deleted"
    text = _("This chat has been deleted.")

    def __init__(self, conversation_id: UUID) -> None:
        super().__init__()
        self.conversation_id = conversation_id


class Conflict(ChatError):
    code, status = "conflict", 409
    text = _("This was already sent with different text. Reload the page to see it.")


class ProjectArchived(Conflict):
    code = "project_archived"
    text = _("This project is archived. To add chats to it, unarchive it.")


class QuotaExceeded(ChatError):
    code, status = "quota_exceeded", 429
    text = _("A limit of this site has been reached. Your draft is saved.")
    retryable = True

    def __init__(
        self,
        public: str | Promise = "",
        *,
        measure: str,
        retry_after_seconds: float | None = None,
        resets_at: datetime | None = None,
        reason: str | Promise = "",
    ) -> None:
        super().__init__(public, detail=measure, retry_after_seconds=retry_after_seconds)
        self.measure, self.resets_at, self.reason = measure, resets_at, reason

    def as_dict(self) -> dict[str, object]:
        at = self.resets_at.isoformat() if self.resets_at else None
        own = {"measure": self.measure, "resets_at": at, "reason": str(self.reason)}
        return super().as_dict() | own


class BodyTooSlow(ChatError):
    code, status = "body_too_slow", 408
    text = _("The request timed out. Your draft is saved. Check your connection, then try again.")
    retryable = True


class RateLimitExceeded(ChatError):
    code, status = "rate_limit_exceeded", 429
    text = _("Too many attempts. Wait a moment.")
    retryable = True


class ShuttingDown(ChatError):
    code, status = "shutting_down", 503
    text = _("This site is restarting. Try again in a moment. Your draft is saved.")
    retryable = True


class Overloaded(ChatError):
    code, status = "overloaded", 503
    text = _("This site is very busy. Try again in a moment. Your draft is saved.")
    retryable = True


class UpstreamError(ChatError):
    code, status = "upstream_error", 502
    text = _("The model provider had a problem. Try again.")
    retryable = True
    provider = ""  # the name of the provider that failed; empty for the one in the settings


class UpstreamUnreachable(UpstreamError):
    code = "upstream_unreachable"
    text = _("The model provider can't be reached. Try again in a moment.")


class UpstreamTimeout(UpstreamError):
    code, status = "upstream_timeout", 504
    text = _("The model stopped responding. The partial answer was saved. Try again.")


class UpstreamReportedTimeout(UpstreamTimeout):
    text = _("The model took too long to start. Try again.")


class UpstreamDisconnected(UpstreamError):
    code = "upstream_disconnected"
    text = _("The connection to the model was lost. The partial answer was saved. Try again.")


class AnswerTooLong(UpstreamDisconnected):
    code = "answer_too_long"
    text = _("The answer reached this site's size limit. The partial answer was saved.")


class NotStreamed(UpstreamDisconnected):
    code = "not_streamed"
    text = _("The model didn't answer. Try again, or choose another model.")


class UpstreamRejected(UpstreamError):
    code = "upstream_rejected"
    text = _("The model provider rejected this request.")
    retryable = False


class ContentFiltered(UpstreamRejected):
    """400: a content rule of the provider refused the request."""

    code, status = "content_filter", 400
    text = _("A content rule of the model provider blocked your message. Rephrase it.")


class ContextTooLong(UpstreamRejected):
    code, status = "context_too_long", 413
    text = _("This chat is too long for this model.")

    def __init__(self, *, detail: str = "", limit_tokens: int | None = None) -> None:
        super().__init__(detail=detail)
        self.limit_tokens = limit_tokens


class BadImageData(UpstreamRejected):
    code, status = "bad_image_data", 400
    text = _("The model couldn't read an image, or mistook part of your text for one.")


class NotConfigured(UpstreamRejected):
    code = "upstream_not_configured"
    text = _("The model provider rejected this site's account. Contact the site administrator.")


class AllocationExhausted(UpstreamRejected):
    code, status = "allocation_exhausted", 503
    text = _(
        "This site has reached its daily limit with the model provider. It resets at 00:00 UTC."
    )


class CreditExhausted(UpstreamRejected):
    code, status = "credit_exhausted", 503
    text = _(
        "This site's credit with the model provider is used up. Contact the site administrator."
    )


class ModelRemoved(UpstreamRejected):
    code = "model_removed"
    text = _("The model provider no longer offers this model. Choose another one.")


class UpstreamBusy(UpstreamError):
    code, status = "upstream_busy", 503
    text = _("The model provider is busy. Try again in a moment.")


class OutOfCapacity(UpstreamBusy):
    code = "out_of_capacity"
    text = _("This model is at capacity. Try again, or choose another model.")


class UpstreamRateLimited(UpstreamBusy):
    code = "upstream_rate_limited"
    text = _("Too many requests to the model provider. Try again in a moment.")
