"""What can't be done with a dataset, in words."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from chat.errors import (
    AllocationExhausted,
    BadRequest,
    Conflict,
    CreditExhausted,
    QuotaExceeded,
    UpstreamError,
)

MAX_ITEMS = 500  # of a dataset
#: Errors after which other questions of a run would fail as well.
STOPPING = (QuotaExceeded, AllocationExhausted, CreditExhausted)


class NoConsent(BadRequest):
    code = "no_consent"
    text = _("The owner of this chat hasn't agreed that it is used to test models.")


class NoTurn(BadRequest):
    code = "no_turn"
    text = _("Only a complete answer of a model can be copied, with the question before it.")


class DatasetFull(BadRequest):
    code = "dataset_full"
    text = format_lazy(_("A dataset can have {most} questions."), most=MAX_ITEMS)


class AlreadyCopied(Conflict):
    code = "already_copied"
    text = _("This turn is in the dataset already.")


class NothingToRun(BadRequest):
    code = "nothing_to_run"
    text = _("This dataset has no questions, or none with a stored answer.")


class NoAnswer(UpstreamError):
    code = "no_answer"
    text = _("The model wrote nothing.")


class RunInProgress(Conflict):
    code = "run_in_progress"
    text = _("Another run of this dataset is still going on. Wait for it, or cancel it.")
