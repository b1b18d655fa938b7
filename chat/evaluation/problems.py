"""Say in words why a run was stopped, or has no answer or verdict for an item."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

#: Of an answer that is stored, and still to be judged.
NOT_JUDGED = "not_judged"
WORDS: Mapping[str, Promise] = {
    "quota_exceeded": _("A limit is used up, such as the budget of evaluation runs."),
    "allocation_exhausted": _("The site's daily limit with the model provider is used up."),
    "credit_exhausted": _("The site's credit with the model provider is used up."),
    "interrupted": _("The server stopped again and again while it was answering."),
    "no_judge": _("No judge is set up."),
    NOT_JUDGED: _("Not judged yet."),
    "unknown_model": _("The site doesn't offer this model any more."),
    "model_removed": _("The model provider doesn't offer this model any more."),
    "collection_unavailable": _("The collection of documents isn't there any more."),
    "prompt_too_long": _("The question is too long for this model."),
    "persona_too_long": _("The instructions and the question are too long for this model."),
    "context_too_long": _("The question is too long for this model."),
    "content_filter": _("A content rule of the model provider blocked the question."),
    "upstream_unreachable": _("The model provider couldn't be reached."),
    "upstream_timeout": _("The model took too long."),
    "upstream_disconnected": _("The connection to the model was lost."),
    "upstream_busy": _("The model provider was busy."),
    "upstream_rate_limited": _("There were too many requests to the model provider."),
    "out_of_capacity": _("The model was at capacity."),
    "upstream_rejected": _("The model provider rejected the request."),
    "upstream_not_configured": _("The model provider rejected this site's account."),
    "no_answer": _("The model wrote nothing."),
}


def words_of(code: str) -> str | Promise:
    """Return a sentence for a stored code; empty for none."""
    if not code:
        return ""
    return WORDS.get(code) or format_lazy(_("Something went wrong ({code})."), code=code)
