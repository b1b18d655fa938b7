"""Runs answer a dataset in the background, within a budget of their own, and can be compared."""

from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.errors import AllocationExhausted, QuotaExceeded
from chat.evaluation import answering, comparison, runs, starting
from chat.evaluation.errors import NothingToRun, RunInProgress
from chat.evaluation.models import EvaluationDataset, EvaluationRun, RunAnswer
from chat.generations.send.start import start_temporary
from chat.generations.task.task import GenerationTask
from chat.quotas import pauses
from chat.quotas.models import Charge, Limit, Meter
from chat.review.access_log.staff_context import StaffContext
from tests.support.generations.masked_requests import (
    QUESTION,
    assert_nothing_personal,
    store_settings,
)
from tests.support.outbox import waiting
from tests.support.review.evaluation import add_questions, finish, new_run
from tests.support.review.judging import CLEF
from tests.support.upstream.recorded_emulator import record_requests
from tests.support.wait_for import until

QUESTIONS = ("Where is Oslo?", "Where is Rome?", "judge:unanswered=0.9 Where is Paris?")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr("chat.evaluation.work.PAUSE_SECONDS", 0)
    settings.JUDGE_MODEL = CLEF


@pytest.fixture
def bench(adam: StaffContext, dataset: EvaluationDataset) -> EvaluationDataset:
    add_questions(adam, dataset, QUESTIONS)
    return dataset


start = sync_to_async(starting.start)


async def test_a_run_answers_and_judges_every_question_and_nobody_pays(
    adam: StaffContext, bench: EvaluationDataset, stop_server_process: None
) -> None:
    run = new_run(bench, is_judged=True)
    await start(adam, run)
    assert run.estimated_microdollars > 0
    await finish()
    await run.arefresh_from_db()
    answers = [each async for each in run.answers.order_by("item")]
    assert run.state == "done"
    assert all(each.text and not each.problem for each in answers)
    assert len(answers) == len(QUESTIONS)
    assert answers[0].probabilities is not None
    assert await waiting() == {}
    charges = [each async for each in Charge.objects.all()]
    assert {each.user_id for each in charges} == {None}
    assert {tuple(each.keys) for each in charges} == {("everyone", "evaluation")}
    assert all(each.settled_at for each in charges)
    spent = sum(each.microdollars + each.judge_microdollars for each in answers)
    meter = await Meter.objects.aget(key="evaluation")
    assert meter.running == 0
    assert 0 < spent <= run.estimated_microdollars
    assert abs(meter.microdollars - spent) <= len(charges)  # each is rounded


async def test_a_cancelled_run_asks_no_more_and_goes_on_where_it_was(
    adam: StaffContext, bench: EvaluationDataset, stop_server_process: None
) -> None:
    run = new_run(bench)
    await start(adam, run)
    await sync_to_async(runs.cancel)(adam, run)
    await finish()
    assert await run.answers.acount() == 0
    await sync_to_async(starting.resume)(adam, run)
    with pytest.raises(RunInProgress):
        await sync_to_async(starting.resume)(adam, run)
    await finish()
    assert await run.answers.acount() == len(QUESTIONS)


async def test_a_failed_question_is_named_and_the_others_go_on(
    adam: StaffContext, dataset: EvaluationDataset, stop_server_process: None
) -> None:
    await sync_to_async(add_questions)(adam, dataset, ("/error 2016", "Where is Oslo?"))
    run = new_run(dataset)
    await start(adam, run)
    await finish()
    failed, answered = [each async for each in run.answers.order_by("item")]
    assert failed.problem
    assert not failed.text
    assert answered.text


@pytest.mark.parametrize("command", ["/cut 6", "/error-after 6", "/empty"])
async def test_what_a_failed_answer_was_charged_for_counts(
    adam: StaffContext, dataset: EvaluationDataset, stop_server_process: None, command: str
) -> None:
    await sync_to_async(add_questions)(adam, dataset, (command,))
    run = new_run(dataset)
    await start(adam, run)
    await finish()
    (failed,) = [each async for each in run.answers.all()]
    charge = await Charge.objects.aget()
    assert (failed.text, bool(failed.problem)) == ("", True)
    assert charge.settled_at
    assert failed.microdollars == charge.microdollars > 0
    shown = await runs.with_progress(dataset).aget()
    assert (shown.failed, shown.spent) == (1, charge.microdollars)


async def test_an_answer_that_takes_too_long_is_stopped_and_paid_for(
    adam: StaffContext,
    dataset: EvaluationDataset,
    monkeypatch: pytest.MonkeyPatch,
    stop_server_process: None,
) -> None:
    async def begun(*given: Any, **options: Any) -> GenerationTask:
        live = await start_temporary(*given, **options)
        await until(lambda: live.log)
        return live

    monkeypatch.setattr(answering, "start_temporary", begun)
    monkeypatch.setattr(answering, "ANSWER_SECONDS", 0.5)
    await sync_to_async(add_questions)(adam, dataset, ("/stall 6",))
    run = new_run(dataset)
    await start(adam, run)
    await finish()
    (failed,) = [each async for each in run.answers.all()]
    charge = await Charge.objects.aget()
    assert failed.problem == "upstream_timeout"
    assert charge.settled_at
    assert failed.microdollars == charge.microdollars > 0


async def test_a_run_beyond_the_budget_does_not_start_and_a_spent_budget_stops_it(
    adam: StaffContext, bench: EvaluationDataset, stop_server_process: None
) -> None:
    limit = await Limit.objects.acreate(scope="evaluation", measure="dollars", amount=0)
    with pytest.raises(QuotaExceeded):
        await start(adam, new_run(bench))
    assert not await EvaluationRun.objects.aexists()
    await Limit.objects.filter(pk=limit.pk).aupdate(amount=Decimal(5))
    run = new_run(bench)
    await start(adam, run)
    await Limit.objects.filter(pk=limit.pk).aupdate(amount=0)
    await finish()
    await run.arefresh_from_db()
    assert (run.state, run.problem) == ("stopped", "quota_exceeded")


async def test_a_run_is_masked_as_soon_as_anybody_is(
    adam: StaffContext,
    dataset: EvaluationDataset,
    monkeypatch: pytest.MonkeyPatch,
    stop_server_process: None,
) -> None:
    group = await Group.objects.acreate(name="Clinic")
    await sync_to_async(store_settings)(COVERED_GROUPS=[group.pk])
    await sync_to_async(add_questions)(adam, dataset, (QUESTION,))
    asked = record_requests(monkeypatch)
    await start(adam, new_run(dataset, is_judged=True))
    await finish()
    assert len(asked) == 2
    assert_nothing_personal(asked)


@pytest.mark.parametrize(("measure", "amount"), [("tokens", 100), ("neurons", 0)])
async def test_every_limit_of_evaluations_counts_before_the_start(
    measure: str, amount: int, adam: StaffContext, bench: EvaluationDataset
) -> None:
    await Limit.objects.acreate(scope="evaluation", measure=measure, amount=amount)
    with pytest.raises(QuotaExceeded):
        await start(adam, new_run(bench))


async def test_a_run_does_not_start_while_the_provider_refuses_everything(
    adam: StaffContext, bench: EvaluationDataset
) -> None:
    await sync_to_async(pauses.pause)()
    with pytest.raises(AllocationExhausted):
        await start(adam, new_run(bench))


async def test_stored_answers_are_compared_with_a_run(
    adam: StaffContext, bench: EvaluationDataset, alice: User, stop_server_process: None
) -> None:
    with pytest.raises(NothingToRun):
        await start(adam, new_run(bench, model="", is_of_stored_answers=True))
    await bench.items.aupdate(answer="It is far away.")
    stored = new_run(bench, model="", is_of_stored_answers=True, is_judged=True)
    await start(adam, stored)
    await finish()
    other = new_run(bench, is_judged=True)
    await start(adam, other)
    await finish()
    pair = await sync_to_async(comparison.pair_of)(bench, other.pk, stored.pk)
    assert pair.first == stored
    differences = await sync_to_async(comparison.differences_of)(pair)
    assert differences["unanswered"].count == len(QUESTIONS)
    assert await Charge.objects.filter(user=alice).acount() == 0


def test_the_answers_of_a_withdrawn_item_are_not_stored(
    adam: StaffContext, bench: EvaluationDataset
) -> None:
    run = new_run(bench)
    run.save()
    item = bench.items.first()
    assert item
    bench.items.all().delete()
    runs.store(run, item, text="Too late")
    assert not RunAnswer.objects.exists()
