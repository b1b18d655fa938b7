"""Errors of comparing two answers."""

from django.utils.translation import gettext_lazy as _

from chat.errors import Conflict


class ComparisonOpen(Conflict):
    """The answers are compared without names, and there is no vote yet."""

    code = "comparison_open"
    text = _("Vote on the two answers first, or show the names.")


class ComparisonDecided(Conflict):
    """There is a vote already, and the names have been shown since."""

    code = "comparison_decided"
    text = _("You've already voted on these answers.")


class AnswersIncomplete(Conflict):
    """One of the two answers is still being written, or has no text."""

    code = "answers_incomplete"
    text = _("You can vote once both answers are there.")
