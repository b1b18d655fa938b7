"""Everything that can go wrong, as one tree; docs/design/errors.md draws all of it.

Imports nothing of ours. An error is shown to people as `public`, in the language of the request, to
programs as `code`. Inside a stream, which has many readers, it is English. What an upstream said is
never shown: it may echo a request. `detail` (numeric code, request id) is for the log.
"""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class ChatError(Exception):
    """Base of the tree: `code` for programs, `status` for HTTP, `public` for people."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False
    text: ClassVar[str | Promise] = _("Something went wrong on our side. Your text is kept.")

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
        self.headers: dict[str, str] = {}  # what an HTTP answer says beside it
        super().__init__(f"{self.code}: {detail}" if detail else self.code)

    @property
    def public(self) -> str:
        return str(self._public)

    def as_dict(self) -> dict[str, object]:
        """The shape that clients see, in JSON answers and inside streams."""
        return {"code": self.code, "message": self.public, "retryable": self.retryable}


class BadRequest(ChatError):
    code, status = "bad_request", 400
    text = _("This could not be understood.")


class PromptTooLong(BadRequest):
    code, status = "prompt_too_long", 413
    text = _("Your message is longer than this model can read. Shorten it or choose another model.")


class PersonaTooLong(PromptTooLong):
    code = "persona_too_long"
    text = _(
        "Together with what its persona says, your message is longer than this model can read. "
        "Choose another model."
    )


class HeadersTooLong(BadRequest):
    code, status = "headers_too_long", 431
    text = _("Your browser sent more than this site takes. Delete its cookies for this site.")


class MessageTooLong(BadRequest):
    code, status = "message_too_long", 413


class ConversationFull(BadRequest):
    code, status = "conversation_full", 413


class CannotShare(BadRequest):
    code, status = "cannot_share", 422


class UnknownModel(BadRequest):
    code = "unknown_model"
    text = _("This site does not offer that model. Choose another one.")


class NotAuthenticated(ChatError):
    code, status = "signed_out", 401
    text = _("You are signed out. Sign in again to go on; your text is kept.")


class Forbidden(ChatError):
    code, status = "forbidden", 403
    text = _("This is not allowed from here.")


class NotFound(ChatError):
    code, status = "not_found", 404
    text = _("There is nothing here.")


class PersonaGone(NotFound):
    code = "persona_gone"
    text = _("This persona is no longer there. Start a new chat, and choose another one.")


class Deleted(NotFound):
    code = "deleted"
    text = _("This chat has been deleted.")

    def __init__(self, conversation_id: UUID) -> None:
        super().__init__()
        self.conversation_id = conversation_id


class Conflict(ChatError):
    code, status = "conflict", 409
    text = _("This was sent already, with another text. Reload the page to see it.")


class QuotaExceeded(ChatError):
    code, status = "over_limit", 429
    text = _("A limit of this site is reached. Your text is kept.")
    retryable = True

    def __init__(
        self,
        public: str | Promise = "",
        *,
        measure: str,
        retry_after_seconds: float | None = None,
        resets_at: datetime | None = None,
    ) -> None:
        super().__init__(public, detail=measure, retry_after_seconds=retry_after_seconds)
        self.measure, self.resets_at = measure, resets_at

    def as_dict(self) -> dict[str, object]:
        at = self.resets_at.isoformat() if self.resets_at else None
        return super().as_dict() | {"measure": self.measure, "resets_at": at}


class BodyTooSlow(ChatError):
    code, status = "body_too_slow", 408
    text = _(
        "This did not arrive in time. Your text is kept. Check the connection, then try again."
    )
    retryable = True


class RateLimitExceeded(ChatError):
    code, status = "too_often", 429
    text = _("That was tried too often. Wait a moment.")
    retryable = True


class ShuttingDown(ChatError):
    code, status = "leaving", 503
    text = _("The site is restarting. Try again in a moment; your text is kept.")
    retryable = True


class Overloaded(ChatError):
    code, status = "busy", 503
    text = _("The site is very busy. Try again in a moment; your text is kept.")
    retryable = True


class UpstreamError(ChatError):
    code, status = "upstream_error", 502
    text = _("The model's service had a problem. Try again.")
    retryable = True


class UpstreamUnreachable(UpstreamError):
    code = "upstream_unreachable"
    text = _("The model's service cannot be reached. Try again in a moment.")


class UpstreamTimeout(UpstreamError):
    code, status = "upstream_timeout", 504
    text = _("The model stopped answering. What it had said is kept. Try again.")


class UpstreamGaveUp(UpstreamTimeout):
    text = _("The model took too long to begin. Try again.")


class UpstreamDisconnected(UpstreamError):
    code = "upstream_cut"
    text = _("The connection to the model broke. What it had said is kept. Try again.")


class AnswerTooLong(UpstreamDisconnected):
    text = _("The answer grew longer than this site keeps. What it had said is kept.")


class NotStreamed(UpstreamDisconnected):
    code = "not_streamed"
    text = _("The model gave no answer. Try again, or choose another model.")


class UpstreamRefused(UpstreamError):
    code = "upstream_refused"
    text = _("The model's service did not accept this request.")
    retryable = False


class ContextTooLong(UpstreamRefused):
    code, status = "context_too_long", 413
    text = _("The conversation is longer than this model can read.")

    def __init__(self, *, detail: str = "", limit_tokens: int | None = None) -> None:
        super().__init__(detail=detail)
        self.limit_tokens = limit_tokens


class BadImageData(UpstreamRefused):
    code, status = "bad_image_data", 400
    text = _("The model took part of your text for an image and could not read it.")


class NotConfigured(UpstreamRefused):
    code = "upstream_not_configured"
    text = _(
        "The model's service does not accept this site's account. Its owner has to look at it."
    )


class AllocationSpent(UpstreamRefused):
    code, status = "allocation_spent", 503
    text = _(
        "This site's daily allowance at the model's service is used up. It returns at 00:00 UTC."
    )


class CreditSpent(UpstreamRefused):
    code, status = "credit_spent", 503
    text = _("This site's credit at the model's service is used up. Its owner has to look at it.")


class ModelGone(UpstreamRefused):
    code = "model_gone"
    text = _("The model's service no longer offers this model. Choose another one.")


class UpstreamBusy(UpstreamError):
    code, status = "upstream_busy", 503
    text = _("The model's service is busy. Try again in a moment.")


class OutOfCapacity(UpstreamBusy):
    code = "out_of_capacity"
    text = _("This model has no free capacity right now. Try again, or choose another model.")


class RateLimited(UpstreamBusy):
    code = "rate_limited"
    text = _("Too many requests to the model's service this minute. Try again in a moment.")
