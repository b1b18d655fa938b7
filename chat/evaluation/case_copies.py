"""Copy the answers that a case is about into a dataset, under the same conditions as any turn."""

from django.db import transaction

from chat.conversations.models import Message
from chat.errors import NotFound
from chat.evaluation.datasets import copy_turn
from chat.evaluation.errors import AlreadyCopied, NoTurn
from chat.evaluation.models import EvaluationDataset
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Case
from chat.review.case_reading import cases_in_scope


@transaction.atomic
def copy_case(staff_context: StaffContext, dataset: EvaluationDataset, case_id: int) -> int:
    """Copy the flagged answers, and those to flagged questions; return how many were copied.

    Raise `NoConsent`, `DatasetFull`, or `NotFound`.
    """
    cases = Case.objects.filter(cases_in_scope(staff_context.reviewer), pk=case_id)
    case = cases.exclude(conversation=None).first()
    if case is None:
        raise NotFound
    copied = 0
    for message_id in _answers(case):
        try:
            copy_turn(staff_context, dataset, case.chat_id, message_id)
        except (AlreadyCopied, NoTurn):
            continue
        copied += 1
    return copied


def _answers(case: Case) -> list[int]:
    """Return the IDs of the answers that are flagged, and of the newest to a flagged question."""
    flagged = {each for each in case.flags.values_list("message", flat=True) if each}
    there = Message.objects.filter(conversation=case.conversation_id, deleted_at=None)
    answers = there.filter(pk__in=flagged, role=Message.Role.ASSISTANT)
    replies = there.filter(parent__in=flagged, role=Message.Role.ASSISTANT).order_by("id")
    newest = dict(replies.values_list("parent", "pk"))
    return sorted({*answers.values_list("pk", flat=True), *newest.values()})
