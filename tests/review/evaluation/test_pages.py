"""The pages of evaluation are for who has the right, and show what they are given as text."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from chat.accounts.models import User
from chat.evaluation import datasets
from chat.evaluation.models import DatasetItem, EvaluationDataset, EvaluationRun
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import StaffContext
from chat.review.models import AccessLogEntry
from tests.review.conftest import give, say
from tests.support.review.data_requests import content_of
from tests.support.review.member_pages import client_of

ATTACK = "<img src=x onerror=alert(1)>"


@pytest.fixture
def evaluator(bob: User, stop_server_process: None) -> Client:
    """Return bob's client, who has the right and reads no chats; he has said why he looks."""
    client = client_of(give(bob, "evaluate_models"))
    client.post("/review/reason/", {"reason": "We test a model", "next": "/review/evaluation/"})
    return client


def test_who_reads_no_chats_evaluates_but_copies_nothing(
    evaluator: Client, dataset: EvaluationDataset, willing: User
) -> None:
    chat = say(willing, "Asked", "Answered")
    assert evaluator.get("/review/evaluation/").status_code == 200
    assert evaluator.get("/review/").headers["Location"] == "/review/evaluation/"
    assert evaluator.get(f"/review/{chat.pk}/").status_code == 404
    answer = chat.messages.last()
    assert answer
    path = f"/review/{chat.pk}/messages/{answer.pk}/copy/"
    assert evaluator.post(path, {"dataset": dataset.pk}).status_code == 404
    assert not DatasetItem.objects.exists()


def test_a_turn_is_copied_from_the_page_of_the_chat(
    administrator: User, dataset: EvaluationDataset, willing: User, stop_server_process: None
) -> None:
    client = client_of(administrator)
    client.post("/review/reason/", {"reason": "We test a model", "next": "/review/"})
    chat = say(willing, "Asked", "Answered")
    answer = chat.messages.last()
    assert answer
    path = f"/review/{chat.pk}/messages/{answer.pk}/copy/"
    assert path in client.get(f"/review/{chat.pk}/").content.decode()
    client.post(path, {"dataset": dataset.pk})
    assert DatasetItem.objects.get().answer == "Answered"
    client_of(willing).post("/settings/data/evaluation/", {})
    assert not DatasetItem.objects.exists()
    page = client.get(f"/review/evaluation/{dataset.pk}/").content.decode()
    assert "1 turn of a chat was withdrawn or deleted" in page
    page = client.get(f"/review/{chat.pk}/").content.decode()
    assert path not in page
    assert "agreed that it is used to test models" in page


def test_consent_is_off_until_the_member_gives_it(alice: User) -> None:
    client = client_of(alice)
    assert "checked" not in client.get("/settings/data/").content.decode().partition("allows_")[2]
    client.post("/settings/data/evaluation/", {"allows_evaluation": "on"})
    assert User.objects.get(pk=alice.pk).preferences["allows_evaluation"] is True


def test_a_hostile_question_is_text(evaluator: Client, dataset: EvaluationDataset) -> None:
    path = f"/review/evaluation/{dataset.pk}/"
    line = json.dumps({"messages": [{"role": "user", "content": ATTACK}], "expected": ATTACK})
    file = SimpleUploadedFile("x.jsonl", line.encode())
    assert evaluator.post(f"{path}upload/", {"file": file}).status_code == 302
    page = evaluator.get(path).content.decode()
    assert "&lt;img src=x" in page
    assert ATTACK not in page


def test_a_wrong_file_adds_nothing_and_says_why(
    evaluator: Client, dataset: EvaluationDataset
) -> None:
    good = json.dumps({"messages": [{"role": "user", "content": "Hello"}]})
    file = SimpleUploadedFile("x.jsonl", f"{good}\nnonsense".encode())
    answer = evaluator.post(f"/review/evaluation/{dataset.pk}/upload/", {"file": file})
    assert answer.status_code == 422
    assert "Line 2: This isn" in answer.content.decode()
    assert not DatasetItem.objects.exists()


def run_form(**values: Any) -> dict[str, Any]:
    from chat.upstream import available_models

    return {"model": next(iter(available_models.offered_models())), **values}


def test_a_run_says_its_cost_before_it_starts(
    evaluator: Client, dataset: EvaluationDataset
) -> None:
    path = f"/review/evaluation/{dataset.pk}/"
    evaluator.post(f"{path}items/", {"question": "Where is Oslo?"})
    page = evaluator.post(f"{path}runs/", run_form(temperature="0.5")).content.decode()
    assert "This run costs at most $" in page
    assert not EvaluationRun.objects.exists()
    evaluator.post(f"{path}runs/", run_form(temperature="0.5", sure="yes"))
    run = EvaluationRun.objects.get()
    assert run.parameters == {"temperature": 0.5}
    assert run.system_prompt is None
    action = StaffAction.objects.get(kind="models_evaluated")
    assert action.reason == "We test a model"
    again = evaluator.post(f"{path}runs/", run_form(sure="yes"))
    assert again.status_code == 422
    assert "still going on" in again.content.decode()


def test_a_download_is_on_record_and_can_be_uploaded_again(
    evaluator: Client, adam: StaffContext, dataset: EvaluationDataset, willing: User
) -> None:
    chat = say(willing, "Asked", "Answered")
    answer = chat.messages.last()
    assert answer
    datasets.copy_turn(adam, dataset, chat.pk, answer.pk)
    response = evaluator.get(f"/review/evaluation/{dataset.pk}/items.jsonl")
    [line] = content_of(response).splitlines()
    assert json.loads(line)["from_chat"] is True
    kept = AccessLogEntry.objects.filter(kind="exported")
    assert set(kept.values_list("message", flat=True)) == {None, answer.pk}
