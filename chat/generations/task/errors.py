"""Messages for answers that failed before they began, where the usual ones promise saved text."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.errors import AnswerTooLong, ChatError, UpstreamDisconnected, UpstreamTimeout

TEXTS: dict[type[ChatError], str | Promise] = {
    UpstreamTimeout: _("The model didn't answer. Try again, or choose another model."),
    UpstreamDisconnected: _("The connection to the model was lost before it answered. Try again."),
    AnswerTooLong: _("The answer is longer than this site allows."),
}


def for_empty_answer(error: ChatError) -> ChatError:
    """Return `error` with a message that fits an empty answer."""
    text = TEXTS.get(type(error))
    if text is None:
        return error
    return type(error)(text, detail=error.detail, retry_after_seconds=error.retry_after_seconds)
