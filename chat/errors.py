"""All errors, as one tree of exceptions; docs/design/errors.md shows it.

Readers are told `text`, or what `others` has for them, in the language of the request; programs use
`code`. Inside a stream, which has many readers, the message is English. The provider's message is
never shown, because it may echo a request. `detail` (numeric code, request id) is for the log.
"""

from datetime import datetime
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.base_error import ChatError as ChatError
from chat.base_error import ErrorReader as ErrorReader

_UNAVAILABLE = _("The chat isn't available right now. Try again later.")
_BUSY = _("The chat is very busy. Try again in a moment.")
_AGAIN = _("The chat couldn't answer. Try again.")


class BadRequest(ChatError):
    code, status = "bad_request", 400
    text = _("This request isn't valid.")


class PromptTooLong(BadRequest):
    code, status = "prompt_too_long", 413
    text = _("Your message is too long for this model. Shorten it or choose another model.")
    others = {ErrorReader.VISITOR: _("Your message is too long. Shorten it.")}


class PersonaTooLong(PromptTooLong):
    code = "persona_too_long"
    text = _(
        "Together with your custom instructions and those of the persona and the project, your "
        "message is too long for this model. Choose another model."
    )
    others = {ErrorReader.VISITOR: _("Your message is too long. Shorten it.")}


class HeadersTooLong(BadRequest):
    code, status = "headers_too_long", 431
    text = _("Your browser sent too much data. Delete its cookies for this site.")
    others = {ErrorReader.PROGRAM: _("The headers of this request are too long.")}


class FormTooLarge(BadRequest):
    """413: a form of a page, with its files, is larger than the site accepts."""

    code, status = "body_too_long", 413
    text = _("This is too large for this site. Choose a smaller file or shorten the text.")


class MessageTooLong(BadRequest):
    code, status = "message_too_long", 413


class ConversationFull(BadRequest):
    code, status = "conversation_full", 413
    keeps_draft = True


class CannotShare(BadRequest):
    code, status = "cannot_share", 422


class UnknownModel(BadRequest):
    code = "unknown_model"
    text = _("This model isn't available here. Choose another one.")
    others = {ErrorReader.VISITOR: _UNAVAILABLE}


class NotAuthenticated(ChatError):
    code, status = "not_authenticated", 401
    text = _("You've been signed out. Sign in again to continue.")
    keeps_draft = True
    others = {
        ErrorReader.VISITOR: _("This chat session has expired. Open the chat again."),
        ErrorReader.PROGRAM: _("Sign in, or send an API key."),
    }


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
    others = {ErrorReader.VISITOR: _UNAVAILABLE}


class ProjectUnavailable(NotFound):
    code = "project_unavailable"
    text = _("This project was deleted. Start a new chat.")
    others = {ErrorReader.VISITOR: _UNAVAILABLE}


class CollectionUnavailable(NotFound):
    code = "collection_unavailable"
    text = _("A collection was deleted or is no longer shared with you.")
    keeps_draft = True
    others = {ErrorReader.VISITOR: _UNAVAILABLE}


class Deleted(NotFound):
    code = "deleted"
    text = _("This chat has been deleted.")

    def __init__(self, conversation_id: UUID) -> None:
        super().__init__()
        self.conversation_id = conversation_id


class Conflict(ChatError):
    code, status = "conflict", 409
    text = _("This was already sent with different text. Reload the page to see it.")
    others = {ErrorReader.PROGRAM: _("This idempotency key was used for another request.")}


class ProjectArchived(Conflict):
    code = "project_archived"
    text = _("This project is archived. To add chats to it, unarchive it.")


class QuotaExceeded(ChatError):
    code, status = "quota_exceeded", 429
    text = _("A limit of this site has been reached.")
    keeps_draft = True
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

    def as_dict(self, reader: ErrorReader = ErrorReader.MEMBER) -> dict[str, object]:
        at = self.resets_at.isoformat() if self.resets_at else None
        own = {"measure": self.measure, "resets_at": at, "reason": str(self.reason)}
        return super().as_dict(reader) | own


class BodyTooSlow(ChatError):
    code, status = "body_too_slow", 408
    text = _("The request timed out. Check your connection, then try again.")
    keeps_draft = True
    retryable = True


class RateLimitExceeded(ChatError):
    code, status = "rate_limit_exceeded", 429
    text = _("Too many attempts. Wait a moment.")
    retryable = True


class ShuttingDown(ChatError):
    code, status = "shutting_down", 503
    text = _("This site is restarting. Try again in a moment.")
    others = {ErrorReader.VISITOR: _("The chat is restarting. Try again in a moment.")}
    keeps_draft = True
    retryable = True


class Overloaded(ChatError):
    code, status = "overloaded", 503
    text = _("This site is very busy. Try again in a moment.")
    others = {ErrorReader.VISITOR: _BUSY}
    keeps_draft = True
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
    others = {ErrorReader.PROGRAM: _("The model stopped responding. Try again.")}


class UpstreamReportedTimeout(UpstreamTimeout):
    text = _("The model took too long to start. Try again.")


class UpstreamDisconnected(UpstreamError):
    code = "upstream_disconnected"
    text = _("The connection to the model was lost. The partial answer was saved. Try again.")
    others = {ErrorReader.PROGRAM: _("The connection to the model was lost. Try again.")}


class AnswerTooLong(UpstreamDisconnected):
    code = "answer_too_long"
    text = _("The answer reached this site's size limit. The partial answer was saved.")
    others = {ErrorReader.PROGRAM: _("The answer reached this site's size limit.")}


class NotStreamed(UpstreamDisconnected):
    code = "not_streamed"
    text = _("The model didn't answer. Try again, or choose another model.")
    others = {ErrorReader.VISITOR: _AGAIN}


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
    others = {ErrorReader.VISITOR: _("This chat is too long. Start a new chat.")}

    def __init__(self, *, detail: str = "", limit_tokens: int | None = None) -> None:
        super().__init__(detail=detail)
        self.limit_tokens = limit_tokens


class BadImageData(UpstreamRejected):
    code, status = "bad_image_data", 400
    text = _("The model couldn't read an image, or mistook part of your text for one.")


class NotConfigured(UpstreamRejected):
    code = "upstream_not_configured"
    text = _("The model provider rejected this site's account. Contact the site administrator.")
    others = {ErrorReader.VISITOR: _UNAVAILABLE}


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
    others = {ErrorReader.VISITOR: _UNAVAILABLE}


class ModelRemoved(UpstreamRejected):
    code = "model_removed"
    text = _("The model provider no longer offers this model. Choose another one.")
    others = {ErrorReader.VISITOR: _UNAVAILABLE}


class UpstreamBusy(UpstreamError):
    code, status = "upstream_busy", 503
    text = _("The model provider is busy. Try again in a moment.")


class OutOfCapacity(UpstreamBusy):
    code = "out_of_capacity"
    text = _("This model is at capacity. Try again, or choose another model.")
    others = {ErrorReader.VISITOR: _BUSY}


class UpstreamRateLimited(UpstreamBusy):
    code = "upstream_rate_limited"
    text = _("Too many requests to the model provider. Try again in a moment.")
