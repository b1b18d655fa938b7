"""Whatever stops a run, what was paid for is kept, and no question is asked twice without need."""

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from chat.errors import CreditExhausted, QuotaExceeded, ShuttingDown, UpstreamTimeout
from chat.evaluation import answering, runs, starting
from chat.evaluation.models import DatasetItem, EvaluationDataset, EvaluationRun
from chat.evaluation.work import STEP
from chat.knowledge.models import Collection
from chat.quotas.models import Charge
from chat.review.access_log.staff_context import StaffContext
from tests.support.outbox import deliver, make_due, waiting
from tests.support.review.evaluation import add_questions, finish, new_run
from tests.support.review.judging import CLEF

QUESTIONS = ("Where is Oslo?", "Where is Rome?")
resume = sync_to_async(starting.resume)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr("chat.evaluation.work.PAUSE_SECONDS", 0)
    settings.JUDGE_MODEL = CLEF


async def begun(
    adam: StaffContext, dataset: EvaluationDataset, *questions: str, **values: Any
) -> EvaluationRun:
    await sync_to_async(add_questions)(adam, dataset, questions)
    run = new_run(dataset, **values)
    await sync_to_async(starting.start)(adam, run)
    return run


async def charges_of(run: EvaluationRun) -> int:
    """Return how many answers were paid for."""
    return await Charge.objects.filter(model=run.model).acount()


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (QuotaExceeded(measure="dollars"), "stopped"),
        (CreditExhausted(), "stopped"),
        (ShuttingDown(), "running"),
        (UpstreamTimeout(), "done"),
        (RuntimeError("anything else"), "done"),
    ],
    ids=lambda each: type(each).__name__,
)
async def test_an_answer_that_could_not_be_judged_is_kept_and_judged_later(
    adam: StaffContext,
    dataset: EvaluationDataset,
    monkeypatch: pytest.MonkeyPatch,
    stop_server_process: None,
    failure: Exception,
    state: str,
) -> None:
    async def fail(*_: object) -> None:
        raise failure

    run = await begun(adam, dataset, QUESTIONS[0], is_judged=True)
    with monkeypatch.context() as broken:
        broken.setattr(answering, "judge_text", fail)
        await deliver(STEP)
    await run.arefresh_from_db()
    written = await run.answers.aget()
    assert (run.state, bool(written.text), written.probabilities) == (state, True, None)
    if state != "running":
        await resume(adam, run)
    await finish()
    await run.arefresh_from_db()
    judged = await run.answers.aget()
    assert (run.state, judged.text, judged.judge_problem) == ("done", written.text, "")
    assert judged.probabilities
    assert judged.microdollars == written.microdollars > 0
    assert await charges_of(run) == 1


async def test_a_run_that_was_cancelled_and_resumed_waits_for_its_last_answer(
    adam: StaffContext,
    dataset: EvaluationDataset,
    monkeypatch: pytest.MonkeyPatch,
    stop_server_process: None,
) -> None:
    asked: list[int] = []
    begins, goes_on = asyncio.Event(), asyncio.Event()
    answer = answering.answer

    async def slowly(run: EvaluationRun, item: DatasetItem) -> answering.Answered:
        asked.append(item.pk)
        begins.set()
        await goes_on.wait()
        return await answer(run, item)

    monkeypatch.setattr(answering, "answer", slowly)
    run = await begun(adam, dataset, *QUESTIONS)
    former = asyncio.create_task(deliver(STEP))
    await begins.wait()
    await sync_to_async(runs.cancel)(adam, run)
    await resume(adam, run)
    for _ in range(3):
        await make_due()
        await deliver(STEP)
    assert len(asked) == 1
    assert (await waiting())[STEP.name] >= 2  # the former step, and one that waits for it
    goes_on.set()
    await former
    await finish()
    await run.arefresh_from_db()
    assert run.state == "done"
    assert await run.answers.acount() == len(set(asked)) == len(asked) == len(QUESTIONS)
    assert await charges_of(run) == len(QUESTIONS)


async def test_a_former_step_does_not_stop_the_run_that_was_started_again(
    adam: StaffContext,
    dataset: EvaluationDataset,
    monkeypatch: pytest.MonkeyPatch,
    stop_server_process: None,
) -> None:
    begins, goes_on = asyncio.Event(), asyncio.Event()

    async def refused(*_: object) -> None:
        begins.set()
        await goes_on.wait()
        raise QuotaExceeded(measure="dollars")

    run = await begun(adam, dataset, *QUESTIONS)
    with monkeypatch.context() as broken:
        broken.setattr(answering, "answer", refused)
        former = asyncio.create_task(deliver(STEP))
        await begins.wait()
        await sync_to_async(runs.cancel)(adam, run)
        await resume(adam, run)
        goes_on.set()
        await former
    await run.arefresh_from_db()
    assert run.state == "running"
    await finish()
    assert await run.answers.exclude(text="").acount() == len(QUESTIONS)


async def test_nothing_is_asked_without_the_documents_that_were_chosen(
    adam: StaffContext, dataset: EvaluationDataset, stop_server_process: None
) -> None:
    handbook = await Collection.objects.acreate(owner=None, name="Handbook")
    run = await begun(adam, dataset, *QUESTIONS, collection=handbook)
    await handbook.adelete()
    for _ in range(2):
        await finish()
        await run.arefresh_from_db()
        assert (run.state, run.problem) == ("stopped", "collection_unavailable")
        assert await run.answers.acount() == await charges_of(run) == 0
        await resume(adam, run)
