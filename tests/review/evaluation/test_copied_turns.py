"""Turns of chats are copied with the consent of their owner only, and go with it."""

import pytest
from django.db import transaction

from chat.accounts.models import User
from chat.conversations.models import Conversation, Message
from chat.errors import NotFound
from chat.evaluation import access, consent, datasets
from chat.evaluation.case_copies import copy_case
from chat.evaluation.errors import AlreadyCopied, NoConsent, NoTurn
from chat.evaluation.models import DatasetItem, EvaluationDataset
from chat.generations.deletion.soft_delete import delete
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import StaffContext
from chat.review.cases import flags
from chat.review.models import AccessLogEntry
from chat.review.moderation import content
from chat.widget_sites import visitors
from tests.review.conftest import add_answer, give, say, staff_context_of
from tests.support.widget.visitor_client import make_site


def answer_of(chat: Conversation) -> Message:
    return chat.messages.filter(role=Message.Role.ASSISTANT).latest("id")


def copy(staff: StaffContext, dataset: EvaluationDataset, chat: Conversation) -> DatasetItem:
    return datasets.copy_turn(staff, dataset, chat.pk, answer_of(chat).pk)


def test_a_turn_is_copied_with_its_context_and_is_on_record(
    adam: StaffContext, dataset: EvaluationDataset, willing: User
) -> None:
    chat = say(willing, "What is a delta?", "A mouth of a river.")
    chat.generation_settings = {"system_prompt": "Be brief."}
    chat.save(update_fields=["generation_settings"])
    question = chat.messages.create(parent=answer_of(chat), role="user", text="And an estuary?")
    add_answer(question, "Another one.")
    item = copy(adam, dataset, chat)
    assert item.messages == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "What is a delta?"},
        {"role": "assistant", "content": "A mouth of a river."},
        {"role": "user", "content": "And an estuary?"},
    ]
    assert (item.answer, item.answered_by) == ("Another one.", "@cf/test/model")
    action = StaffAction.objects.get(kind="turn_copied")
    assert (action.person, action.message) == (willing.pk, answer_of(chat).pk)
    seen = AccessLogEntry.objects.get(kind="read")
    assert (seen.owner, seen.message, seen.reason) == (
        willing.pk,
        answer_of(chat).pk,
        "A report of today",
    )
    with pytest.raises(AlreadyCopied):
        copy(adam, dataset, chat)


def test_without_consent_nothing_is_copied(
    adam: StaffContext, dataset: EvaluationDataset, alice: User, bob: User
) -> None:
    with pytest.raises(NoConsent):
        copy(adam, dataset, say(alice, "Asked", "Answered"))
    vera = visitors.find_by_subject(make_site(bob), "customer-7", "Vera")
    with pytest.raises(NoConsent):
        copy(adam, dataset, say(vera.user, "Asked", "Answered"))
    assert not DatasetItem.objects.exists()


def test_what_somebody_else_wrote_is_not_copied(
    adam: StaffContext, dataset: EvaluationDataset, willing: User, bob: User
) -> None:
    theirs = say(bob, "His question", "An answer").messages.first()
    assert theirs
    chat = say(willing, "His question", "An answer")
    Message.objects.filter(pk=chat.messages.first().pk).update(copied_from=theirs.pk)  # type: ignore[union-attr]
    with pytest.raises(NoConsent):
        copy(adam, dataset, chat)


def test_only_whole_answers_of_models_are_copied(
    adam: StaffContext, dataset: EvaluationDataset, willing: User
) -> None:
    chat = say(willing, "Asked", "Answered")
    question = chat.messages.first()
    assert question
    with pytest.raises(NoTurn):
        datasets.copy_turn(adam, dataset, chat.pk, question.pk)
    Message.objects.filter(pk=answer_of(chat).pk).update(author=1)
    with pytest.raises(NoTurn):
        copy(adam, dataset, chat)


def test_staff_copy_only_from_chats_that_they_read(
    reviewer: User, dataset: EvaluationDataset, bob: User, willing: User
) -> None:
    rita = staff_context_of(give(reviewer, "evaluate_models"))
    consent.set_consent(bob, is_given=True)
    with pytest.raises(NotFound):
        copy(rita, dataset, say(bob, "Asked", "Answered"))
    assert copy(rita, dataset, say(willing, "Asked", "Answered")).person_id == willing.pk


def test_withdrawn_consent_deletes_the_copies_and_the_dataset_says_so(
    adam: StaffContext, dataset: EvaluationDataset, willing: User
) -> None:
    copy(adam, dataset, say(willing, "Asked", "Answered"))
    copy(adam, dataset, say(willing, "Asked again", "Answered"))
    assert access.withdrawn_count(dataset_again(dataset)) == 0
    assert consent.set_consent(willing, is_given=False) == 2
    assert not DatasetItem.objects.exists()
    assert access.withdrawn_count(dataset_again(dataset)) == 2


def dataset_again(dataset: EvaluationDataset) -> EvaluationDataset:
    return EvaluationDataset.objects.get(pk=dataset.pk)


def test_a_removed_item_does_not_count_as_withdrawn(
    adam: StaffContext, dataset: EvaluationDataset, willing: User
) -> None:
    item = copy(adam, dataset, say(willing, "Asked", "Answered"))
    datasets.remove_item(adam, dataset, item)
    assert access.withdrawn_count(dataset_again(dataset)) == 0


@pytest.mark.parametrize("what", ["chat", "turn", "hidden", "erased", "account"])
def test_what_is_deleted_or_hidden_is_used_no_more(
    what: str, adam: StaffContext, dataset: EvaluationDataset, willing: User
) -> None:
    chat = say(willing, "Asked", "Answered")
    copy(adam, dataset, chat)
    answer = answer_of(chat)
    match what:
        case "chat":
            delete(chat)
        case "turn":
            Message.objects.filter(conversation=chat).update(deleted_at="2026-01-01T00:00Z")
        case "hidden":
            content.hide(adam, chat.pk, answer.pk)
        case "erased":
            with transaction.atomic():
                chat.delete()
        case _:
            willing.delete()
    assert list(access.items_of(dataset)) == []
    assert access.withdrawn_count(dataset_again(dataset)) == 1
    assert DatasetItem.objects.exists() == (what in {"chat", "turn", "hidden"})


def test_a_cases_flagged_answers_are_copied(
    adam: StaffContext, dataset: EvaluationDataset, willing: User
) -> None:
    chat = say(willing, "Asked", "Answered")
    case = flags.report(chat.pk, answer_of(chat), willing.pk, "wrong", "").case
    assert copy_case(adam, dataset, case.pk) == 1
    assert copy_case(adam, dataset, case.pk) == 0
    with pytest.raises(NotFound):
        copy_case(adam, dataset, case.pk + 1)


def test_reading_a_copy_is_on_record(
    adam: StaffContext, dataset: EvaluationDataset, willing: User
) -> None:
    item = copy(adam, dataset, say(willing, "Asked", "Answered"))
    before = AccessLogEntry.objects.count()
    access.read_items(adam, access.items_of(dataset))
    assert AccessLogEntry.objects.count() == before + 1
    assert AccessLogEntry.objects.latest("id").message == item.message_id
