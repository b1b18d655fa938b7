"""Errors that refuse a question before it is sent."""

from django.utils.translation import gettext_lazy as _

from chat.errors import ChatError, Forbidden


class QuestionRefused(Forbidden):
    """403: a rule of the site refuses the question."""

    code = "question_refused"
    text = _("This site's rules don't allow this message, so it wasn't sent. Rephrase it.")


class QuestionUnchecked(ChatError):
    """503: the judge failed, and a rule says that nothing is sent without it."""

    code, status = "question_unchecked", 503
    retryable = True
    text = _("Your message couldn't be checked, so it wasn't sent. Try again in a moment.")
