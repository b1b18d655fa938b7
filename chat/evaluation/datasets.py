"""Make datasets, and add and remove their items. The caller has checked the right."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import F

from chat.accounts.models import User
from chat.conversations import branches, paths
from chat.conversations.attached_files import split_files
from chat.conversations.models import Conversation, Message
from chat.conversations.turns import texts_of
from chat.errors import NotFound
from chat.evaluation.consent import has_consented
from chat.evaluation.errors import MAX_ITEMS, AlreadyCopied, DatasetFull, NoConsent, NoTurn
from chat.evaluation.jsonl import NewItem
from chat.evaluation.models import DatasetItem, EvaluationDataset
from chat.generations.models import Generation
from chat.review import access
from chat.review.access_log.staff_actions import StaffAction, record_action
from chat.review.access_log.staff_context import Kind, StaffContext
from chat.review.staff import roles
from chat.review.staff.roles import Role

#: Of what was said before a question, the newest messages that are copied.
MAX_CONTEXT_MESSAGES = 40
Action = StaffAction.Kind


@transaction.atomic
def create(staff_context: StaffContext, name: str) -> EvaluationDataset:
    dataset = EvaluationDataset.objects.create(
        name=name, created_by_id=staff_context.reviewer.user_id
    )
    _record(staff_context, dataset, "created")
    return dataset


@transaction.atomic
def delete(staff_context: StaffContext, dataset: EvaluationDataset) -> None:
    """Delete a dataset with its runs and votes."""
    _record(staff_context, dataset, "deleted")
    dataset.delete()


@transaction.atomic
def add_items(
    staff_context: StaffContext, dataset: EvaluationDataset, items: Sequence[NewItem]
) -> None:
    """Add questions that staff wrote. Raise `DatasetFull`."""
    _lock(dataset, adding=len(items))
    DatasetItem.objects.bulk_create(
        DatasetItem(dataset=dataset, messages=each.messages, expected=each.expected)
        for each in items
    )
    _record(staff_context, dataset, f"{len(items)} added")


@transaction.atomic
def remove_item(staff_context: StaffContext, dataset: EvaluationDataset, item: DatasetItem) -> None:
    """Remove an item with all answers to it."""
    if item.person_id is not None:
        rows = EvaluationDataset.objects.filter(pk=dataset.pk, copied_turns__gt=0)
        rows.update(copied_turns=F("copied_turns") - 1)
    item.delete()
    _record(staff_context, dataset, "1 removed")


@transaction.atomic
def copy_turn(
    staff_context: StaffContext,
    dataset: EvaluationDataset,
    conversation_id: UUID,
    message_id: int,
) -> DatasetItem:
    """Copy an answer with its question and what was said before, if the chat's owner agrees.

    Only who may read the chat copies from it. Raise `NoConsent`, `NoTurn`, `AlreadyCopied`,
    `DatasetFull` or `NotFound`.
    """
    if staff_context.reviewer.role < Role.REVIEWER:
        raise NotFound
    chat = access.open_conversation(
        staff_context, conversation_id, Kind.READ, message_id=message_id
    )
    owner = User.objects.select_for_update().filter(pk=chat.owner_id).first()
    if owner is None or chat.purge_after is not None or not has_consented(owner):
        raise NoConsent
    answer = _answer_in(chat, message_id)
    _lock(dataset, adding=1)
    if dataset.items.filter(message=answer).exists():
        raise AlreadyCopied
    item = DatasetItem.objects.create(
        dataset=dataset,
        person_id=chat.owner_id,
        conversation=chat,
        message=answer,
        messages=_said_before(chat, answer),
        answer=answer.text,
        answered_by=_model_of(answer),
    )
    EvaluationDataset.objects.filter(pk=dataset.pk).update(copied_turns=F("copied_turns") + 1)
    record_action(
        staff_context,
        Action.TURN_COPIED,
        person=chat.owner_id,
        conversation=chat.pk,
        message=answer.pk,
        detail=f"dataset {dataset.pk}",
    )
    return item


def _answer_in(chat: Conversation, message_id: int) -> Message:
    answer = chat.visible_messages.filter(pk=message_id).select_related("parent").first()
    if answer is None:
        raise NotFound
    is_answer = answer.role == Message.Role.ASSISTANT and not answer.is_by_person
    if not is_answer or not answer.text.strip() or chat.messages.exclude(hidden_at=None).exists():
        raise NoTurn
    if answer.parent is None or answer.parent.role != Message.Role.USER:
        raise NoTurn
    return answer


def _said_before(chat: Conversation, answer: Message) -> list[dict[str, str]]:
    """Return the instructions of the chat's persona or project, and its messages to the question.

    Images and files are left out, and the member's own instructions, which are about them.

    Raise `NoConsent` if somebody else wrote a part of it, and `NoTurn` if the question is empty.
    """
    ids = paths.ids_to(answer.parent_id or 0)[-MAX_CONTEXT_MESSAGES:]
    rows = texts_of(ids)
    originals = {original for _role, _text, original in rows if original}
    if branches.written_by_others(originals, chat.owner_id):
        raise NoConsent  # somebody else shared what the member goes on with
    said = [{"role": role, "content": split_files(text).text} for role, text, _original in rows]
    stored = chat.generation_settings
    instructions = [stored.get("project_instructions"), stored.get("system_prompt")]
    if system := "\n\n".join(filter(None, instructions)):
        said.insert(0, {"role": "system", "content": system})
    if not said or not said[-1]["content"].strip():
        raise NoTurn
    return said


def _model_of(answer: Message) -> str:
    latest = Generation.objects.filter(message=answer).order_by("-started_at").first()
    return latest.model if latest else ""


def _lock(dataset: EvaluationDataset, *, adding: int) -> None:
    """Lock the dataset, so that nobody else adds to it. Raise `DatasetFull` or `NotFound`."""
    if not EvaluationDataset.objects.select_for_update().filter(pk=dataset.pk).first():
        raise NotFound
    if dataset.items.count() + adding > MAX_ITEMS:
        raise DatasetFull


def _record(staff_context: StaffContext, dataset: EvaluationDataset, what: str) -> None:
    detail = f"dataset {dataset.pk}: {what}"
    record_action(staff_context, Action.DATASET_CHANGED, detail=detail)


def may_copy(staff_context: StaffContext, user: User | AnonymousUser) -> bool:
    """Return whether a staff member who reads chats may also copy turns into datasets."""
    return (
        staff_context.reviewer.role >= Role.REVIEWER
        and roles.Right.EVALUATION in roles.rights_of(user)
    )
