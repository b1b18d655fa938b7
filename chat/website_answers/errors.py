"""Why an answer can't be stored."""

from django.utils.translation import gettext_lazy as _

from chat.errors import BadRequest


class AlreadyAnswered(BadRequest):
    text = _("There's already an answer to this question. Edit that one.")


class TooManyCases(BadRequest):
    text = _("This website has reached the limit of test questions. Delete some first.")


class TooManyAnswers(BadRequest):
    text = _("This website has reached the limit of answers. Delete some first.")
