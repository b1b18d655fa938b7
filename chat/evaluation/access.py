"""Fetch datasets and their parts with an access check, and log what is shown of chats.

Whoever has the right `EVALUATION` may use all datasets. A turn of a chat is only there while its
owner could still read it: not once the turn or the chat is deleted, or staff have hidden a message
of the chat, which may be part of the copy.
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from chat.conversations.models import Message
from chat.errors import NotFound
from chat.evaluation.models import DatasetItem, EvaluationDataset, EvaluationRun
from chat.review.access_log.staff_context import Kind, Seen, StaffContext, record_access
from chat.review.staff import privacy


def dataset_of(dataset_id: int) -> EvaluationDataset:
    """Return a dataset. Raise `NotFound`."""
    found = EvaluationDataset.objects.filter(pk=dataset_id).first()
    if found is None:
        raise NotFound
    return found


def run_of(dataset: EvaluationDataset, run_id: int) -> EvaluationRun:
    """Return a run of this dataset. Raise `NotFound`."""
    found = dataset.runs.filter(pk=run_id).first()
    if found is None:
        raise NotFound
    return found


def items_of(dataset: EvaluationDataset) -> QuerySet[DatasetItem]:
    """Return the items that may be used now, in the order in which they were added."""
    return usable(dataset.items.all())


def usable(items: QuerySet[DatasetItem]) -> QuerySet[DatasetItem]:
    """Return the items whose text may be shown now, to whomever."""
    hidden = Message.objects.filter(conversation=OuterRef("conversation"), hidden_at__isnull=False)
    of_chats = Q(conversation__purge_after=None, message__deleted_at=None) & ~Exists(hidden)
    return items.filter(Q(person=None) | of_chats)


def item_of(dataset: EvaluationDataset, item_id: int) -> DatasetItem:
    """Return an item that may be used now. Raise `NotFound`."""
    found = items_of(dataset).filter(pk=item_id).first()
    if found is None:
        raise NotFound
    return found


def withdrawn_count(dataset: EvaluationDataset) -> int:
    """Return how many turns of chats were withdrawn, or deleted with their chats."""
    there = items_of(dataset).exclude(person=None).count()
    return max(0, dataset.copied_turns - there)


@transaction.atomic
def read_items(
    staff_context: StaffContext, items: QuerySet[DatasetItem], kind: Kind = Kind.READ
) -> list[DatasetItem]:
    """Return these items to show them to staff; those from chats are logged."""
    privacy.require_reading_allowed()
    shown = list(items)
    record_access(staff_context, kind, _seen(shown))
    return shown


def _seen(items: Sequence[DatasetItem]) -> list[Seen]:
    return [
        Seen(each.person_id, each.conversation_id, each.message_id)
        for each in items
        if each.person_id is not None
    ]
