"""Coding agents, unmodified and with all tools that they have by default, work on a task."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.interop.programs import YES, runs, shows
from tests.support.api.coding_agents import CODING_AGENTS, COMMANDS, CodingAgent
from tests.support.api.task_model import DONE, TASK, TaskModel, TaskSite

pytestmark = [pytest.mark.interop, pytest.mark.long, pytest.mark.xdist_group("foreign clients")]

#: More answers that break off than any program asks for.
ALWAYS = 1000


EACH = pytest.mark.parametrize(
    "agent",
    [pytest.param(each, id=each.name, marks=runs(each.name)) for each in CODING_AGENTS],
)
BREAKS_OFF = pytest.mark.parametrize(
    "agent",
    [
        pytest.param(
            each,
            id=each.name,
            marks=[
                runs(each.name),
                shows("broken", cell="repeats" if each.is_patient else YES),
            ],
        )
        for each in CODING_AGENTS
    ],
)


@pytest.fixture
def model(agent: CodingAgent, tasks: TaskSite) -> TaskModel:
    model = TaskModel(agent.step, len(COMMANDS))
    tasks.works(model)
    return model


@EACH
@shows("tools", "turns")
def test_a_task_of_several_turns_is_done(
    agent: CodingAgent, tasks: TaskSite, model: TaskModel, tmp_path: Path
) -> None:
    said, code = agent.run(tasks.site, tmp_path, TASK)
    assert code == 0, said
    assert DONE in said
    assert (tmp_path / "level.txt").read_text() == "4.2\n"
    assert len(model.results) >= len(COMMANDS)
    assert "no_such_file.txt" in model.results[1]
    assert model.results[1].startswith(agent.failure)
    offered = {each["function"]["name"] for each in model.requests[0]["tools"]}
    assert {agent.tool, agent.offers or agent.tool} <= offered
    assert "web_search" not in offered


@EACH
@shows("wrong key")
def test_a_wrong_key_is_said(
    agent: CodingAgent, tasks: TaskSite, model: TaskModel, tmp_path: Path
) -> None:
    said, code = agent.run(replace(tasks.site, key="DUMMY_KEY"), tmp_path, TASK)
    assert code != 0
    assert model.calls == 0
    assert "Incorrect API key" in said


@BREAKS_OFF
@shows("streamed")
def test_an_answer_that_breaks_off_is_asked_for_again_or_said_with_its_reason(
    agent: CodingAgent, tasks: TaskSite, model: TaskModel, tmp_path: Path
) -> None:
    model.broken_answers = 1 if agent.is_patient else ALWAYS
    log = tasks.site.server.log
    before = len(log.read_text())
    said, code = agent.run(tasks.site, tmp_path, TASK)
    # A whole answer that breaks off is refused with its status; Claude Code asks for one then.
    calls = re.findall(r"method=POST route=api_\w+ status=(\d+)", log.read_text()[before:])
    assert calls[0] == "200"
    if agent.is_patient:
        assert DONE in said
        assert model.calls > len(COMMANDS) + 1
        return
    assert code != 0
    assert "The model provider had a problem" in said
