"""Everything that can go wrong, as one tree. Imports nothing of ours.

    ChatError
    ├── BadRequest            400  what was sent cannot be used; the message says why
    │   ├── PromptTooLong     413  the question alone does not fit the model
    │   │   └── PersonaTooLong 413 with what its persona says it does not
    │   ├── HeadersTooLong    431
    │   ├── MessageTooLong    413  the site takes shorter ones
    │   ├── ConversationFull  413  it has as many messages as the site keeps in one
    │   ├── CannotShare       422  nothing to share, too much of it, or too many links
    │   └── UnknownModel      400
    ├── SignedOut             401
    ├── Forbidden             403  wrong origin, or no right to do this
    ├── NotFound              404  also: not yours
    │   └── PersonaGone       404  deleted, or no longer shared
    │   └── Deleted           404  by whoever asks, a moment ago: it can be brought back
    ├── Conflict              409  this send's key was used for something else
    ├── OverLimit             429  a limit is reached; says which, and when there is more
    ├── BodyTooSlow           408  a request that did not arrive in time
    ├── TooOften              429  tried again too soon; carries `retry_after_seconds`
    ├── Leaving               503  this process is about to end; another one will answer
    ├── Busy                  503  this process has as much as it can do
    ├── of visitors: errors.py; of what the staff did: errors.py;
    │   of second factors: chat/accounts/second_factor/mfa_adapter.py
    └── UpstreamError         502  the model's side
        ├── UpstreamUnreachable 502  never connected: nothing was sent
        ├── UpstreamTimeout   504  we stopped waiting
        │   └── UpstreamGaveUp 504 the other side did, and said so
        ├── UpstreamCut       502  the connection broke
        │   ├── AnswerTooLong 502  we broke it off
        │   └── NotStreamed   502  an empty answer where a stream was asked for
        ├── UpstreamRefused   502  our request was not accepted; trying again will not help
        │   ├── ContextTooLong  413  carries the window that the model's side enforces
        │   ├── BadImageData    400  text that looked like an image (see wire code 8006)
        │   ├── NotConfigured   502  token or account are wrong
        │   ├── AllocationSpent 503  no neurons left until 00:00 UTC
        │   ├── CreditSpent     503  nobody has paid for more
        │   └── ModelGone       502  the fallback model may answer instead
        └── UpstreamBusy      503  try again; carries `retry_after_seconds` if known
            ├── OutOfCapacity 503  this model; the fallback model may answer instead
            └── RateLimited   503  this account, this minute

An error is shown to people as `public`, in the language of the request, to programs as
`code`. Inside a stream, which has many readers, it is English. What an upstream said is never
shown: it may echo a request. `detail` (numeric code, request id) is for the log.
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
    text = _("This request isn't valid.")


class PromptTooLong(BadRequest):
    code, status = "prompt_too_long", 413
    text = _("Your message is too long for this model. Shorten it or choose another model.")


class PersonaTooLong(PromptTooLong):
    code = "persona_too_long"
    text = _(
        "Together with the persona's instructions, your message is too long for this "
        "model. Choose another model."
    )


class HeadersTooLong(BadRequest):
    code, status = "headers_too_long", 431
    text = _("Your browser sent too much data. Delete its cookies for this site.")


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
    code, status = "signed_out", 401
    text = _("You've been signed out. Sign in again to continue. Your draft is saved.")


class Forbidden(ChatError):
    code, status = "forbidden", 403
    text = _("This request isn't allowed.")


class NotFound(ChatError):
    code, status = "not_found", 404
    text = _("Not found.")


class PersonaGone(NotFound):
    code = "persona_gone"
    text = _("This persona is no longer available. Start a new chat and choose another one.")


class Deleted(NotFound):
    code = "deleted"
    text = _("This chat has been deleted.")

    def __init__(self, conversation_id: UUID) -> None:
        super().__init__()
        self.conversation_id = conversation_id


class Conflict(ChatError):
    code, status = "conflict", 409
    text = _("This was already sent with different text. Reload the page to see it.")


class QuotaExceeded(ChatError):
    code, status = "over_limit", 429
    text = _("A limit of this site has been reached. Your draft is saved.")
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
    text = _("The request timed out. Your draft is saved. Check your connection, then try again.")
    retryable = True


class RateLimitExceeded(ChatError):
    code, status = "too_often", 429
    text = _("Too many attempts. Wait a moment.")
    retryable = True


class ShuttingDown(ChatError):
    code, status = "leaving", 503
    text = _("This site is restarting. Try again in a moment. Your draft is saved.")
    retryable = True


class Overloaded(ChatError):
    code, status = "busy", 503
    text = _("This site is very busy. Try again in a moment. Your draft is saved.")
    retryable = True


class UpstreamError(ChatError):
    code, status = "upstream_error", 502
    text = _("The model provider had a problem. Try again.")
    retryable = True


class UpstreamUnreachable(UpstreamError):
    code = "upstream_unreachable"
    text = _("The model provider can't be reached. Try again in a moment.")


class UpstreamTimeout(UpstreamError):
    code, status = "upstream_timeout", 504
    text = _("The model stopped responding. The partial answer was saved. Try again.")


class UpstreamGaveUp(UpstreamTimeout):
    text = _("The model took too long to start. Try again.")


class UpstreamDisconnected(UpstreamError):
    code = "upstream_cut"
    text = _("The connection to the model was lost. The partial answer was saved. Try again.")


class AnswerTooLong(UpstreamDisconnected):
    text = _("The answer reached this site's size limit. The partial answer was saved.")


class NotStreamed(UpstreamDisconnected):
    code = "not_streamed"
    text = _("The model didn't answer. Try again, or choose another model.")


class UpstreamRefused(UpstreamError):
    code = "upstream_refused"
    text = _("The model provider rejected this request.")
    retryable = False


class ContextTooLong(UpstreamRefused):
    code, status = "context_too_long", 413
    text = _("This chat is too long for this model.")

    def __init__(self, *, detail: str = "", limit_tokens: int | None = None) -> None:
        super().__init__(detail=detail)
        self.limit_tokens = limit_tokens


class BadImageData(UpstreamRefused):
    code, status = "bad_image_data", 400
    text = _("The model mistook part of your text for an image and couldn't read it.")


class NotConfigured(UpstreamRefused):
    code = "upstream_not_configured"
    text = _("The model provider rejected this site's account. Contact the site administrator.")


class AllocationSpent(UpstreamRefused):
    code, status = "allocation_spent", 503
    text = _("This site's daily quota at the model provider is used up. It resets at 00:00 UTC.")


class CreditSpent(UpstreamRefused):
    code, status = "credit_spent", 503
    text = _("This site's credit at the model provider is used up. Contact the site administrator.")


class ModelGone(UpstreamRefused):
    code = "model_gone"
    text = _("The model provider no longer offers this model. Choose another one.")


class UpstreamBusy(UpstreamError):
    code, status = "upstream_busy", 503
    text = _("The model provider is busy. Try again in a moment.")


class OutOfCapacity(UpstreamBusy):
    code = "out_of_capacity"
    text = _("This model is at capacity. Try again, or choose another model.")


class RateLimited(UpstreamBusy):
    code = "rate_limited"
    text = _("Too many requests to the model provider. Try again in a moment.")
