"""Messages for answers that failed before they began, where the usual ones promise saved text."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.errors import AnswerTooLong, ChatError, ErrorReader, UpstreamDisconnected, UpstreamTimeout

#: What visitors, who can't choose a model, are told instead.
OTHERS: dict[type[ChatError], Mapping[ErrorReader, Promise]] = {
    UpstreamTimeout: {ErrorReader.VISITOR: _("The chat couldn't answer. Try again.")}
}
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
    return type(error)(
        text,
        others=OTHERS.get(type(error)),
        detail=error.detail,
        retry_after_seconds=error.retry_after_seconds,
    )
